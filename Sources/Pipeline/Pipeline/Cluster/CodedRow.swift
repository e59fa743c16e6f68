internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// A row between two filters, whose fields stand once, in ``coded(by:)``.
protocol CodedRow {
  /// The first word of the row.
  static var tag: String { get }

  /// A row before its fields are read.
  init()

  /// Writes or reads all fields, in their order.
  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure)
}

/// A coder of the fields that only rows between filters have.
protocol RowCoder: FieldCoder {
  /// Codes a key as 16 hexadecimal digits.
  mutating func code(_ name: String, key: inout Int64) throws(Failure)

  /// Codes packed bytes as base64.
  mutating func code(_ name: String, packed: inout [UInt8]) throws(Failure)

  /// Codes the bytes of a text; `nil` for an empty field.
  mutating func code(_ name: String, bytes: inout [UInt8]?) throws(Failure)
}

extension FilterOutput {
  func row(_ row: some CodedRow) throws(RunFailure) {
    try self.row(type(of: row).tag, FilterField.fields(row))
  }
}

extension FilterField {
  static func fields(_ row: some CodedRow) -> [FilterField] {
    var (writer, row) = (FieldWriter(), row)
    row.coded(by: &writer)
    return writer.fields
  }
}

extension FilterRow {
  /// Reads the next fields as a row.
  mutating func read<Row: CodedRow>(_: Row.Type) throws(RunFailure) -> Row {
    var found = Row()
    try found.coded(by: &self)
    return found
  }
}

/// Writes the fields of a row.
struct FieldWriter: RowCoder {
  private(set) var fields: [FilterField] = []

  mutating func code(_: String, _ text: inout String?) { fields.append(.name(text)) }

  mutating func code(_: String, _ number: inout Int64?) { fields.append(.number(number)) }

  mutating func code(_: String, key: inout Int64) { fields.append(.key(key)) }

  mutating func code(_: String, packed: inout [UInt8]) { fields.append(.packed(packed)) }

  mutating func code(_: String, bytes: inout [UInt8]?) { fields.append(.text(bytes)) }

  func failure(_ expected: String) -> Never {
    preconditionFailure("a writer reads nothing: \(expected)")
  }
}

/// Reads the fields of a row, in their order.
extension FilterRow: RowCoder {
  mutating func code(_: String, _ text: inout String?) throws(RunFailure) { text = try name() }

  mutating func code(_: String, _ number: inout Int64?) throws(RunFailure) {
    number = try optionalNumber()
  }

  mutating func code(_: String, key: inout Int64) throws(RunFailure) { key = try self.key() }

  mutating func code(_: String, packed: inout [UInt8]) throws(RunFailure) {
    packed = try self.packed()
  }

  mutating func code(_: String, bytes: inout [UInt8]?) throws(RunFailure) { bytes = try text() }
}

extension RowCoder {
  mutating func code(_ name: String, bytes: inout [UInt8]) throws(Failure) {
    var found: [UInt8]? = bytes
    try code(name, bytes: &found)
    guard let found else { throw failure("a text") }
    bytes = found
  }

  mutating func code<Number: FixedWidthInteger>(_ name: String, number: inout Number?)
    throws(Failure)
  {
    var found = number.map { Int64($0) }
    try code(name, &found)
    number = found.flatMap { Number(exactly: $0) }
    if found != nil, number == nil { throw failure("a \(Number.bitWidth)-bit whole number") }
  }

  mutating func code<Number: FixedWidthInteger>(_ name: String, number: inout Number)
    throws(Failure)
  {
    var found: Number? = number
    try code(name, number: &found)
    guard let found else { throw failure("a whole number") }
    number = found
  }

  /// Codes one of some words.
  mutating func code<Word: RawRepresentable<String>>(_ name: String, word: inout Word)
    throws(Failure)
  {
    var text = word.rawValue
    try code(name, &text)
    guard let found = Word(rawValue: text) else { throw failure("a known word for \(name)") }
    word = found
  }

  mutating func code(_ name: String, _ time: inout Instant?) throws(Failure) {
    var milliseconds = time?.milliseconds
    try code(name, &milliseconds)
    time = milliseconds.map(Instant.init(milliseconds:))
  }

  mutating func code(_ name: String, _ time: inout Instant) throws(Failure) {
    var milliseconds = time.milliseconds
    try code(name, &milliseconds)
    time = Instant(milliseconds: milliseconds)
  }

  mutating func code(_ name: String, _ mode: inout PaymentMode?) throws(Failure) {
    var text = mode?.name
    try code(name, &text)
    mode = PaymentMode.allCases.first { $0.name == text }
    if text != nil, mode == nil { throw failure("the payment mode of an offer") }
  }

  /// Codes a length of time as its count and its unit.
  mutating func code(_ name: String, _ period: inout Period?) throws(Failure) {
    var (count, unit) = (period?.count, period?.unit.rawValue)
    try code(name, number: &count)
    try code("\(name)_unit", number: &unit)
    guard let count, let unit else { return period = nil }
    guard let unit = Period.Unit(rawValue: unit), let found = Period(Int(count), unit) else {
      throw failure("a period")
    }
    period = found
  }

  /// Codes an instalment as the number of payments, and the length of one.
  mutating func code(_ name: String, _ instalment: inout Instalment?) throws(Failure) {
    var (count, length) = (instalment?.count, instalment?.length)
    try code(name, number: &count)
    try code("\(name)_length", &length)
    instalment =
      if let count, let length { Instalment(count: count, length: length) } else { nil }
  }
}

/// A product in a row: its id and its app.
struct ProductFields {
  private var id: [UInt8] = []
  private var app: [UInt8]?

  init() {}

  init(_ product: ProductID, _ symbols: SymbolTable) {
    id = Array(symbols.utf8(product.symbol))
    app = product.app.map { Array(symbols.utf8($0.symbol)) }
  }

  /// The product in the symbols of a table, to which missing texts are added.
  func product(in table: inout SymbolTable) -> ProductID {
    ProductID(table.intern(id.span), of: app.map { BundleID(table.intern($0.span)) })
  }

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("product_id", bytes: &id)
    try coder.code("app", bytes: &app)
  }
}
