internal import SQLiteFiles
internal import SharedTables
public import AppleReports
internal import CivilTime
public import Diagnostics
internal import GRDB
internal import PurchaseModel
internal import Amounts

/// Lines of Apple's reports in state.db.
enum AppleReportStaging {
  /// Inserts the lines of all files of a batch.
  static func insert(_ entries: [IngestBatch.Entry], ids: [Int64], on db: Database) throws {
    let insert = try RawStatement(
      "insert report line",
      """
      INSERT INTO apple_report_line (file_id, line, report, event_date, product_id, apple_id,
        storefront, currency, units, unit_price_milli, amount_milli, offer, is_renewal, is_refund,
        is_preserved, purchase_date, subscriber, app, proceeds_milli, proceeds_currency, event,
        settled_date, is_carried_over)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
        ?19, ?20, ?21, ?22, ?23)
      """, on: db)
    let name = try RawStatement(
      "insert report", "INSERT INTO apple_report (file_id, report) VALUES (?1, ?2)", on: db)
    for entry in entries.indices.sorted(by: { ids[$0] < ids[$1] })
    where entries[entry].file.refusal == nil && entries[entry].file.otherKind == nil {
      if let report = entries[entry].file.report {
        name.bind(ids[entry], at: 1)
        name.bind(report.rawValue, at: 2)
        try name.run()
      }
      for line in entries[entry].file.reportLines {
        ReportLineRow.bind(line, ofFile: ids[entry], to: insert)
        try insert.run()
      }
    }
  }
}

extension StateDatabase {
  /// Passes every line of the reports that are used to `body`, by file and line.
  ///
  /// Apple may issue a report of a day again under another name. Of several files of one report and
  /// day, the one with the alphabetically last name is used. The day is that of the file's name,
  /// else the commonest of its lines.
  ///
  /// - Parameter body: Takes a file's number and a line.
  /// - Throws: ``RunFailure`` when reading fails or state.db is damaged, or from the body.
  public func forEachReportLine(_ body: (Int64, AppleReportLine) throws -> Void)
    throws(RunFailure)
  {
    let path = file.path
    try file.read { db in
      let rows = try RawStatement(
        "read report lines",
        """
        SELECT file_id, \(ReportLineRow.columns) FROM apple_report_line
        WHERE file_id = ?1 ORDER BY line
        """, on: db)
      for report in try Self.reportFiles(on: db) {
        rows.bind(report.fileID, at: 1)
        while try rows.next() {
          guard let line = ReportLineRow.line(rows) else {
            throw RunFailure.damaged("a line of file \(report.fileID)", path: path)
          }
          try body(report.fileID, line)
        }
        rows.reset()
      }
    }
  }

  /// The files whose lines count, and the day that each is about, by number.
  ///
  /// - Returns: Each file; `report` is `nil` if it has not even a header.
  /// - Throws: ``RunFailure`` when reading fails.
  public func reportFiles() throws(RunFailure) -> [AppleReportFile] {
    try file.read { try Self.reportFiles(on: $0) }
  }

  /// The product of each Apple ID, by the lines that name both.
  ///
  /// - Parameter catalogue: The catalogue's products, for Apple IDs without such a line.
  /// - Returns: The products.
  /// - Throws: ``RunFailure`` when reading fails.
  public func productNumbers(catalogue: [String: String] = [:]) throws(RunFailure)
    -> ProductNumbers
  {
    try file.read { db in
      var numbers = ProductNumbers(catalogue: catalogue)
      let rows = try RawStatement(
        "read product numbers",
        """
        SELECT l.apple_id, l.product_id, count(1) FROM apple_report_line AS l
        JOIN input_file AS f USING (file_id)
        WHERE f.status = 'used' AND l.apple_id IS NOT NULL AND l.product_id IS NOT NULL
        GROUP BY l.apple_id, l.product_id ORDER BY l.apple_id, l.product_id
        """, on: db)
      while try rows.next() {
        numbers.add(
          appleID: rows.text(0), productID: rows.text(1), count: Int(rows.int64(2)))
      }
      return numbers
    }
  }

  private static func reportFiles(on db: Database) throws -> [AppleReportFile] {
    let rows = try RawStatement(
      "read report files",
      """
      SELECT f.file_id, f.export_date,
        (SELECT event_date FROM apple_report_line AS l WHERE l.file_id = f.file_id
         GROUP BY event_date ORDER BY count(1) DESC, event_date LIMIT 1),
        r.report
      FROM input_file AS f LEFT JOIN apple_report AS r USING (file_id)
      WHERE f.kind = 'apple_reports' AND f.status = 'used'
      ORDER BY f.name DESC, f.sha256
      """, on: db)
    var files: [AppleReportFile] = []
    while try rows.next() {
      let day = (rows.optionalText(1) ?? rows.optionalText(2)).flatMap { CivilDay(text: $0) }
      let report = rows.optionalText(3).flatMap(AppleReport.init(rawValue:))
      files.append(AppleReportFile(fileID: rows.int64(0), report: report, day: day))
    }
    let sellers = try RawStatement(
      "read sellers of a report",
      """
      SELECT DISTINCT COALESCE(app, product_id, apple_id, '') FROM apple_report_line
      WHERE file_id = ?1
      """, on: db)
    let places = Dictionary(grouping: files.indices, by: { files[$0].place })
    for (place, several) in places where place != nil && several.count > 1 {
      for index in several {
        sellers.bind(files[index].fileID, at: 1)
        while try sellers.next() { files[index].apps.insert(sellers.text(0)) }
        sellers.reset()
      }
    }
    return AppleReportFile.counting(files)
  }
}
