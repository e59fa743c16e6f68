internal import PurchaseModel

/// Writes compact bodies: the binary content of rows in state.db.
///
/// A body consists of whole numbers with seven bits per byte; most numbers are differences.
struct BodyWriter {
  private var flushed: [UInt8] = []
  /// The last bytes; an array would check at each byte whether somebody else refers to it.
  private var last = InlineArray<512, UInt8>(repeating: 0)
  private var end = 0
  /// Maps each text of the file to its number in state.db.
  let numbers: SymbolNumbers

  /// The bit above the 32 bits of a customer id.
  static let mark: UInt64 = 1 << 32

  init(numbers: SymbolNumbers) { self.numbers = numbers }

  var count: Int { flushed.count + end }

  var bytes: [UInt8] {
    mutating get {
      flush()
      return flushed
    }
  }

  /// Removes the bytes but keeps the capacity.
  mutating func removeAll() {
    flushed.removeAll(keepingCapacity: true)
    end = 0
  }

  mutating func append(_ other: inout BodyWriter) {
    flush()
    other.flush()
    flushed.append(contentsOf: other.flushed)
  }

  @inline(never) private mutating func flush() {
    let part = last  // Both are fields of the writer: one is read while the other changes.
    unsafe part.span.extracting(first: end).withUnsafeBufferPointer {
      unsafe flushed.append(contentsOf: $0)
    }
    end = 0
  }

  /// Writes a value or a row.
  @inline(__always) mutating func write(_ value: some BodyValue) {
    var value = value
    value.coded(by: &self)
  }

  @inline(__always) mutating func byte(_ value: UInt8) { number(UInt64(value), bits: 8) }

  /// Writes a number of at least 0; smaller numbers need fewer bytes.
  @inline(__always) mutating func number(_ value: UInt64) { number(value, bits: 7) }

  @inline(__always) private mutating func number(_ value: UInt64, bits: UInt64) {
    if end > 500 { flush() }
    var rest = value
    while rest >> bits != 0 {
      last[end] = UInt8(truncatingIfNeeded: rest) | 0x80
      end += 1
      rest >>= bits
    }
    last[end] = UInt8(truncatingIfNeeded: rest)
    end += 1
  }

  /// Writes a count or position.
  @inline(__always) mutating func number(_ value: Int) { number(UInt64(value)) }

  /// Maps signed numbers near zero to small unsigned numbers: -1 → 1, 1 → 2, -2 → 3.
  @inline(__always) static func folded(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value << 1 ^ value >> 63)
  }
}

extension BodyWriter: BodyCoder {
  @inline(__always) mutating func flags(_ flags: Flags) -> Flags {
    byte(UInt8(truncatingIfNeeded: flags.bits))
    return flags
  }

  @inline(__always) mutating func longFlags(_ flags: Flags) -> Flags {
    number(flags.bits)
    return flags
  }

  @inline(__always) mutating func code(_ byte: inout UInt8) { self.byte(byte) }

  @inline(__always) mutating func code(_ number: inout UInt64) { self.number(number) }

  @inline(__always) mutating func code(_ id: inout AppleNumber, after base: inout Int64) {
    if let symbol = id.symbol {
      number(UInt64(numbers.other(symbol)) << 1 | 1)
    } else {
      let value = Int64(id.rawValue)
      number(Self.folded(value - base) << 1)
      base = value
    }
  }

  @inline(__always) mutating func code(_ symbol: inout Symbol?) {
    number(symbol.map { UInt64(numbers.other($0)) } ?? 0)
  }

  @inline(__always) mutating func code(_ customer: inout CustomerID?, isMarked: inout Bool) {
    let mark = isMarked ? Self.mark : 0
    number(customer.map { UInt64(numbers.customer($0.symbol)) | mark } ?? 0)
  }

  @inline(__always) mutating func count(_ count: Int) -> Int {
    number(count)
    return count
  }

  static var reads: Bool { false }

  func giveUp() {}
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

  @inline(__always) func customer(_ symbol: Symbol) -> UInt32 {
    let number = customers[Int(symbol.rawValue)]
    precondition(number != 0, "a customer's symbol has no number")
    return number
  }

  /// The number of a text that is not a customer id.
  @inline(__always) func other(_ symbol: Symbol) -> UInt32 {
    let number = others[Int(symbol.rawValue)]
    precondition(number != 0, "a symbol has no number")
    return number
  }
}
