public import Amounts
public import CivilTime
public import PurchaseModel

/// Writes all fields of a row one after another, or reads them.
///
/// A row lists its fields once, in a function `coded(by:)`, so that no writer and no reader has a
/// list of its own.
public protocol FieldCoder {
  /// The failure of reading a field; `Never` for a coder that writes.
  associatedtype Failure: Error

  /// Writes a text, or replaces it by the text that was read; `nil` for an empty field.
  mutating func code(_ name: String, _ text: inout String?) throws(Failure)

  /// Writes a number, or replaces it by the number that was read; `nil` for an empty field.
  mutating func code(_ name: String, _ number: inout Int64?) throws(Failure)

  /// The failure for a field without a value of the expected kind.
  func failure(_ expected: String) -> Failure
}

extension FieldCoder {
  /// Codes a text that must not be missing.
  public mutating func code(_ name: String, _ text: inout String) throws(Failure) {
    text = try coded(name, text, "a text") { $0 } as: { $0 }
  }

  /// Codes a number that must not be missing.
  public mutating func code(_ name: String, _ number: inout Int64) throws(Failure) {
    var value: Int64? = number
    try code(name, &value)
    guard let value else { throw failure("a whole number") }
    number = value
  }

  /// Codes an amount; `nil` if unknown.
  public mutating func code(_ name: String, _ amount: inout Milliunits?) throws(Failure) {
    var value = amount?.rawValue
    try code(name, &value)
    amount = value.map(Milliunits.init)
  }

  /// Codes an amount that must not be missing.
  public mutating func code(_ name: String, _ amount: inout Milliunits) throws(Failure) {
    var value = amount.rawValue
    try code(name, &value)
    amount = Milliunits(value)
  }

  /// Codes a Boolean value as 1 or 0; `nil` if unknown.
  public mutating func code(_ name: String, _ flag: inout Bool?) throws(Failure) {
    var value: Int64? = flag.map { $0 ? 1 : 0 }
    try code(name, &value)
    flag = value.map { $0 == 1 }
  }

  /// Codes a Boolean value that must not be missing.
  public mutating func code(_ name: String, _ flag: inout Bool) throws(Failure) {
    var value: Int64 = flag ? 1 : 0
    try code(name, &value)
    flag = value == 1
  }

  /// Codes a day as a text such as `2024-05-01`; `nil` if unknown.
  public mutating func code(_ name: String, _ day: inout CivilDay?) throws(Failure) {
    day = try coded(name, orNil: day, "a day") { $0.text } as: { CivilDay(text: $0) }
  }

  /// Codes a day that must not be missing.
  public mutating func code(_ name: String, _ day: inout CivilDay) throws(Failure) {
    day = try coded(name, day, "a day") { $0.text } as: { CivilDay(text: $0) }
  }

  /// Codes a storefront; `nil` if unknown.
  public mutating func code(_ name: String, _ storefront: inout Storefront?) throws(Failure) {
    storefront = try coded(name, orNil: storefront, "a storefront") { $0.code } as: {
      Storefront($0)
    }
  }

  /// Codes a storefront that must not be missing.
  public mutating func code(_ name: String, _ storefront: inout Storefront) throws(Failure) {
    storefront = try coded(name, storefront, "a storefront") { $0.code } as: { Storefront($0) }
  }

  /// Codes a currency; `nil` if unknown.
  public mutating func code(_ name: String, _ currency: inout Currency?) throws(Failure) {
    currency = try coded(name, orNil: currency, "a currency") { $0.code } as: { Currency($0) }
  }

  /// Codes a currency that must not be missing.
  public mutating func code(_ name: String, _ currency: inout Currency) throws(Failure) {
    currency = try coded(name, currency, "a currency") { $0.code } as: { Currency($0) }
  }

  /// Codes a kind of report.
  public mutating func code(_ name: String, _ report: inout AppleReport) throws(Failure) {
    report = try coded(name, report, "one of Apple's reports") { $0.rawValue } as: {
      AppleReport(rawValue: $0)
    }
  }

  /// Codes an offer.
  public mutating func code(_ name: String, _ offer: inout AppleOffer) throws(Failure) {
    var text = offer.text
    try code(name, &text)
    offer = AppleOffer(text: text)
  }

  private mutating func coded<Value>(
    _ name: String, orNil value: Value?, _ expected: String, _ text: (Value) -> String,
    as read: (String) -> Value?
  ) throws(Failure) -> Value? {
    var written = value.map(text)
    try code(name, &written)
    guard let written else { return nil }
    guard let value = read(written) else { throw failure(expected) }
    return value
  }

  private mutating func coded<Value>(
    _ name: String, _ value: Value, _ expected: String, _ text: (Value) -> String,
    as read: (String) -> Value?
  ) throws(Failure) -> Value {
    guard let value = try coded(name, orNil: value, expected, text, as: read) else {
      throw failure(expected)
    }
    return value
  }
}

extension AppleReportLine {
  /// Reads a line.
  public init<Coder: FieldCoder>(from coder: inout Coder) throws(Coder.Failure) {
    self.init(
      line: 0, report: .sales, day: CivilDay(daysSinceEpoch: 0), storefront: Storefront(rawValue: 0),
      units: 0)
    try coded(by: &coder)
  }

  /// Codes all fields, in the order of the columns of `apple_report_line`.
  public mutating func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    var number = Int64(line)
    try coder.code("source_line", &number)
    line = Int(number)
    try coder.code("report", &report)
    try coder.code("event_date", &day)
    try coder.code("product_id", &productID)
    try coder.code("apple_id", &appleID)
    try coder.code("storefront", &storefront)
    try coder.code("currency", &currency)
    try coder.code("units", &units)
    try coder.code("unit_price_milli", &unitPrice)
    try coder.code("amount_milli", &amount)
    try coder.code("offer", &offer)
    try coder.code("is_renewal", &isRenewal)
    try coder.code("is_refund", &isRefund)
    try coder.code("is_preserved", &isPreserved)
    try coder.code("purchase_date", &purchaseDay)
    try coder.code("subscriber", &subscriber)
    try coder.code("app", &app)
    try coder.code("proceeds_milli", &proceeds)
    try coder.code("proceeds_currency", &proceedsCurrency)
    try coder.code("event", &event)
    try coder.code("settled_date", &settledOn)
    try coder.code("is_carried_over", &isSettledLater)
  }
}
