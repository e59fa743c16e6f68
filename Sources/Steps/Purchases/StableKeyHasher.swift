internal import Crypto
public import PurchaseModel

/// Computes the stable keys of purchases; a rebuilt state.db has the same keys.
///
/// A key has several parts, which are joined by the byte 0x1F. The key consists of the first 8
/// bytes of the SHA-256 of the joined parts, as a big-endian number without the top bit. A hasher
/// reuses its buffer for all keys.
public struct StableKeyHasher {
  private var bytes: [UInt8] = []

  /// Creates a hasher without parts.
  public init() {
    bytes.reserveCapacity(128)
  }

  /// Appends a single ASCII letter.
  public mutating func append(_ letter: Unicode.Scalar) {
    bytes.append(UInt8(ascii: letter))
    bytes.append(Self.separator)
  }

  /// Appends a number in decimal digits.
  public mutating func append(_ number: Int64) {
    bytes.append(decimal: number)
    bytes.append(Self.separator)
  }

  /// Appends the text of a symbol.
  public mutating func append(_ symbol: Symbol, in symbols: SymbolTable) {
    bytes.append(contentsOf: symbols.utf8(symbol))
    bytes.append(Self.separator)
  }

  /// Appends an id in the form that Apple wrote.
  public mutating func append(_ id: AppleNumber, in symbols: SymbolTable) {
    if let symbol = id.symbol {
      append(symbol, in: symbols)
    } else {
      bytes.append(decimal: id.rawValue)
      bytes.append(Self.separator)
    }
  }

  /// Returns the key of the parts that were added since the previous key; never negative.
  public mutating func finish() -> Int64 {
    precondition(!bytes.isEmpty, "no part was added to the key")
    bytes.removeLast()  // the separator after the last part
    var hash = SHA256()
    unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
    let key = unsafe hash.finalize().withUnsafeBytes { digest in
      unsafe UInt64(bigEndian: digest.loadUnaligned(as: UInt64.self))
    }
    bytes.removeAll(keepingCapacity: true)
    return Int64(key & UInt64(Int64.max))
  }

  private static let separator: UInt8 = 0x1F
}
