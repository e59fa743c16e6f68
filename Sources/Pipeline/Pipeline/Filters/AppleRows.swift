internal import AppleReports
internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import Reconciling

/// Writes the fields of a row.
struct FieldWriter: FieldCoder {
  private(set) var fields: [FilterField] = []

  mutating func code(_: String, _ text: inout String?) { fields.append(.name(text)) }

  mutating func code(_: String, _ number: inout Int64?) { fields.append(.number(number)) }

  func failure(_ expected: String) -> Never {
    preconditionFailure("a writer reads nothing: \(expected)")
  }
}

/// Reads the fields of a row, in their order.
extension FilterRow: FieldCoder {
  mutating func code(_: String, _ text: inout String?) throws(RunFailure) { text = try name() }

  mutating func code(_: String, _ number: inout Int64?) throws(RunFailure) {
    number = try optionalNumber()
  }
}

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
