internal import GRDB
internal import SQLiteFiles

/// Reads the numbers of chargeable rows and of rows with a known amount.
enum CoverageReading {
  /// Reads the numbers of each displayed day and of every month, oldest first.
  static func read(_ window: PageWindow, on db: Database) throws
    -> (days: [CoverageFigures], months: [CoverageFigures])
  {
    var days: [CoverageFigures] = []
    var months: [CoverageFigures] = []
    let rows = try StoredRow.fetchCursor(db, sql: query)
    while let row = try rows.next() {
      let day = CoverageFigures(
        period: row[0], chargeable: row[1], known: row[2], exact: row[3], isComplete: row[4])
      if day.period >= window.firstDay { days.append(day) }
      let month = String(day.period.prefix(7))
      if let last = months.last, last.period == month {
        months[months.count - 1].chargeable += day.chargeable
        months[months.count - 1].known += day.known
        months[months.count - 1].exact += day.exact
      } else {
        months.append(
          CoverageFigures(
            period: month, chargeable: day.chargeable, known: day.known, exact: day.exact,
            isComplete: window.isComplete(month: month)))
      }
    }
    return (days, months)
  }

  private static let query = """
    SELECT date_day, SUM(chargeable_rows), SUM(known_rows), SUM(exact_rows), MIN(is_complete)
    FROM price_coverage_daily GROUP BY date_day ORDER BY date_day
    """
}
