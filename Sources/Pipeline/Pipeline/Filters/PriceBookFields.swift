internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

extension SymbolTable {
  /// Adds all texts of another table.
  ///
  /// - Returns: The symbols in this table, in the order of the other table's symbols.
  mutating func intern(all other: SymbolTable) -> [Symbol] {
    (0..<UInt32(other.count)).map { number in
      let text = Array(other.utf8(Symbol(rawValue: number)))
      return intern(text.span)
    }
  }
}

extension ProductID {
  /// Converts the product's symbols to the symbols of another table.
  func renamed(_ names: [Symbol]) -> ProductID {
    ProductID(
      names[Int(symbol.rawValue)],
      of: app.map { BundleID(names[Int($0.symbol.rawValue)]) })
  }
}

extension FilterField {
  /// An instalment as three fields: the number of payments, and the count and unit of the length.
  static func instalment(_ instalment: Instalment?) -> [FilterField] {
    [
      .number(instalment.map { Int64($0.count) }),
      .number(instalment.map { Int64($0.length.count) }),
      .number(instalment.map { Int64($0.length.unit.rawValue) }),
    ]
  }
}

extension FilterRow {
  /// Reads the next field as a time in milliseconds since 1970; `nil` for null.
  mutating func moment() throws(RunFailure) -> Instant? {
    try optionalNumber().map(Instant.init(milliseconds:))
  }

  /// Reads the next three fields as an instalment; `nil` for nulls.
  mutating func instalment() throws(RunFailure) -> Instalment? {
    let count = try optionalNumber()
    let period = try period()
    guard let count = count.flatMap({ Int32(exactly: $0) }), let period else { return nil }
    return Instalment(count: count, length: period)
  }

  /// Reads the next field as a payment mode; `nil` for null.
  mutating func paymentMode() throws(RunFailure) -> PaymentMode? {
    guard let name = try name() else { return nil }
    guard let mode = PaymentMode.allCases.first(where: { $0.name == name }) else {
      throw failure("the payment mode of an offer")
    }
    return mode
  }

  /// Reads the next two fields, count and unit, as a length of time; `nil` for nulls.
  mutating func period() throws(RunFailure) -> Period? {
    let (count, unit) = (try optionalNumber(), try optionalNumber())
    guard let count, let unit else { return nil }
    guard let unit = UInt8(exactly: unit).flatMap(Period.Unit.init),
      let period = Int(exactly: count).flatMap({ Period($0, unit) })
    else { throw failure("a period") }
    return period
  }
}
