internal import CivilTime
package import Pipeline

/// The account of one fetching run.
package struct FetchTally: Hashable {
  /// Chains that are wanted.
  var chains = 0
  /// Chains settled before.
  var known = 0
  /// Chains whose whole history was fetched.
  var settled = 0
  /// Chains that came with the history of another chain of the same Apple account.
  var covered = 0
  /// Chains that stay open.
  var pending = 0
  /// Chains that Apple does not know.
  var rejected = 0
  /// Chains not requested, as the run ended early.
  var unasked = 0
  /// Transactions or notifications that were fetched.
  var items = 0
  /// Questions that were sent, repeated ones included.
  var requests = 0
  /// The number of chains that stay open or are unknown, by the stable word of the reason.
  var reasons: [String: Int] = [:]
  /// The exports that were written.
  var exports: [ExportPart.Account] = []

  /// The reasons with their numbers, the most frequent first.
  var reasonsText: String {
    reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  /// The exports for a message.
  var exportsText: String {
    exports.isEmpty
      ? "nothing to export"
      : exports.map { "\($0.records) records in \(OneLine.text($0.path))" }
        .joined(separator: ", ")
  }

  /// The account of histories as text.
  var text: String {
    """
    \(chains) chains: \(known) known, \(settled) fetched, \(covered) came with another, \
    \(pending) pending, \(rejected) unknown to Apple, \(unasked) not requested; \
    \(items) transactions by \(requests) requests; \(exportsText)
    """
  }

  /// The account as JSON.
  package var json: JSONText {
    func number(_ name: String, _ value: Int) -> JSONText.Member {
      .init(name, .number(Int64(value)))
    }
    let reasons = reasons.sorted { $0.key < $1.key }
    return .object([
      number("chains", chains), number("known", known), number("settled", settled),
      number("covered", covered), number("pending", pending), number("rejected", rejected),
      number("unasked", unasked), number("items", items), number("requests", requests),
      .init("reasons", .object(reasons.map { .init($0.key, .number(Int64($0.value))) })),
      .init("exports", .list(exports.map { .text($0.path) })),
      number("exported_records", exports.reduce(0) { $0 + $1.records }),
    ])
  }
}
