internal import SQLiteFiles
internal import SharedTables
internal import Amounts
internal import AppleReports
internal import CivilTime
internal import GRDB
internal import PurchaseModel
internal import Reconciling

/// `apple_report_line` and `audit_reconciliation`: Apple's books beside the facts.
enum BookRows {
  /// Writes both tables anew, once the facts are written.
  ///
  /// - Parameters:
  ///   - reports: Apple's reports; `nil` if no file was read.
  ///   - run: The run that publishes.
  ///   - db: The warehouse, with this run's facts.
  /// - Throws: The error of reading, of writing or of the judgement.
  static func write(_ reports: AppleReportSource?, run: Int64, on db: Database) throws {
    for table in ["apple_report_line", "audit_reconciliation"] {
      try db.execute(sql: "DELETE FROM \(table)")
    }
    guard let reports else { return }
    var books = reports.emptyBooks
    let insert = try RawStatement(
      "apple_report_line",
      """
      INSERT INTO apple_report_line
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
      """, on: db)
    try reports.forEachLine { file, line in
      var line = line
      line.productID = line.productID ?? line.appleID.flatMap(reports.numbers.productID)
      ReportLineRow.bind(line, ofFile: file, to: insert)
      try insert.run()
      books.add(line)
    }
    let result = reconcile(try PublishedEntries.read(db, near: books), with: books)
    try write(result, on: db)
    try reports.judge(result).map { RunGate(runID: run, outcome: $0) }
      .write(to: "audit_gate", on: db)
  }

  private static func write(_ result: Reconciliation, on db: Database) throws {
    let insert = try RawStatement(
      "audit_reconciliation",
      "INSERT INTO audit_reconciliation VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)", on: db)
    for (cell, causes) in result.sums.sorted(by: { $0.key < $1.key }) {
      for (cause, sum) in causes.sorted(by: { $0.key < $1.key }) {
        insert.bind(cell.month, at: 1)
        insert.bind(cell.productID, at: 2)
        insert.bind(cell.storefront?.code ?? "", at: 3)
        insert.bind(cell.currency?.code ?? "", at: 4)
        insert.bind(cause.rawValue, at: 5)
        insert.bind(sum.appleUnits, at: 6)
        insert.bind(sum.ourUnits, at: 7)
        insert.bind(sum.appleMilli, at: 8)
        insert.bind(sum.ourMilli, at: 9)
        try insert.run()
      }
    }
  }
}
