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
  private let symbols: StoredSymbols
  /// Whether a read has found damaged bytes, such as a body that ends too early.
  private(set) var isDamaged = false

  /// Starts at the first byte; `nil` for a buffer without an address, such as an empty blob.
  ///
  /// The bytes must outlive the reader.
  @unsafe
  init?(_ bytes: UnsafeBufferPointer<UInt8>, in symbols: StoredSymbols = StoredSymbols()) {
    guard let start = bytes.baseAddress else { return nil }
    self.symbols = symbols
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

  /// Reads a value or a row.
  @inline(__always) mutating func value<Value: BodyValue>() -> Value {
    var value = Value.blank
    value.coded(by: &self)
    return value
  }

  /// Reads one byte; at the end of the bytes, marks the body as damaged and returns 0.
  @inline(__always) mutating func byte() -> UInt8 {
    guard unsafe next < end else {
      isDamaged = true
      return 0
    }
    defer { unsafe next += 1 }
    return unsafe next.pointee
  }

  @inline(__always) mutating func number() -> UInt64 {
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
  @inline(__always) mutating func number(below limit: Int) -> Int {
    let value = number()
    guard value < UInt64(limit) else {
      giveUp()
      return 0
    }
    return Int(value)
  }

  @inline(__always) private mutating func known(_ number: UInt64) -> Symbol {
    known(symbols[number], or: .blank)
  }

  @inline(__always) static func unfolded(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}

extension BodyReader: BodyCoder {
  static var reads: Bool { true }

  @inline(__always)
  mutating func flags(_: Flags) -> Flags { Flags(bits: UInt64(byte())) }

  @inline(__always)
  mutating func longFlags(_: Flags) -> Flags { Flags(bits: number()) }

  @inline(__always) mutating func code(_ byte: inout UInt8) { byte = self.byte() }

  @inline(__always) mutating func code(_ number: inout UInt64) { number = self.number() }

  @inline(__always) mutating func code(_ id: inout AppleNumber, after base: inout Int64) {
    let tagged = number()
    if tagged & 1 == 1 {
      return id = AppleNumber(rawValue: 1 << 63 | UInt64(known(tagged >> 1).rawValue))
    }
    base &+= Self.unfolded(tagged >> 1)
    if base < 0 {
      giveUp()
      base = 0
    }
    id = AppleNumber(rawValue: UInt64(bitPattern: base))
  }

  @inline(__always) mutating func code(_ symbol: inout Symbol?) {
    let number = number()
    symbol = number == 0 ? nil : known(number)
  }

  @inline(__always) mutating func code(_ customer: inout CustomerID?, isMarked: inout Bool) {
    let number = number()
    isMarked = number & BodyWriter.mark != 0
    customer = number == 0 ? nil : CustomerID(known(number & ~BodyWriter.mark))
  }

  /// Reads the number of items that follow.
  ///
  /// An item has at least one byte, so a number above the remaining bytes means damaged data.
  @inline(__always) mutating func count(_: Int = 0) -> Int { number(below: remaining + 1) }
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
