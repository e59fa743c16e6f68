internal import CivilTime
internal import PurchaseModel

/// Writes the compact bodies of state.db: whole numbers of seven bits per byte, mostly differences.
struct BodyWriter {
  /// The bytes written.
  private(set) var bytes: [UInt8] = []
  /// The number each symbol of the file has in state.db.
  let numbers: SymbolNumbers

  /// Begins an empty body.
  init(numbers: SymbolNumbers) {
    self.numbers = numbers
  }

  /// Forgets the bytes written and keeps the room.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes the bytes of another writer.
  mutating func append(_ other: BodyWriter) {
    bytes.append(contentsOf: other.bytes)
  }

  /// Writes one byte.
  @inline(__always)
  mutating func byte(_ value: UInt8) {
    bytes.append(value)
  }

  /// Writes a whole number, the smaller the shorter.
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

  /// Writes a number of either sign, the nearer to zero the shorter.
  @inline(__always)
  mutating func signed(_ value: Int64) {
    number(Self.folded(value))
  }

  /// Writes a moment as its distance from another: whole seconds, then milliseconds if there are.
  @inline(__always)
  mutating func time(_ time: Instant, after base: Instant) {
    let distance = time.milliseconds &- base.milliseconds
    let rest = distance % 1000
    number(Self.folded(distance / 1000) << 1 | (rest == 0 ? 0 : 1))
    if rest != 0 { signed(rest) }
  }

  /// Writes an id: a number as its distance from the last one, a text as its symbol.
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

  /// Writes a text other than a customer id.
  @inline(__always)
  mutating func symbol(_ symbol: Symbol) {
    number(UInt64(numbers.other(symbol)))
  }

  /// Writes a customer id, or 0 for none; a mark is a bit above the id's 32.
  @inline(__always)
  mutating func customer(_ customer: CustomerID?, mark: UInt64 = 0) {
    number(customer.map { UInt64(numbers.customer($0.symbol)) | mark } ?? 0)
  }

  /// -1 → 1, 1 → 2, -2 → 3: signs folded into small numbers.
  @inline(__always)
  static func folded(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value << 1 ^ value >> 63)
  }
}

/// The numbers that a file's symbols have in state.db; 0 for those that were not asked for.
struct SymbolNumbers: Sendable {
  /// Numbers that name a file's own symbols, one above each, until state.db's are known.
  static func own(_ count: Int) -> SymbolNumbers {
    let numbers = (0..<UInt32(count)).map { $0 + 1 }
    return SymbolNumbers(customers: numbers, others: numbers)
  }

  /// The number as a customer id, keyed by symbol.
  var customers: [UInt32]
  /// The number as any other text, keyed by symbol.
  var others: [UInt32]

  /// The numbers of all symbols that were requested.
  var all: [UInt32] { (customers + others).filter { $0 != 0 } }

  /// The number of a customer's id.
  @inline(__always)
  func customer(_ symbol: Symbol) -> UInt32 {
    let number = customers[Int(symbol.rawValue)]
    precondition(number != 0, "a customer's symbol was not numbered")
    return number
  }

  /// The number of any other text.
  @inline(__always)
  func other(_ symbol: Symbol) -> UInt32 {
    let number = others[Int(symbol.rawValue)]
    precondition(number != 0, "a symbol was not numbered")
    return number
  }
}
