internal import CivilTime
public import Diagnostics
internal import GRDB
internal import SQLiteFiles

extension WarehouseDatabase {
  /// Checks the rows that the content digest does not cover, because they follow from others.
  ///
  /// They are the figures, the days of `dim_date`, and the descriptions in `meta_…`.
  ///
  /// - Returns: The findings; empty if the tables are as this version of the program writes them.
  public func wrongDerivedRows() throws(RunFailure) -> [String] {
    let described = try WarehouseLayout.descriptions()
    let wrong = try read { db in
      var wrong = [("dim_date", try Self.wrongDates(on: db))]
      for figure in FigureDefinition.all where FigureDefinition.figures.contains(figure.name) {
        wrong.append((figure.name, try Self.wrongRows(of: figure, on: db)))
      }
      for table in Set(described.map(\.table)).sorted() {
        let own = Set(described.filter { $0.table == table }.map(\.json))
        let rows = Set(try WarehouseLayout.descriptions(in: table, on: db))
        wrong.append((table, max(own.subtracting(rows).count, rows.subtracting(own).count)))
      }
      return wrong
    }
    return wrong.filter { $0.1 > 0 }.map { table, rows in
      "\(path): rows of \(table) that are wrong or missing: \(rows)"
    }
  }

  /// The number of rows of a figure that its definition does not have, or lacks.
  private static func wrongRows(of figure: FigureDefinition, on db: Database) throws -> Int {
    try Int.fetchOne(
      db,
      sql: """
        WITH defined AS (
        \(figure.query)
        )
        SELECT MAX(
          (SELECT count(*) FROM (SELECT * FROM \(figure.name) EXCEPT SELECT * FROM defined)),
          (SELECT count(*) FROM (SELECT * FROM defined EXCEPT SELECT * FROM \(figure.name))))
        """) ?? 0
  }

  /// The number of days that are missing between the first and the last, or have another month or
  /// week than the calendar.
  private static func wrongDates(on db: Database) throws -> Int {
    let rows = try StoredRow.fetchAll(
      db, sql: "SELECT date_day, month, iso_week FROM dim_date ORDER BY date_day")
    var wrong = 0
    var expected: Int64?
    for row in rows {
      let text: String = row[0]
      guard let day = CivilDay(text: text) else {
        wrong += 1
        continue
      }
      let (own, month, week): (_, String, String) = (DateRows.row(of: day), row[1], row[2])
      let isNext = expected.map { $0 == day.daysSinceEpoch } ?? true
      if !isNext || month != own.month || week != own.week { wrong += 1 }
      expected = day.daysSinceEpoch + 1
    }
    return wrong
  }
}
