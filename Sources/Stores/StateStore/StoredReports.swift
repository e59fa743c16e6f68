internal import SQLiteFiles
internal import SharedTables
public import AppleReports
internal import CivilTime
public import Diagnostics
internal import GRDB
internal import PurchaseModel
internal import Amounts

/// The lines of one of Apple's reports, encoded for state.db.
struct EncodedReport: Sendable {
  var report: AppleReport
  /// The most frequent day of the report's lines; in a tie the earliest.
  ///
  /// `nil` for a report without lines.
  var day: CivilDay?
  var lines: [UInt8]
  /// The numbers of lines with an Apple ID and a product id, in reports that have product ids.
  var named: [Named: Int64] = [:]

  /// An Apple ID and the product id in the same line.
  struct Named: Hashable, Sendable {
    var appleID: String
    var productID: String
  }

  init(_ report: AppleReport, _ lines: [AppleReportLine]) {
    self.report = report
    var counts: [CivilDay: Int] = [:]
    for line in lines { counts[line.day, default: 0] += 1 }
    day = counts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
    self.lines = ReportLinesWriter.bytes(of: lines)
    for line in lines
    where line.report == .sales || line.report == .financial || line.report == .financeDetail {
      guard let appleID = line.appleID, let productID = line.productID else { continue }
      named[Named(appleID: appleID, productID: productID), default: 0] += 1
    }
  }

  static func insert(_ entries: [IngestBatch.Entry], ids: [Int64], on db: Database) throws {
    let insert = try RawStatement(
      "insert report", "INSERT INTO apple_report VALUES (?1, ?2, ?3, ?4, ?5)", on: db)
    let number = try RawStatement(
      "insert Apple ID", "INSERT INTO apple_number VALUES (?1, ?2, ?3, ?4)", on: db)
    for entry in entries.indices.sorted(by: { ids[$0] < ids[$1] }) {
      guard let report = entries[entry].report else { continue }
      insert.bind(ids[entry], at: 1)
      insert.bind(report.report.rawValue, at: 2)
      insert.bind(report.day?.text, at: 3)
      insert.bind(blob: report.lines.span, at: 4)
      insert.bind(RowChecksum(ids[entry]).with(report.lines.span), at: 5)
      try insert.run()
      for (named, lines) in report.named {
        number.bind(ids[entry], at: 1)
        number.bind(named.appleID, at: 2)
        number.bind(named.productID, at: 3)
        number.bind(lines, at: 4)
        try number.run()
      }
    }
  }
}

extension StateDatabase {
  /// Passes every line of Apple's reports in use to `body`, sorted by file number and line.
  ///
  /// Apple may issue the report of a day again under another name. Of files with the same kind of
  /// report, day and app, only the file with the alphabetically last name is used
  /// (``AppleReportFile/counting(_:)``). The day is the day in the file's name, else the most
  /// frequent day of its lines.
  ///
  /// - Parameters:
  ///   - files: The files to read; `nil` for all files in use.
  public func forEachReportLine(
    of files: Set<Int64>? = nil, _ body: (Int64, AppleReportLine) throws -> Void
  ) throws(RunFailure) {
    let path = file.path
    try file.read { db in
      let rows = try Self.reportLines(on: db)
      for report in try Self.reportFiles(on: db, path: path)
      where files?.contains(report.fileID) ?? true {
        try Self.forEachLine(ofFile: report.fileID, rows, path: path) { line in
          try body(report.fileID, line)
        }
      }
    }
  }

  private static func reportLines(on db: Database) throws -> RawStatement {
    try RawStatement(
      "read report lines", "SELECT lines, checksum FROM apple_report WHERE file_id = ?1", on: db)
  }

  /// Passes every line of one report to `body`, in the order of the file.
  private static func forEachLine(
    ofFile id: Int64, _ rows: RawStatement, path: String, _ body: (AppleReportLine) throws -> Void
  ) throws {
    rows.bind(id, at: 1)
    while try rows.next() {
      try unsafe rows.withBytes(0) { bytes in
        guard unsafe RowChecksum(id).with(bytes) == rows.int64(1) else {
          throw RunFailure.damaged("the lines of file \(id)", path: path)
        }
        guard var lines = unsafe ReportLinesReader(bytes) else { return }
        do {
          while let line = try lines.next() { try body(line) }
        } catch is ReportLinesReader.Damage {
          throw RunFailure.damaged("the lines of file \(id)", path: path)
        }
      }
    }
    rows.reset()
  }

  /// The files of Apple's reports in use, each with its id, kind of report and day.
  ///
  /// A file is left out if Apple issued its report again; see ``forEachReportLine(of:_:)``.
  ///
  /// - Returns: The files, sorted by id; `report` is `nil` for a file without a header.
  public func reportFiles() throws(RunFailure) -> [AppleReportFile] {
    let path = file.path
    return try file.read { try Self.reportFiles(on: $0, path: path) }
  }

  /// The product id for each Apple ID (Apple's number of a product), from lines with both ids.
  ///
  /// Only Sales, Financial and Finance Detail reports have product ids.
  ///
  /// - Parameter catalogue: The catalogue's product for each Apple ID; used if no line has the
  ///   Apple ID and a product id.
  public func productNumbers(catalogue: [String: String] = [:]) throws(RunFailure)
    -> ProductNumbers
  {
    try file.read { db in
      let rows = try RawStatement(
        "read Apple IDs",
        """
        SELECT apple_id, product_id, SUM(lines) FROM apple_number JOIN input_file USING (file_id)
        WHERE status = 'used' GROUP BY apple_id, product_id
        """, on: db)
      var numbers = ProductNumbers(catalogue: catalogue)
      // The most frequent product id of an Apple ID is used, so the order of lines is irrelevant.
      while try rows.next() {
        numbers.add(appleID: rows.text(0), productID: rows.text(1), count: Int(rows.int64(2)))
      }
      return numbers
    }
  }

  private static func reportFiles(on db: Database, path: String) throws -> [AppleReportFile] {
    let rows = try RawStatement(
      "read report files",
      """
      SELECT f.file_id, f.export_date, r.day, r.report
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
    let lines = try reportLines(on: db)
    let places = Dictionary(grouping: files.indices) { files[$0].place }
    for (place, several) in places where place != nil && several.count > 1 {
      for index in several {
        try forEachLine(ofFile: files[index].fileID, lines, path: path) { line in
          files[index].apps.insert(line.app ?? line.productID ?? line.appleID ?? "")
        }
      }
    }
    return AppleReportFile.counting(files)
  }
}
