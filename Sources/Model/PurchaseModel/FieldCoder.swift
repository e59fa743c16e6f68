package import Amounts
package import CivilTime

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
  /// Reads the text; `nil` for a text of another form.
  static func value(ofField text: String) -> Self?
}

extension String: FieldText {
  package static var expected: String { "a text" }
  package var fieldText: String { self }
  package static func value(ofField text: String) -> String? { text }
}

extension CivilDay: FieldText {
  package static var expected: String { "a day" }
  package var fieldText: String { text }
  package static func value(ofField text: String) -> CivilDay? { CivilDay(text: text) }
}

extension Storefront: FieldText {
  package static var expected: String { "a storefront" }
  package var fieldText: String { code }
  package static func value(ofField text: String) -> Storefront? { Storefront(text) }
}

extension Currency: FieldText {
  package static var expected: String { "a currency" }
  package var fieldText: String { code }
  package static func value(ofField text: String) -> Currency? { Currency(text) }
}

extension FieldCoder {
  package mutating func code<Value: FieldText>(_ name: String, _ value: inout Value?)
    throws(Failure)
  {
    var text = value?.fieldText
    try code(name, &text)
    value = text.flatMap(Value.value(ofField:))
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
}
