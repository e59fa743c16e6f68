internal import CivilTime
internal import PurchaseModel

/// Writes compact bodies: the binary content of rows in state.db.
///
/// A body consists of whole numbers with seven bits per byte; most numbers are differences.
struct BodyWriter {
  private(set) var bytes: [UInt8] = []
  /// Maps each text of the file to its number in state.db.
  let numbers: SymbolNumbers

  /// Removes the bytes but keeps the capacity.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func append(_ other: BodyWriter) {
    bytes.append(contentsOf: other.bytes)
  }

  @inline(__always)
  mutating func byte(_ value: UInt8) {
    bytes.append(value)
  }

  /// Writes flags, for example which fields follow.
  @inline(__always)
  mutating func flags(_ flags: Flags) { byte(flags.byte) }

  /// Writes a number of at least 0; smaller numbers need fewer bytes.
  @inline(__always)
  mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a count or position.
  @inline(__always)
  mutating func number(_ value: Int) {
    number(UInt64(value))
  }

  /// Writes a signed number; numbers near zero need fewer bytes.
  @inline(__always)
  mutating func signed(_ value: Int64) {
    number(Self.folded(value))
  }

  /// Writes a time as its distance from `base`: whole seconds, then milliseconds if not 0.
  @inline(__always)
  mutating func time(_ time: Instant, after base: Instant) {
    let distance = time.milliseconds &- base.milliseconds
    let rest = distance % 1000
    number(Self.folded(distance / 1000) << 1 | (rest == 0 ? 0 : 1))
    if rest != 0 { signed(rest) }
  }

  /// Writes an id: a number as its distance from `base`, a text as its number in state.db.
  ///
  /// After a number, `base` becomes this number.
  @inline(__always)
  mutating func id(_ id: AppleNumber, after base: inout Int64) {
    if let symbol = id.symbol {
      number(UInt64(numbers.other(symbol)) << 1 | 1)
    } else {
      let value = Int64(id.rawValue)
      number(Self.folded(value - base) << 1)
      base = value
    }
  }

  /// Writes the number in state.db of a text that is not a customer id.
  @inline(__always)
  mutating func symbol(_ symbol: Symbol) {
    number(UInt64(numbers.other(symbol)))
  }

  /// Writes the number of a customer id, combined with a mark; writes 0 for `nil`.
  ///
  /// `mark` is one bit above the 32 bits of the id, or 0 for an id without a mark.
  @inline(__always)
  mutating func customer(_ customer: CustomerID?, mark: UInt64 = 0) {
    number(customer.map { UInt64(numbers.customer($0.symbol)) | mark } ?? 0)
  }

  /// Maps signed numbers near zero to small unsigned numbers: -1 → 1, 1 → 2, -2 → 3.
  @inline(__always)
  static func folded(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value << 1 ^ value >> 63)
  }
}

/// The numbers by which state.db identifies the texts of a file, indexed by symbol.
///
/// The number is 0 for a text that was not looked up.
struct SymbolNumbers: Sendable {
  /// Creates temporary numbers for the texts of a file: the positions of their symbols plus 1.
  ///
  /// They are used until the numbers in state.db are known.
  static func own(_ count: Int) -> SymbolNumbers {
    let numbers = (0..<UInt32(count)).map { $0 + 1 }
    return SymbolNumbers(customers: numbers, others: numbers)
  }

  /// The number of each symbol's text as a customer id.
  var customers: [UInt32]
  /// The number of each symbol's text as any text other than a customer id.
  var others: [UInt32]

  /// The numbers of all symbols that were looked up.
  var all: [UInt32] { (customers + others).filter { $0 != 0 } }

  @inline(__always)
  func customer(_ symbol: Symbol) -> UInt32 {
    let number = customers[Int(symbol.rawValue)]
    precondition(number != 0, "a customer's symbol has no number")
    return number
  }

  /// The number of a text that is not a customer id.
  @inline(__always)
  func other(_ symbol: Symbol) -> UInt32 {
    let number = others[Int(symbol.rawValue)]
    precondition(number != 0, "a symbol has no number")
    return number
  }
}
