internal import SQLiteFiles
internal import SharedTables
internal import AppleReports
internal import CivilTime
internal import Diagnostics
internal import GRDB
internal import Reconciling

/// Writes the tables about Apple's reports.
///
/// They are `audit_apple_report`, `apple_report_line` and `audit_reconciliation`.
enum AppleReportTables {
  /// Writes the tables, after the facts are written.
  ///
  /// If `keepsLines` is true, published lines of files in use are not written again. But if an
  /// Apple ID now belongs to another product, all lines are written again.
  ///
  /// - Parameters:
  ///   - reports: Apple's reports; `nil` if there are none.
  static func write(
    _ reports: AppleReportSource?, keepsLines: Bool, run: Int64, on db: Database
  ) throws {
    let files = Set(reports?.files.map(\.fileID) ?? [])
    let kept =
      try reports.map { keepsLines ? try published($0.appleReports.numbers, on: db) : [] }?
      .intersection(files) ?? []
    for table in ["audit_apple_report", "audit_reconciliation"] {
      try db.execute(sql: "DELETE FROM \(table)")
    }
    try removeLines(except: kept, on: db)
    guard let reports else { return }
    try write(reports.files, on: db)
    try writeLines(of: files.subtracting(kept), reports, on: db)
    var appleReports = reports.appleReports
    appleReports.addProducts(try PublishedAppleReports.products(db).union(reports.catalogue))
    let result = reconcile(try PublishedEntries.read(db, near: appleReports), with: appleReports)
    try write(result, on: db)
    try reports.evaluateGates(result).map { RunGate(runID: run, outcome: $0) }
      .write(to: "audit_gate", on: db)
  }

  /// The ids of the files whose lines are in the warehouse.
  ///
  /// Empty if the Apple ID of any published line now belongs to another product.
  private static func published(_ numbers: ProductNumbers, on db: Database) throws -> Set<Int64> {
    let rows = try RawStatement(
      "read the products of the lines of Apple's reports",
      """
      SELECT DISTINCT apple_id, product_id FROM apple_report_line
      WHERE report <> 'sales' AND report <> 'finance_detail'
      """, on: db)
    while try rows.next() {
      let product = rows.optionalText(0).flatMap(numbers.productID)
      guard product == rows.optionalText(1) else {
        rows.reset()
        return []
      }
    }
    let files = try RawStatement(
      "read files with lines", "SELECT source_file_id FROM audit_apple_report", on: db)
    var found: Set<Int64> = []
    while try files.next() { found.insert(files.int64(0)) }
    return found
  }

  private static func removeLines(except kept: Set<Int64>, on db: Database) throws {
    guard !kept.isEmpty else { return try db.execute(sql: "DELETE FROM apple_report_line") }
    let rows = try RawStatement(
      "read files of lines", "SELECT DISTINCT source_file_id FROM apple_report_line", on: db)
    var others: [Int64] = []
    while try rows.next() { if !kept.contains(rows.int64(0)) { others.append(rows.int64(0)) } }
    for file in others {
      try db.execute(
        sql: "DELETE FROM apple_report_line WHERE source_file_id = ?", arguments: [file])
    }
  }

  private static func writeLines(
    of files: Set<Int64>, _ reports: AppleReportSource, on db: Database
  ) throws {
    let insert = try RawStatement(
      "apple_report_line",
      """
      INSERT INTO apple_report_line
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
        ?19, ?20, ?21, ?22, ?23)
      """, on: db)
    let numbers = reports.appleReports.numbers
    try reports.forEachLine(files) { file, line in
      var line = line
      line.productID = line.productID ?? line.appleID.flatMap(numbers.productID)
      line.subscriber = try line.subscriber.map { id throws(RunFailure) in
        try warehouseKey(ofCustomer: id, key: reports.customerKey)
      }
      var row = BoundRow(insert)
      AppleReportRows.add(line, of: file, to: &row)
      try insert.run()
    }
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
        AppleReportRows.add(sum, cell, cause, to: &row)
        try insert.run()
      }
    }
  }
}
