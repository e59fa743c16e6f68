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
    row.add("source_line", Int64(line.line))
    row.add("report", line.report.rawValue)
    row.add("event_date", line.day.text)
    row.add("product_id", line.productID)
    row.add("apple_id", line.appleID)
    row.add("storefront", line.storefront.code)
    row.add("currency", line.currency?.code)
    row.add("units", line.units)
    row.add("unit_price_milli", line.unitPrice?.rawValue)
    row.add("amount_milli", line.amount.rawValue)
    row.add("offer", line.offer.text)
    row.add("is_renewal", line.isRenewal.map { $0 ? 1 : 0 })
    row.add("is_refund", line.isRefund ? 1 : 0)
    row.add("is_preserved", line.isPreserved.map { $0 ? 1 : 0 })
    row.add("purchase_date", line.purchaseDay?.text)
    row.add("subscriber", line.subscriber)
    row.add("app", line.app)
    row.add("proceeds_milli", line.proceeds?.rawValue)
    row.add("proceeds_currency", line.proceedsCurrency?.code)
    row.add("event", line.event)
    row.add("settled_date", line.settledOn?.text)
    row.add("is_carried_over", line.isSettledLater.map { $0 ? 1 : 0 })
  }

  /// Reads a row of `apple_report_line`.
  ///
  /// `nil` if the report, day or storefront is invalid; no version of this program writes such a
  /// row.
  static func line(_ row: RawStatement) -> AppleReportLine? {
    guard let report = AppleReport(rawValue: row.text(2)), let day = CivilDay(text: row.text(3)),
      let storefront = Storefront(row.text(6))
    else { return nil }
    var line = AppleReportLine(
      line: Int(row.int64(1)), report: report, day: day, storefront: storefront,
      units: row.int64(8), amount: Milliunits(row.int64(10)), isRefund: row.int64(13) == 1)
    line.productID = row.optionalText(4)
    line.appleID = row.optionalText(5)
    line.currency = row.optionalText(7).flatMap { Currency($0) }
    line.unitPrice = row.optionalInt64(9).map(Milliunits.init)
    line.offer = AppleOffer(text: row.optionalText(11))
    line.isRenewal = row.optionalInt64(12).map { $0 == 1 }
    line.isPreserved = row.optionalInt64(14).map { $0 == 1 }
    line.purchaseDay = row.optionalText(15).flatMap { CivilDay(text: $0) }
    line.subscriber = row.optionalText(16)
    line.app = row.optionalText(17)
    line.proceeds = row.optionalInt64(18).map(Milliunits.init)
    line.proceedsCurrency = row.optionalText(19).flatMap { Currency($0) }
    line.event = row.optionalText(20)
    line.settledOn = row.optionalText(21).flatMap { CivilDay(text: $0) }
    line.isSettledLater = row.optionalInt64(22).map { $0 == 1 }
    return line
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
