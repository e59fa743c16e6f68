internal import Diagnostics
package import Pipeline

extension Explanation {
  /// The explanation as text.
  package var text: String {
    var lines = [headline, ""]
    let width = fields.map(\.name.count).max() ?? 0
    lines += fields.map { "  \(Self.padded($0.name, to: width))  \(OneLine.text($0.value))" }
    lines += ["", "Seen in the exports: \(Count.text(observations.count, "observation"))"]
    for observation in observations {
      lines.append(
        "  \(OneLine.text(observation.place))  snapshot \(observation.snapshotAt), \(observation.list)"
      )
      let values = observation.fields.map { "\($0.name) \(OneLine.text($0.value))" }
      lines.append("    " + values.joined(separator: ", "))
    }
    lines += history.lines
    if !steps.isEmpty { lines += ["", "Rules in the order in which they are tried:"] }
    let ruleWidth = steps.map(\.rule.count).max() ?? 0
    for step in steps { lines += Self.lines(step, width: ruleWidth) }
    if let advice {
      lines += ["", "Evidence that would make the amount known: \(OneLine.text(advice))."]
    }
    if !steps.isEmpty { lines += ["", DocsPage.rules.reference] }
    return lines.joined(separator: "\n")
  }

  private var headline: String {
    let id = OneLine.text(transactionID)
    if let exclusion { return "Transaction \(id) is not revenue: \(exclusion)." }
    let by = rule.map { ", decided by \($0)" } ?? ""
    let source = evidence.map { " from \(OneLine.text($0))" } ?? ""
    return "Transaction \(id): \(amount), \(status)\(by)\(source)."
  }

  /// The largest number of considered prices that the text lists per rule.
  ///
  /// A popular product has many reports, and the first prices of the list are enough.
  private static let candidatesShown = 12

  private static func lines(_ step: Step, width: Int) -> [String] {
    let name = padded(step.rule, to: width)
    var lines: [String]
    switch step.outcome {
    case "decided":
      lines = ["  \(name)  DECIDED" + (step.reason.isEmpty ? "" : ": \(step.reason)")]
    case "not_asked": lines = ["  \(name)  not tried: \(step.reason)"]
    default: lines = ["  \(name)  no: \(step.reason)"]
    }
    for candidate in step.candidates.prefix(candidatesShown) {
      let price = candidate.price ?? "no such price"
      let verdict = candidate.verdict.map { ", \($0)" } ?? ""
      let remarks = candidate.remarks.map { ", \($0)" }.joined()
      lines.append(
        "    \(OneLine.text(candidate.place))  \(price)\(verdict)\(OneLine.text(remarks))")
    }
    let more = step.candidates.count - candidatesShown
    if more > 0 { lines.append("    and \(more) more (--json shows all)") }
    return lines
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// The explanation as JSON.
  package var json: JSONText {
    .object([
      .init("transaction_id", .text(transactionID)), .init("amount", .text(amount)),
      .init("status", .text(status)), .init("rule", .text(orNull: rule)),
      .init("evidence", .text(orNull: evidence)), .init("exclusion", .text(orNull: exclusion)),
      .init("purchase", Self.json(fields)),
      .init(
        "observations",
        .list(
          observations.map {
            .object([
              .init("place", .text($0.place)), .init("snapshot_at", .text($0.snapshotAt)),
              .init("list", .text($0.list)), .init("fields", Self.json($0.fields)),
            ])
          })),
      .init(
        "rules",
        .list(
          steps.map {
            .object([
              .init("rule", .text($0.rule)), .init("outcome", .text($0.outcome)),
              .init("reason", .text($0.reason)),
              .init("candidates", .list($0.candidates.map(Self.json))),
            ])
          })),
      .init("advice", .text(orNull: advice)), .init("history", history.json),
    ])
  }

  private static func json(_ fields: [Field]) -> JSONText {
    .object(fields.map { .init($0.name.replacing(" ", with: "_"), .text($0.value)) })
  }

  private static func json(_ candidate: Candidate) -> JSONText {
    .object([
      .init("place", .text(candidate.place)), .init("price", .text(orNull: candidate.price)),
      .init("verdict", .text(orNull: candidate.verdict)),
      .init("remarks", .list(candidate.remarks.map(JSONText.text))),
    ])
  }
}
