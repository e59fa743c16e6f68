internal import PurchaseModel

/// The byte order of Apple's ids as texts, which is the order of TEXT keys: "10" before "9".
struct TextOrder: Comparable {
  private var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
  private var length = 0
  private var tail: Symbol?  // of texts longer than the words

  /// The order key of an id; the symbols must be sorted.
  init(_ number: AppleNumber, in symbols: SymbolTable) {
    if let symbol = number.symbol {
      for byte in symbols.utf8(symbol) { append(byte) }
      if length > 24 { tail = symbol }
      return
    }
    var divisor: UInt64 = 1
    while number.rawValue / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number.rawValue / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func append(_ byte: UInt8) {
    let shifted = UInt64(byte) << UInt64(56 - 8 * (length % 8))
    switch length / 8 {
    case 0: words.0 |= shifted
    case 1: words.1 |= shifted
    case 2: words.2 |= shifted
    default: break
    }
    length += 1
  }

  static func == (left: TextOrder, right: TextOrder) -> Bool {
    left.words == right.words && left.tail == right.tail
  }

  /// No id holds a byte below 0x20, so that a text sorts right after its own prefix.
  static func < (left: TextOrder, right: TextOrder) -> Bool {
    if left.words != right.words { return left.words < right.words }
    guard let leftTail = left.tail else { return right.tail != nil }
    guard let rightTail = right.tail else { return false }
    return leftTail < rightTail
  }
}
