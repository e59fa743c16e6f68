package import Amounts
package import CivilTime
package import PurchaseModel

/// Writes all fields of a row one after another, or reads them.
///
/// A row lists its fields once, in a function `coded(by:)`, so that no writer and no reader has a
/// list of its own.
package protocol FieldCoder {
  /// The failure of reading a field; `Never` for a coder that writes.
  associatedtype Failure: Error

  /// Writes a text, or replaces it by the text that was read; `nil` for an empty field.
  mutating func code(_ name: String, _ text: inout String?) throws(Failure)

  /// Writes a number, or replaces it by the number that was read; `nil` for an empty field.
  mutating func code(_ name: String, _ number: inout Int64?) throws(Failure)

  /// The failure for a field without a value of the expected kind.
  func failure(_ expected: String) -> Failure
}

/// A value that is written as a text.
package protocol FieldText {
  /// The kind of value, for messages: `a day`.
  static var expected: String { get }
  var fieldText: String { get }
  init?(fieldText: String)
}

extension String: FieldText {
  package static var expected: String { "a text" }
  package var fieldText: String { self }
  package init(fieldText: String) { self = fieldText }
}

extension CivilDay: FieldText {
  package static var expected: String { "a day" }
  package var fieldText: String { text }
  package init?(fieldText: String) { self.init(text: fieldText) }
}

extension Storefront: FieldText {
  package static var expected: String { "a storefront" }
  package var fieldText: String { code }
  package init?(fieldText: String) { self.init(fieldText) }
}

extension Currency: FieldText {
  package static var expected: String { "a currency" }
  package var fieldText: String { code }
  package init?(fieldText: String) { self.init(fieldText) }
}

extension AppleReport: FieldText {
  package static var expected: String { "one of Apple's reports" }
  package var fieldText: String { rawValue }
  package init?(fieldText: String) { self.init(rawValue: fieldText) }
}

extension FieldCoder {
  package mutating func code<Value: FieldText>(_ name: String, _ value: inout Value?)
    throws(Failure)
  {
    var text = value?.fieldText
    try code(name, &text)
    value = text.flatMap(Value.init(fieldText:))
    if text != nil, value == nil { throw failure(Value.expected) }
  }

  package mutating func code<Value: FieldText>(_ name: String, _ value: inout Value)
    throws(Failure)
  {
    var found: Value? = value
    try code(name, &found)
    guard let found else { throw failure(Value.expected) }
    value = found
  }

  package mutating func code(_ name: String, _ number: inout Int64) throws(Failure) {
    var value: Int64? = number
    try code(name, &value)
    guard let value else { throw failure("a whole number") }
    number = value
  }

  package mutating func code(_ name: String, _ amount: inout Milliunits?) throws(Failure) {
    var value = amount?.rawValue
    try code(name, &value)
    amount = value.map(Milliunits.init)
  }

  package mutating func code(_ name: String, _ amount: inout Milliunits) throws(Failure) {
    var value = amount.rawValue
    try code(name, &value)
    amount = Milliunits(value)
  }

  package mutating func code(_ name: String, _ flag: inout Bool?) throws(Failure) {
    var value: Int64? = flag.map { $0 ? 1 : 0 }
    try code(name, &value)
    flag = value.map { $0 == 1 }
  }

  package mutating func code(_ name: String, _ flag: inout Bool) throws(Failure) {
    var value: Int64 = flag ? 1 : 0
    try code(name, &value)
    flag = value == 1
  }

  package mutating func code(_ name: String, _ offer: inout AppleOffer) throws(Failure) {
    var text = offer.text
    try code(name, &text)
    offer = AppleOffer(text: text)
  }
}

extension AppleReportLine {
  /// Reads a line.
  package init<Coder: FieldCoder>(from coder: inout Coder) throws(Coder.Failure) {
    self.init(
      line: 0, report: .sales, day: CivilDay(daysSinceEpoch: 0),
      storefront: Storefront(rawValue: 0),
      units: 0)
    try coded(by: &coder)
  }

  /// Codes all fields, in the order of the columns of `apple_report_line`.
  package mutating func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
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
