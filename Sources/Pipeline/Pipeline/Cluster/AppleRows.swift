internal import AppleReports
internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import Reconciling

extension FilterField {
  /// The fields of a line of Apple's reports.
  static func fields(_ line: AppleReportLine) -> [FilterField] {
    var (writer, line) = (FieldWriter(), line)
    line.coded(by: &writer)
    return writer.fields
  }

  /// The fields of a charge or refund of the facts, in a row `entry`.
  static func fields(_ entry: ReconciliationEntry) -> [FilterField] {
    var (writer, entry) = (FieldWriter(), entry)
    entry.coded(by: &writer)
    return writer.fields
  }
}

extension ReconciliationEntry {
  /// Reads a charge or refund of the facts.
  init(from row: inout FilterRow) throws(RunFailure) {
    self.init(
      purchaseKey: 0, day: CivilDay(daysSinceEpoch: 0), productID: "", storefront: nil,
      currency: nil, amount: nil)
    try coded(by: &row)
  }

  /// Codes all fields; the first is the product, because Apple's reports are compared by product.
  fileprivate mutating func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("product_id", &productID)
    try coder.code("purchase_key", &purchaseKey)
    try coder.code("is_refund", &isRefund)
    try coder.code("day", &day)
    try coder.code("purchase_date", &purchaseDay)
    try coder.code("is_subscription", &isSubscription)
    try coder.code("storefront", &storefront)
    try coder.code("currency", &currency)
    try coder.code("offer", &offer)
    try coder.code("quantity", &quantity)
    try coder.code("amount_milli", &amount)
    try coder.code("run", &run)
    try coder.code("late_until", &lateUntil)
    try coder.code("charged_by", &chargedBy)
    try coder.code("is_storefront_inferred", &isStorefrontInferred)
  }
}

/// The part of a difference from Apple's reports that has one cause.
struct ComparedRow: CodedRow {
  static let tag = "compared"
  var cell = ReconciliationCell(month: "", productID: "", storefront: nil, currency: nil)
  var cause = ReconciliationCause.unexplained
  var sum = ReconciliationSum()

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("month", &cell.month)
    try coder.code("product_id", &cell.productID)
    try coder.code("storefront", &cell.storefront)
    try coder.code("currency", &cell.currency)
    try coder.code("cause", word: &cause)
    try coder.code("apple_units", &sum.appleUnits)
    try coder.code("units", &sum.ourUnits)
    try coder.code("apple_milli", &sum.appleMilli)
    try coder.code("milli", &sum.ourMilli)
  }
}

/// A day on which two of Apple's reports differ, or on which one is implausible.
struct DoubtedRow: CodedRow {
  static let tag = "doubted"
  var place = ReportCheck.Place(day: CivilDay(daysSinceEpoch: 0), productID: "", storefront: nil)
  /// The units of the sales and of the subscriber report; `nil` if a report is implausible.
  var salesUnits: Int64?
  var subscriberUnits: Int64?

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("day", &place.day)
    try coder.code("product_id", &place.productID)
    try coder.code("storefront", &place.storefront)
    try coder.code("sales_units", &salesUnits)
    try coder.code("subscriber_units", &subscriberUnits)
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
