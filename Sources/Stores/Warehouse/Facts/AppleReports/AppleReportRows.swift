public import AppleReports
internal import Amounts
internal import CivilTime
internal import PurchaseModel
public import Reconciling
internal import SQLiteFiles

/// Converts the rows about Apple's reports to table columns and to JSON objects.
///
/// JSON objects are the output of a process without a warehouse.
public enum AppleReportRows {
  /// A JSON row of `audit_apple_report`; `nil` if the file's kind of report or its day is unknown.
  public static func report(_ file: AppleReportFile) -> [UInt8]? {
    guard let report = file.report, let day = file.day else { return nil }
    var row = JSONRow()
    row.add("source_file_id", file.fileID)
    row.add("report", report.rawValue)
    row.add("report_date", day.text)
    return row.text
  }

  /// A JSON row of `apple_report_line`.
  public static func line(_ line: AppleReportLine, of file: Int64) -> [UInt8] {
    var row = JSONRow()
    add(line, of: file, to: &row)
    return row.text
  }

  /// Adds the columns of `apple_report_line`, in the order of the table.
  static func add(_ line: AppleReportLine, of file: Int64, to row: inout some ColumnWriter) {
    row.add("source_file_id", file)
    var columns = ColumnCoder(row)
    var line = line
    line.coded(by: &columns)
    row = columns.row
  }

  /// Reads a row of `apple_report_line`.
  ///
  /// `nil` if the report, day or storefront is invalid; no version of this program writes such a
  /// row.
  static func line(_ row: RawStatement) -> AppleReportLine? {
    var columns = ColumnReader(row, after: 0)
    return try? AppleReportLine(from: &columns)
  }

  /// A JSON row of `audit_reconciliation`.
  public static func sum(
    _ sum: ReconciliationSum, _ cell: ReconciliationCell, _ cause: ReconciliationCause
  ) -> [UInt8] {
    var row = JSONRow()
    add(sum, cell, cause, to: &row)
    return row.text
  }

  /// Adds the columns of `audit_reconciliation`, in the order of the table.
  static func add(
    _ sum: ReconciliationSum, _ cell: ReconciliationCell, _ cause: ReconciliationCause,
    to row: inout some ColumnWriter
  ) {
    row.add("month", cell.month)
    row.add("product_id", cell.productID)
    row.add("storefront", cell.storefront?.code ?? "")
    row.add("currency", cell.currency?.code ?? "")
    row.add("cause", cause.rawValue)
    row.add("apple_units", sum.appleUnits)
    row.add("our_units", sum.ourUnits)
    row.add("apple_milli", sum.appleMilli)
    row.add("our_milli", sum.ourMilli)
  }
}
