/// The accuracy table in Markdown: one line per kind of store, over all seeds of that kind.
public struct AccuracyTable: Sendable {
  private struct Line: Sendable {
    var name: String
    var total = AccuracyScore()
    /// The numbers of right and of resolvable amounts in the store with the lowest rate.
    var worst = (right: 1, of: 1)
  }

  private var lines: [Line] = []

  /// Creates a table without lines.
  public init() {}

  /// Adds a store's score to the line of its kind.
  public mutating func add(_ score: AccuracyScore, to name: String) {
    let index = lines.firstIndex { $0.name == name } ?? lines.count
    if index == lines.count { lines.append(Line(name: name)) }
    lines[index].total += score
    let worst = lines[index].worst
    // The rates are compared as fractions, without division.
    if score.resolvableRight * worst.of < worst.right * score.resolvable {
      lines[index].worst = (score.resolvableRight, score.resolvable)
    }
  }

  /// The kind of a store by its folder: `var/hard-app-bug-2` is `app-bug`.
  public static func kind(ofFolder folder: String) -> String {
    var parts = (folder.split(separator: "/").last ?? "").split(separator: "-")
    if parts.count > 1, parts.last.flatMap({ Int($0) }) != nil { parts.removeLast() }
    if parts.count > 1, parts.first == "hard" { parts.removeFirst() }
    return parts.joined(separator: "-")
  }

  /// The table as Markdown text.
  public var markdown: String {
    let head = """
      | store | paid rows | resolvable | of these right | worst seed | wrong among inferred \
      | wrong exact | bounds wrong | conversions right | error of revenue | revenue without amount |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      """
    return ([head] + lines.map(Self.markdown)).joined(separator: "\n")
  }

  /// Lists the most frequent deviations of each kind of store as text, at most `count` per kind.
  public func deviations(most count: Int) -> String {
    lines.map { line in
      let frequent = line.total.deviations.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      return ([line.name] + frequent.prefix(count).map { "  \($0.value) × \($0.key)" })
        .joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  private static func markdown(_ line: Line) -> String {
    let total = line.total
    let known = total.trueRevenue - total.absentRevenue
    let columns = [
      line.name, number(total.paid), share(total.resolvable, of: total.paid),
      share(total.resolvableRight, of: total.resolvable),
      share(line.worst.right, of: line.worst.of),
      "\(number(total.inferredWrong)) of \(number(total.inferred))", number(total.lies),
      "\(number(total.boundsBroken)) of \(number(total.unresolved))",
      share(total.offersRight, of: total.offers), error(total.foundRevenue - known, of: known),
      share(Int(total.absentRevenue / 1000), of: Int(total.trueRevenue / 1000)),
    ]
    return "| " + columns.joined(separator: " | ") + " |"
  }

  /// Formats a rate in percent, rounded down, so that `100.00 %` means all.
  private static func share(_ part: Int, of whole: Int) -> String {
    whole > 0 ? percent(part * 10_000 / whole) : "-"
  }

  /// Formats a difference in percent of the whole, with its sign: `-0.25 %`.
  private static func error(_ difference: Int64, of whole: Int64) -> String {
    guard whole > 0 else { return "-" }
    let tenths = (difference.magnitude / 1000) * 100_000 / (whole.magnitude / 1000 + 1)
    return (difference < 0 ? "-" : "+") + percent(Int((tenths + 5) / 10))
  }

  /// Formats hundredths of a percent: 9,805 → `98.05 %`.
  public static func percent(_ hundredths: Int) -> String {
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) %"
  }

  /// Formats a number with a comma between groups of three digits: `1,234,567`.
  private static func number(_ value: Int) -> String {
    value < 1000 ? String(value) : number(value / 1000) + "," + String(value).suffix(3)
  }
}
