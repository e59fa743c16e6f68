/// The value of one euro in a currency, exactly as published.
struct ExchangeRate: Hashable {
  /// Billionths of the currency's main unit; positive.
  ///
  /// Example: 1.0956 is 1,095,600,000.
  let rawValue: Int64

  /// The rate of the euro itself.
  static let one = ExchangeRate(rawValue: scale)

  /// The raw value of a rate of 1; rates have nine decimals.
  static let scale: Int64 = 1_000_000_000

  private init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Reads a positive decimal such as `1.0956` or `41813.5`, with at most nine digits before and
  /// nine after the point; `nil` for any other text.
  init?(decimal digits: ArraySlice<UInt8>) {
    var value: Int64 = 0
    var wholeDigits = 0
    var fractionDigits = 0
    var hasPoint = false
    for byte in digits {
      if byte == UInt8(ascii: "."), !hasPoint, wholeDigits > 0 {
        hasPoint = true
        continue
      }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      if hasPoint { fractionDigits += 1 } else { wholeDigits += 1 }
      guard wholeDigits <= 9, fractionDigits <= 9 else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    guard wholeDigits > 0, hasPoint == (fractionDigits > 0), value > 0 else { return nil }
    for _ in fractionDigits..<9 { value *= 10 }
    rawValue = value
  }
}
