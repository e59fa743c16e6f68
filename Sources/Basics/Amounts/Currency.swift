/// A currency by its ISO 4217 code, such as `USD`, packed into four bytes.
///
/// Any three capital letters are accepted. Apps report codes that ISO 4217 does not list, such as
/// `BFD`, and the owner must be able to find prices with such a code.
public struct Currency: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The three letters as big-endian bytes, so that numeric order is alphabetic order.
  public let rawValue: UInt32

  /// Rebuilds a currency from a stored ``rawValue``.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Reads three ASCII letters in upper or lower case; `nil` for any other text.
  public init?(_ letters: Span<UInt8>) {
    guard let code = PackedLetters.read(letters, count: 3) else { return nil }
    rawValue = code
  }

  /// Reads three ASCII letters in upper or lower case; `nil` for any other text.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(bytes.span)
  }

  /// The code in capital letters.
  public var code: String { PackedLetters.text(rawValue) }

  /// The number of decimals of amounts in this currency (ISO 4217).
  ///
  /// Examples: 0 for JPY, 2 for USD, 3 for KWD.
  public var decimals: Int {
    switch code {
    case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
      "VUV", "XAF", "XOF", "XPF":
      0
    case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
    default: 2
    }
  }

  /// Orders currencies alphabetically.
  public static func < (left: Currency, right: Currency) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Packs a code of up to four capital letters into one integer.
public enum PackedLetters {
  /// Packs `count` ASCII letters (at most four), converted to capitals; `nil` for any other text.
  public static func read(_ letters: Span<UInt8>, count: Int) -> UInt32? {
    guard letters.count == count, count <= 4 else { return nil }
    var packed: UInt32 = 0
    for index in 0..<count {
      let capital = letters[index] & 0xDF
      guard capital >= 0x41, capital <= 0x5A else { return nil }
      packed = packed << 8 | UInt32(capital)
    }
    return packed
  }

  /// Unpacks the letters from an integer.
  ///
  /// Example: the packed `USD` → "USD".
  public static func text(_ packed: UInt32) -> String {
    var bytes: [UInt8] = []
    for shift in [24, 16, 8, 0] as [UInt32] where packed >> shift & 0xFF != 0 {
      bytes.append(UInt8(packed >> shift & 0xFF))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
