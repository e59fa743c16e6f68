internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// Reads a body, the bytes that ``BodyWriter`` wrote.
///
/// A damaged body may end too early, refer to a missing text, or have an impossible number. Then
/// `isDamaged` becomes true, and all further reads return empty values. The caller checks
/// `isDamaged` after the last read.
@safe
struct BodyReader {
  private var next: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  /// Whether a read has found damaged bytes, such as a body that ends too early.
  private(set) var isDamaged = false

  /// Starts at the first byte; `nil` for a buffer without an address, such as an empty blob.
  ///
  /// The bytes must outlive the reader.
  @unsafe
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return nil }
    unsafe next = start
    unsafe end = start + bytes.count
  }

  var isAtEnd: Bool { unsafe next == end }

  var remaining: Int { unsafe end - next }

  /// Marks the body as damaged, and skips its remaining bytes.
  mutating func giveUp() {
    isDamaged = true
    unsafe next = end
  }

  /// Reads one byte; at the end of the bytes, marks the body as damaged and returns 0.
  @inline(__always)
  mutating func byte() -> UInt8 {
    guard unsafe next < end else {
      isDamaged = true
      return 0
    }
    defer { unsafe next += 1 }
    return unsafe next.pointee
  }

  /// Reads the flags that state which fields follow.
  @inline(__always)
  mutating func flags() -> Flags { Flags(byte: byte()) }

  @inline(__always)
  mutating func number() -> UInt64 {
    let first = byte()
    guard first >= 0x80 else { return UInt64(first) }
    return rest(after: UInt64(first & 0x7F))
  }

  private mutating func rest(after low: UInt64) -> UInt64 {
    var value = low
    var shift: UInt64 = 7
    while shift < 64 {
      let next = byte()
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return value }
      shift += 7
    }
    giveUp()
    return 0
  }

  /// Reads a count or position; a number at or above the limit means damaged data.
  @inline(__always)
  mutating func number(below limit: Int) -> Int {
    let value = number()
    guard value < UInt64(limit) else {
      giveUp()
      return 0
    }
    return Int(value)
  }

  /// Reads the number of items that follow.
  ///
  /// An item has at least one byte, so a number above the remaining bytes means damaged data.
  @inline(__always)
  mutating func count() -> Int {
    number(below: (unsafe end - next) + 1)
  }

  @inline(__always)
  mutating func signed() -> Int64 {
    Self.unfolded(number())
  }

  /// Reads a signed number of at most 32 bits; a larger number means damaged data.
  @inline(__always)
  mutating func signed32() -> Int32 {
    guard let value = Int32(exactly: signed()) else {
      giveUp()
      return 0
    }
    return value
  }

  /// Reads a number from 1 to a limit; any other number means damaged data.
  @inline(__always)
  mutating func count(upTo limit: Int32) -> Int32 {
    let value = signed32()
    guard value >= 1, value <= limit else {
      giveUp()
      return 1
    }
    return value
  }

  /// Returns the sum of a position and a distance that was read.
  ///
  /// A sum that is negative or has more than 31 bits means damaged data.
  @inline(__always)
  mutating func position(_ distance: Int64, after base: Int64) -> Int64 {
    let (sum, isBeyond) = base.addingReportingOverflow(distance)
    guard !isBeyond, sum >= 0, sum <= Int64(Int32.max) else {
      giveUp()
      return 0
    }
    return sum
  }

  /// Reads a code of letters: a currency or a storefront.
  @inline(__always)
  mutating func code() -> UInt32 { UInt32(number(below: 1 << 32)) }

  /// Reads a price; a price outside the allowed range means damaged data.
  @inline(__always)
  mutating func price() -> Milliunits {
    let price = Milliunits(signed())
    guard price >= .zero, price <= .largestPrice else {
      giveUp()
      return .zero
    }
    return price
  }

  /// Reads a time, which is stored as its distance from `base`.
  @inline(__always)
  mutating func time(after base: Instant) -> Instant {
    let tagged = number()
    let (seconds, isLong) = Self.unfolded(tagged >> 1).multipliedReportingOverflow(by: 1000)
    let (distance, isLonger) = seconds.addingReportingOverflow(tagged & 1 == 1 ? signed() : 0)
    let (milliseconds, isBeyond) = base.milliseconds.addingReportingOverflow(distance)
    let time = Instant(milliseconds: milliseconds)
    guard !isLong, !isLonger, !isBeyond, time.isWritable else {
      giveUp()
      return .epoch
    }
    return time
  }

  /// Reads an id of Apple's, which is a number or a text.
  ///
  /// A number is stored as its distance from `base`; then `base` becomes this number.
  @inline(__always)
  mutating func id(after base: inout Int64, in symbols: StoredSymbols) -> AppleNumber {
    let tagged = number()
    if tagged & 1 == 1 {
      return AppleNumber(rawValue: 1 << 63 | UInt64(known(tagged >> 1, in: symbols).rawValue))
    }
    base &+= Self.unfolded(tagged >> 1)
    guard base >= 0 else {
      giveUp()
      base = 0
      return AppleNumber(rawValue: 0)
    }
    return AppleNumber(rawValue: UInt64(bitPattern: base))
  }

  @inline(__always)
  mutating func symbol(in symbols: StoredSymbols) -> Symbol {
    known(number(), in: symbols)
  }

  @inline(__always)
  mutating func customer(in symbols: StoredSymbols) -> CustomerID? {
    let number = number()
    return number == 0 ? nil : CustomerID(known(number, in: symbols))
  }

  /// Reads an optional customer id with a mark: one bit above the 32 bits of the id.
  mutating func customer(in symbols: StoredSymbols, mark: UInt64) -> (CustomerID?, isMarked: Bool) {
    let number = number()
    guard number != 0 else { return (nil, false) }
    return (CustomerID(known(number & ~mark, in: symbols)), number & mark != 0)
  }

  @inline(__always)
  private mutating func known(_ number: UInt64, in symbols: StoredSymbols) -> Symbol {
    guard let symbol = symbols[number] else {
      giveUp()
      return Symbol(rawValue: 0)
    }
    return symbol
  }

  @inline(__always)
  static func unfolded(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}

/// The ``Symbol`` of each text in state.db, indexed by the text's number in state.db.
struct StoredSymbols: Sendable {
  private var symbols: [UInt32] = []

  /// The symbol of the text with a number; `nil` if state.db has no such text.
  @inline(__always)
  subscript(number: UInt64) -> Symbol? {
    guard number < UInt64(symbols.count) else { return nil }
    let symbol = symbols[Int(number)]
    return symbol == .max ? nil : Symbol(rawValue: symbol)
  }

  /// The number in state.db of each symbol's text; 0 for a text that is not in state.db.
  func numbers(count: Int) -> [UInt32] {
    var numbers = [UInt32](repeating: 0, count: count)
    for (number, symbol) in symbols.enumerated() where symbol != .max {
      numbers[Int(symbol)] = UInt32(number)
    }
    return numbers
  }

  /// Sets the symbol that belongs to a number in state.db.
  mutating func set(_ number: Int, to symbol: Symbol) {
    while symbols.count <= number { symbols.append(.max) }
    symbols[number] = symbol.rawValue
  }
}
