internal import Diagnostics
package import Pipeline

/// What became of the questions of one run: receipts, histories of chains, or notifications.
package struct AskingTally: Hashable {
  /// The word for one question: `receipt` or `chain`.
  private let noun: String
  /// The number of questions; of receipts, the lines that are not blank.
  var questions = 0
  /// The number of questions that needed no request, because of earlier runs or as repetitions.
  var known = 0
  /// The number of questions that were answered completely.
  var answered = 0
  /// The number of chains that needed no request, because this run received them with another
  /// chain.
  var covered = 0
  /// The number of questions without a complete answer, which the next run asks again.
  var pending = 0
  /// The number of questions that Apple rejected, or whose local check failed.
  var rejected = 0
  /// The number of questions that were not asked, because the run ended early.
  var unasked = 0
  /// The number of transactions or notifications that were fetched.
  var items = 0
  /// The number of requests that were sent, including repeated requests.
  var requests = 0
  /// The number of pending and rejected questions, and of rejected page tokens, keyed by reason.
  var reasons: [String: Int] = [:]
  /// The exports that were written.
  var exports: [AnswerExports.Account] = []

  init(of noun: String) { self.noun = noun }

  mutating func addPending(_ reason: String) {
    pending += 1
    reasons[reason, default: 0] += 1
  }

  mutating func addRejected(_ reason: String) {
    rejected += 1
    reasons[reason, default: 0] += 1
  }

  // MARK: - Messages

  /// The reasons with their numbers, the most frequent first.
  private var reasonsText: String {
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
  var historiesText: String {
    """
    \(questions) chains: \(known) known, \(answered) fetched, \(covered) returned with another \
    chain, \(pending) pending, \(rejected) unknown to Apple, \(unasked) not requested; \(items) \
    transactions by \(requests) requests; \(exportsText)
    """
  }

  /// The tally of receipts as text.
  var receiptsText: String {
    """
    \(questions) raw receipts: \(known) known, \(answered) answered, \(pending) pending, \
    \(rejected) rejected, \(unasked) not requested; \(exportsText)
    """
  }

  /// The pending and rejected questions with the reasons, for a warning; `nil` if there are none.
  func leftText(rejected word: String) -> String? {
    var findings: [String] = []
    if pending > 0 {
      findings.append("\(Count.text(pending, noun)) pending; the next run requests them")
    }
    if rejected > 0 { findings.append("\(Count.text(rejected, noun)) \(word)") }
    return findings.isEmpty ? nil : "\(findings.joined(separator: ", ")) (\(reasonsText))"
  }

  /// Creates the failure of a run that could not reach Apple.
  var unreachable: RunFailure {
    RunFailure(
      .unavailable,
      """
      Apple cannot be reached (\(reasonsText)). Nothing is lost: the next run requests the rest, \
      \(Count.text(pending, noun)) pending and \(unasked) not requested yet
      """)
  }

  // MARK: - JSON

  /// The tally of histories or notifications as JSON.
  package var fetchJSON: JSONText {
    json(
      [
        ("chains", questions), ("known", known), ("settled", answered), ("covered", covered),
        ("pending", pending), ("rejected", rejected), ("unasked", unasked), ("items", items),
        ("requests", requests),
      ], exports: .init("exports", .list(exports.map { .text($0.path) })))
  }

  /// The tally of receipts as JSON.
  package var receiptsJSON: JSONText {
    json(
      [
        ("records", questions), ("known", known), ("answered", answered), ("pending", pending),
        ("rejected", rejected), ("unasked", unasked), ("requests", requests),
      ], exports: .init("export", .text(orNull: exports.first?.path)))
  }

  private func json(_ counts: [(String, Int)], exports paths: JSONText.Member) -> JSONText {
    let reasons = reasons.sorted { $0.key < $1.key }
      .map { JSONText.Member($0.key, .number(Int64($0.value))) }
    let records = exports.reduce(0) { $0 + $1.records }
    return .object(
      counts.map { .init($0.0, .number(Int64($0.1))) } + [
        .init("reasons", .object(reasons)), paths,
        .init("exported_records", .number(Int64(records))),
      ])
  }
}
