internal import Amounts
package import AppleReports
internal import CivilTime
internal import PurchaseModel
package import SQLiteFiles

/// A line of Apple's reports as a row of `apple_report_line`; both databases have this table.
package enum ReportLineRow {
  /// Binds the twenty-three columns of a line; both databases have them in the same order.
  package static func bind(_ line: AppleReportLine, ofFile id: Int64, to insert: RawStatement) {
    insert.bind(id, at: 1)
    insert.bind(Int64(line.line), at: 2)
    insert.bind(line.report.rawValue, at: 3)
    insert.bind(line.day.text, at: 4)
    insert.bind(line.productID, at: 5)
    insert.bind(line.appleID, at: 6)
    insert.bind(line.storefront.code, at: 7)
    insert.bind(line.currency?.code, at: 8)
    insert.bind(line.units, at: 9)
    insert.bind(line.unitPrice?.rawValue, at: 10)
    insert.bind(line.amount.rawValue, at: 11)
    insert.bind(line.offer.text, at: 12)
    insert.bind(line.isRenewal.map { $0 ? 1 : 0 as Int64 }, at: 13)
    insert.bind(line.isRefund ? 1 : 0 as Int64, at: 14)
    insert.bind(line.isPreserved.map { $0 ? 1 : 0 as Int64 }, at: 15)
    insert.bind(line.purchaseDay?.text, at: 16)
    insert.bind(line.subscriber, at: 17)
    insert.bind(line.app, at: 18)
    insert.bind(line.proceeds?.rawValue, at: 19)
    insert.bind(line.proceedsCurrency?.code, at: 20)
    insert.bind(line.event, at: 21)
    insert.bind(line.settledOn?.text, at: 22)
    insert.bind(line.isSettledLater.map { $0 ? 1 : 0 as Int64 }, at: 23)
  }

  /// The columns that ``line(_:)`` reads, in order.
  package static let columns = """
    line, report, event_date, product_id, apple_id, storefront, currency, units, unit_price_milli,
    amount_milli, offer, is_renewal, is_refund, is_preserved, purchase_date, subscriber, app,
    proceeds_milli, proceeds_currency, event, settled_date, is_carried_over
    """

  /// Reads a line from a row that begins with a file number.
  ///
  /// `nil` for a row that no version of this program has written.
  package static func line(_ row: RawStatement) -> AppleReportLine? {
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
}
