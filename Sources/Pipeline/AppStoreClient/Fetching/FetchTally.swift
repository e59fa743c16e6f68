internal import Diagnostics
internal import CivilTime
package import Pipeline

/// The tally of one fetching run.
package struct FetchTally: Hashable {
  /// The number of requested chains.
  var chains = 0
  /// The number of chains that needed no request, because of the results of earlier runs.
  var known = 0
  /// The number of chains whose whole history was fetched.
  var settled = 0
  /// The number of chains that needed no request, because this run received them with another
  /// chain.
  var covered = 0
  /// The number of chains whose history is not complete yet.
  var pending = 0
  /// The number of chains that Apple does not know.
  var rejected = 0
  /// The number of chains that were not requested, because the run ended early.
  var unasked = 0
  /// The number of transactions or notifications that were fetched.
  var items = 0
  /// The number of requests that were sent, including repeated requests.
  var requests = 0
  /// The number of pending chains, rejected chains and rejected page tokens, keyed by reason.
  var reasons: [String: Int] = [:]
  /// The exports that were renamed to their final names.
  var exports: [ExportPart.Account] = []

  /// The reasons with their numbers, the most frequent first.
  var reasonsText: String {
    reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  /// The exports with their numbers of records, for a message: `12 records in a.ndjson.gz`.
  var exportsText: String {
    exports.isEmpty
      ? "nothing to export"
      : exports.map { "\(Count.text($0.records, "record")) in \(OneLine.text($0.path))" }
        .joined(separator: ", ")
  }

  /// The tally of histories as text.
  var text: String {
    """
    \(chains) chains: \(known) known, \(settled) fetched, \(covered) returned with another chain, \
    \(pending) pending, \(rejected) unknown to Apple, \(unasked) not requested; \(items) \
    transactions by \(requests) requests; \(exportsText)
    """
  }

  /// The tally as JSON.
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
