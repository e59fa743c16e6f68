internal import SQLiteFiles
internal import SharedTables
internal import Amounts
internal import AppleReports
internal import CivilTime
internal import Diagnostics
internal import GRDB
internal import PurchaseModel
internal import Reconciling

/// Writes the tables about Apple's reports.
///
/// They are `audit_apple_report`, `apple_report_line` and `audit_reconciliation`.
enum BookRows {
  /// Rewrites the tables, after the facts are written.
  ///
  /// - Parameters:
  ///   - reports: Apple's reports; `nil` if there are none.
  ///   - run: The run that publishes.
  ///   - db: The warehouse, with this run's facts.
  /// - Throws: The error of reading, writing or validation.
  static func write(_ reports: AppleReportSource?, run: Int64, on db: Database) throws {
    for table in ["audit_apple_report", "apple_report_line", "audit_reconciliation"] {
      try db.execute(sql: "DELETE FROM \(table)")
    }
    guard let reports else { return }
    try write(reports.files, on: db)
    var books = reports.emptyBooks
    books.addProducts(try PublishedBooks.products(db).union(reports.catalogue))
    let days = reports.days
    let insert = try RawStatement(
      "apple_report_line",
      """
      INSERT INTO apple_report_line
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
        ?19, ?20, ?21, ?22, ?23)
      """, on: db)
    try reports.forEachLine { file, line in
      var line = line
      line.productID = line.productID ?? line.appleID.flatMap(reports.numbers.productID)
      books.add(line, reportDay: days[file])
      line.subscriber = try line.subscriber.map { id throws(RunFailure) in
        try warehouseKey(ofCustomer: id, key: reports.customerKey)
      }
      var row = BoundRow(insert)
      BookLines.add(line, of: file, to: &row)
      try insert.run()
    }
    let result = reconcile(try PublishedEntries.read(db, near: books), with: books)
    try write(result, on: db)
    try reports.evaluateGates(result).map { RunGate(runID: run, outcome: $0) }
      .write(to: "audit_gate", on: db)
  }

  private static func write(_ files: [AppleReportFile], on db: Database) throws {
    let insert = try RawStatement(
      "audit_apple_report", "INSERT INTO audit_apple_report VALUES (?1, ?2, ?3)", on: db)
    for file in files {
      guard let report = file.report, let day = file.day else { continue }
      try insert.run(file.fileID, report.rawValue, day.text)
    }
  }

  private static func write(_ result: Reconciliation, on db: Database) throws {
    let insert = try RawStatement(
      "audit_reconciliation",
      "INSERT INTO audit_reconciliation VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)", on: db)
    for (cell, causes) in result.sums.sorted(by: { $0.key < $1.key }) {
      for (cause, sum) in causes.sorted(by: { $0.key < $1.key }) {
        var row = BoundRow(insert)
        BookLines.add(sum, cell, cause, to: &row)
        try insert.run()
      }
    }
  }
}
