public import AppleReports
internal import Amounts
internal import CivilTime
internal import PurchaseModel
public import Reconciling

/// Rows about Apple's reports as JSON objects: the output of a process without a warehouse.
public enum BookLines {
  /// A row of `audit_apple_report`; `nil` for a file without a known report and day.
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
    return row.text
  }

  /// A JSON row of `audit_reconciliation`.
  public static func sum(_ sum: BookSum, _ cell: BookCell, _ cause: ReconciliationCause) -> [UInt8]
  {
    var row = JSONRow()
    row.add("month", cell.month)
    row.add("product_id", cell.productID)
    row.add("storefront", cell.storefront?.code ?? "")
    row.add("currency", cell.currency?.code ?? "")
    row.add("cause", cause.rawValue)
    row.add("apple_units", sum.appleUnits)
    row.add("our_units", sum.ourUnits)
    row.add("apple_milli", sum.appleMilli)
    row.add("our_milli", sum.ourMilli)
    return row.text
  }
}
