internal import AppleReports
internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import Reconciling

/// Converts a line of Apple's reports to fields of a row, and back.
///
/// The fields are in the order of the columns of the table `apple_report_line`.
enum AppleLineFields {
  static func fields(_ line: AppleReportLine) -> [FilterField] {
    [
      .number(Int64(line.line)), .word(line.report.rawValue), .word(line.day.text),
      .name(line.productID), .name(line.appleID), .word(line.storefront.code),
      .name(line.currency?.code), .number(line.units), .number(line.unitPrice?.rawValue),
      .number(line.amount.rawValue), .name(line.offer.text),
      .number(line.isRenewal.map { $0 ? 1 : 0 }), .flag(line.isRefund),
      .number(line.isPreserved.map { $0 ? 1 : 0 }), .name(line.purchaseDay?.text),
      .name(line.subscriber), .name(line.app), .number(line.proceeds?.rawValue),
      .name(line.proceedsCurrency?.code), .name(line.event), .name(line.settledOn?.text),
      .number(line.isSettledLater.map { $0 ? 1 : 0 }),
    ]
  }

  /// Reads the next fields of a row as a line of Apple's reports.
  static func read(_ row: inout FilterRow) throws(RunFailure) -> AppleReportLine {
    let number = Int(try row.number())
    guard let report = AppleReport(rawValue: try row.word()) else {
      throw row.failure("one of Apple's reports")
    }
    let day = try row.day()
    let (product, appleID) = (try row.name(), try row.name())
    guard let storefront = try row.storefront() else { throw row.failure("a storefront") }
    let currency = try row.currency()
    let (units, price) = (try row.number(), try row.optionalNumber())
    let amount = Milliunits(try row.number())
    let offer = AppleOffer(text: try row.name())
    let isRenewal = try row.optionalNumber().map { $0 == 1 }
    var line = AppleReportLine(
      line: number, report: report, day: day, storefront: storefront, units: units,
      amount: amount, isRefund: try row.flag())
    (line.productID, line.appleID, line.currency) = (product, appleID, currency)
    (line.unitPrice, line.offer, line.isRenewal) = (price.map(Milliunits.init), offer, isRenewal)
    line.isPreserved = try row.optionalNumber().map { $0 == 1 }
    line.purchaseDay = try row.optionalDay()
    line.subscriber = try row.name()
    line.app = try row.name()
    line.proceeds = try row.optionalNumber().map(Milliunits.init)
    line.proceedsCurrency = try row.currency()
    line.event = try row.name()
    line.settledOn = try row.optionalDay()
    line.isSettledLater = try row.optionalNumber().map { $0 == 1 }
    return line
  }
}

/// Converts a charge or refund of the facts to fields of a row `entry`, and back.
///
/// The first field is the product, because Apple's reports are compared by product.
enum EntryFields {
  static func fields(_ entry: ReconciliationEntry) -> [FilterField] {
    [
      .name(entry.productID), .number(entry.purchaseKey), .flag(entry.isRefund),
      .word(entry.day.text), .word(entry.purchaseDay.text), .flag(entry.isSubscription),
      .name(entry.storefront?.code), .name(entry.currency?.code), .name(entry.offer.text),
      .number(entry.quantity), .number(entry.amount?.rawValue), .name(entry.run),
      .name(entry.lateUntil?.text), .flag(entry.isStorefrontInferred),
    ]
  }

  /// Reads a charge or refund from a row `entry`.
  static func read(_ row: inout FilterRow) throws(RunFailure) -> ReconciliationEntry {
    let product = String(decoding: try row.requiredText(), as: UTF8.self)
    let (key, isRefund) = (try row.number(), try row.flag())
    let (day, purchaseDay) = (try row.day(), try row.day())
    let isSubscription = try row.flag()
    let (storefront, currency) = (try row.storefront(), try row.currency())
    let offer = AppleOffer(text: try row.name())
    var entry = ReconciliationEntry(
      purchaseKey: key, day: day, productID: product, storefront: storefront, currency: currency,
      amount: nil)
    (entry.purchaseDay, entry.isSubscription) = (purchaseDay, isSubscription)
    (entry.isRefund, entry.offer) = (isRefund, offer)
    entry.quantity = try row.number()
    entry.amount = try row.optionalNumber().map(Milliunits.init)
    entry.run = try row.name() ?? ""
    entry.lateUntil = try row.optionalDay()
    entry.isStorefrontInferred = try row.flag()
    return entry
  }
}

/// Converts the sums of a comparison with Apple's reports to fields of rows `compared`, and back.
enum ComparedFields {
  /// Returns the fields of one row: the part of a difference from Apple's reports that has one
  /// cause.
  ///
  /// The row has a month, product, storefront and currency, the cause, and the units and amounts of
  /// this part, both in Apple's reports and in the facts.
  static func fields(
    _ cell: ReconciliationCell, _ cause: ReconciliationCause, _ sum: ReconciliationSum
  )
    -> [FilterField]
  {
    [
      .word(cell.month), .name(cell.productID), .name(cell.storefront?.code),
      .name(cell.currency?.code), .word(cause.rawValue), .number(sum.appleUnits),
      .number(sum.ourUnits), .number(sum.appleMilli), .number(sum.ourMilli),
    ]
  }

  /// Adds the sum in a row `compared` to a comparison.
  static func read(_ row: inout FilterRow, into result: inout Reconciliation) throws(RunFailure) {
    let (month, product) = (try row.word(), try row.requiredText())
    let cell = ReconciliationCell(
      month: month, productID: String(decoding: product, as: UTF8.self),
      storefront: try row.storefront(), currency: try row.currency())
    guard let cause = ReconciliationCause(rawValue: try row.word()) else {
      throw row.failure("a known cause of a difference")
    }
    var sum = ReconciliationSum()
    (sum.appleUnits, sum.ourUnits) = (try row.number(), try row.number())
    (sum.appleMilli, sum.ourMilli) = (try row.number(), try row.number())
    result.add(sum, to: cell, cause: cause)
  }
}

extension FilterField {
  /// Creates the field for a text; null for `nil`.
  static func name(_ text: String?) -> FilterField { .text(text.map { Array($0.utf8) }) }
}

extension FilterRow {
  /// Reads the next field as a string; `nil` for null.
  mutating func name() throws(RunFailure) -> String? {
    try text().map { String(decoding: $0, as: UTF8.self) }
  }

  /// Reads the next field as a day; `nil` for null.
  mutating func optionalDay() throws(RunFailure) -> CivilDay? {
    guard let written = try name() else { return nil }
    guard let day = CivilDay(text: written) else { throw failure("a day") }
    return day
  }

  /// Reads the next field as a day; null is an error.
  mutating func day() throws(RunFailure) -> CivilDay {
    guard let day = try optionalDay() else { throw failure("a day") }
    return day
  }

  /// Reads the next field as a storefront; `nil` for null.
  mutating func storefront() throws(RunFailure) -> Storefront? {
    guard let written = try name() else { return nil }
    guard let storefront = Storefront(written) else { throw failure("a storefront") }
    return storefront
  }

  /// Reads the next field as a currency; `nil` for null.
  mutating func currency() throws(RunFailure) -> Currency? {
    guard let written = try name() else { return nil }
    guard let currency = Currency(written) else { throw failure("a currency") }
    return currency
  }
}
