internal import Diagnostics
package import Pipeline

/// The number of receipts in one validating run, by result.
package struct ValidationTally: Hashable {
  /// The number of lines with raw receipts; blank lines are not counted.
  var records = 0
  /// The number of receipts that an earlier run completed, or that repeat another receipt.
  var known = 0
  /// The number of receipts to which Apple responded, or that were read locally.
  var answered = 0
  /// The number of receipts without a final result, which the next run sends again.
  var pending = 0
  /// The number of receipts that Apple rejected, or whose local check failed.
  var rejected = 0
  /// The number of receipts that were not tried, because the run ended early.
  var unasked = 0
  /// The number of requests that were sent, including repeated requests.
  var requests = 0
  /// The number of pending and rejected receipts, keyed by reason.
  var reasons: [String: Int] = [:]
  /// The path of the export; `nil` if there was nothing to write.
  var exportPath: String?
  /// The number of records in the export, including those of an earlier run that was stopped.
  var exported = 0

  /// The reasons with their numbers of receipts, the most frequent reason first.
  var reasonsText: String {
    reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  var text: String {
    let export =
      exportPath.map { "\(Count.text(exported, "record")) in \(OneLine.text($0))" }
      ?? "nothing to export"
    return """
      \(records) raw receipts: \(known) known, \(answered) answered, \(pending) pending, \
      \(rejected) rejected, \(unasked) not requested; \(export)
      """
  }

  /// The tally as a JSON object, for the option `--json`.
  package var json: JSONText {
    func number(_ name: String, _ value: Int) -> JSONText.Member {
      .init(name, .number(Int64(value)))
    }
    let reasons = reasons.sorted { $0.key < $1.key }
    return .object([
      number("records", records), number("known", known), number("answered", answered),
      number("pending", pending), number("rejected", rejected), number("unasked", unasked),
      number("requests", requests),
      .init("reasons", .object(reasons.map { .init($0.key, .number(Int64($0.value))) })),
      .init("export", .text(orNull: exportPath)), number("exported_records", exported),
    ])
  }
}
