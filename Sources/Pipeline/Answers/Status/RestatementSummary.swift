internal import Diagnostics
internal import Pipeline
internal import SharedTables
internal import Amounts

/// The changes of already published figures by the newest runs, summed over the changed days.
struct RestatementSummary: Hashable {
  /// The change of one figure by one run, for one cause.
  struct Line: Hashable {
    var runID: Int64
    var cause: RestatementCause
    var metric: RestatedMetric
    /// The currency's code; empty if unknown.
    var currency: String
    /// The number of changed days.
    var days: Int
    /// The sum of the changes: thousandths of the currency for an amount, rows for a number of
    /// rows.
    var delta: Int64
    /// The sum of the numbers of changed rows per day.
    ///
    /// A row that changes the figure on several days is counted on each of these days.
    var rows: Int64
  }

  /// The changes, newest run first, then by cause, figure and currency.
  var lines: [Line] = []

  static let runsShown = 5

  init(_ restatements: [Restatement]) {
    struct Key: Hashable {
      var runID: Int64
      var cause: RestatementCause
      var metric: RestatedMetric
      var currency: String
    }
    var sums: [Key: (days: Int, delta: Int64, rows: Int64)] = [:]
    for one in restatements {
      let key = Key(
        runID: one.runID, cause: one.cause, metric: one.metric, currency: one.currency)
      var sum = sums[key] ?? (0, 0, 0)
      sum.days += 1
      sum.delta &+= one.new &- one.old
      sum.rows += one.rows
      sums[key] = sum
    }
    lines = sums.map { key, sum in
      Line(
        runID: key.runID, cause: key.cause, metric: key.metric, currency: key.currency,
        days: sum.days, delta: sum.delta, rows: sum.rows)
    }
    .sorted {
      ($1.runID, $0.cause.rawValue, $0.metric.rawValue, $0.currency)
        < ($0.runID, $1.cause.rawValue, $1.metric.rawValue, $1.currency)
    }
  }

  /// A text table with a line for each run, cause and figure.
  var table: String {
    var table = TextTable([
      ("run", .right), ("cause", .left), ("figure", .left), ("days", .right), ("rows", .right),
      ("change", .right),
    ])
    for line in lines {
      table.add([
        String(line.runID), line.cause.rawValue, line.metric.rawValue, String(line.days),
        String(line.rows), Self.change(line),
      ])
    }
    return table.text
  }

  private static func change(_ line: Line) -> String {
    let sign = line.delta > 0 ? "+" : ""
    if line.metric == .unresolvedRows { return sign + Count.text(line.delta, "row") }
    let amount = Milliunits(line.delta)
    guard let currency = Currency(line.currency) else { return sign + amount.text(decimals: 2) }
    return sign + amount.text(in: currency)
  }

  var json: JSONText {
    .list(
      lines.map { line in
        .object([
          .init("run_id", .number(line.runID)), .init("cause", .text(line.cause.rawValue)),
          .init("metric", .text(line.metric.rawValue)), .init("currency", .text(line.currency)),
          .init("days", .number(Int64(line.days))), .init("rows", .number(line.rows)),
          .init(
            line.metric == .unresolvedRows ? "delta_rows" : "delta_milli", .number(line.delta)),
        ])
      })
  }
}
