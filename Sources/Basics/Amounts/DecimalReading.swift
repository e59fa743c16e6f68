extension Milliunits {
  /// Reads a price exactly from decimal digits.
  ///
  /// Example: `9.99` → 9,990 thousandths.
  ///
  /// Accepts JSON's format of numbers without an exponent: `9.99`, `120`, `0.990`. Digits beyond
  /// thousandths must be zeros. With `allowingFloatNoise` they may also be noise: the number must
  /// lie within a millionth of the nearest thousandth. Apps report `4.9900000000000002`, the 64-bit
  /// float nearest to `4.99`, and `99.98999786376953`, the 32-bit float nearest to `99.99`.
  /// Catalogues are written by people and have no such noise.
  ///
  /// - Parameters:
  ///   - limit: The largest number to accept, in the unit of `digits`, such as cents. The default
  ///     is for digits in main units, such as dollars.
  /// - Throws: ``AmountError`` for a text that is not a plain decimal, such as `9,99` or `1e3`.
  ///   Also for a negative number, a number above the limit, and digits beyond thousandths that are
  ///   neither zeros nor noise.
  public init(
    decimal digits: Span<UInt8>, allowingFloatNoise: Bool, atMost limit: Milliunits = .largestPrice
  ) throws(AmountError) {
    var index = 0
    let end = digits.count
    guard end > 0 else { throw .notADecimal }
    let isNegative = digits[0] == UInt8(ascii: "-")
    if isNegative { index = 1 }

    let wholeStart = index
    var value: Int64 = 0
    while index < end, let digit = Self.digit(digits[index]) {
      guard value <= largestWhole else { throw .tooLarge }
      value = value * 10 + digit
      index += 1
    }
    let wholeDigits = index - wholeStart
    guard wholeDigits > 0 else { throw .notADecimal }
    guard wholeDigits == 1 || digits[wholeStart] != UInt8(ascii: "0") else { throw .notADecimal }
    value *= 1000

    if index < end, digits[index] == UInt8(ascii: ".") {
      index += 1
      let start = index
      do throws(AmountError) {
        let fraction = try Self.fraction(
          digits, from: &index, allowingFloatNoise: allowingFloatNoise)
        value += fraction
      } catch {
        guard error == .tooPrecise, allowingFloatNoise,
          let price = Self.price(whole: value / 1000, fractionOf: digits, from: start)
        else { throw error }
        value = price
      }
    }
    guard index == end else {
      let isExponent = digits[index] | 0x20 == UInt8(ascii: "e")
      throw isExponent ? .hasExponent : .notADecimal
    }
    guard !isNegative || value == 0 else { throw .negative }
    guard value <= limit.rawValue else { throw .tooLarge }
    self.init(value)
  }

  /// Reads a price from a text such as `"9.99"`; see ``init(decimal:allowingFloatNoise:)``.
  public init(decimal text: String) throws(AmountError) {
    let bytes = Array(text.utf8)
    try self.init(decimal: bytes.span, allowingFloatNoise: false)
  }

  /// Reads the digits after the decimal point as thousandths; removes float noise if allowed.
  private static func fraction(
    _ digits: Span<UInt8>, from index: inout Int, allowingFloatNoise: Bool
  ) throws(AmountError) -> Int64 {
    var thousandths: Int64 = 0
    var millionths: Int64 = 0  // the fourth to sixth decimal
    var hasLaterDigit = false
    var places = 0
    while index < digits.count, let digit = digit(digits[index]) {
      if places < 3 {
        thousandths = thousandths * 10 + digit
      } else if places < 6 {
        millionths = millionths * 10 + digit
      } else if digit != 0 {
        hasLaterDigit = true
      }
      places += 1
      index += 1
    }
    guard places > 0 else { throw .notADecimal }
    for _ in 0..<max(0, 3 - places) { thousandths *= 10 }
    for _ in 0..<(6 - min(6, max(3, places))) { millionths *= 10 }

    if millionths == 0, !hasLaterDigit { return thousandths }
    guard allowingFloatNoise else { throw .tooPrecise }
    if millionths == 0 || (millionths == 1 && !hasLaterDigit) { return thousandths }
    if millionths == 999 { return thousandths + 1 }
    throw .tooPrecise
  }

  /// Finds the price, in thousandths, whose nearest 32-bit float is the number.
  ///
  /// Example: 39.9900016784668 → 39,990, which is 39.99. Tries whole numbers first, then tenths,
  /// hundredths and thousandths. A price fits if its distance from the number is at most half the
  /// distance between two neighboring 32-bit floats. `nil` if no price fits, or if several prices
  /// fit.
  private static func price(whole: Int64, fractionOf digits: Span<UInt8>, from start: Int) -> Int64?
  {
    // Below 32 the noise is less than a millionth. From 2^23 on a 32-bit float has no fraction.
    guard whole >= 32, whole < 1 << 23 else { return nil }
    var fraction: Int64 = 0  // billionths
    for place in 0..<9 {
      let digit = start + place < digits.count ? digit(digits[start + place]) ?? 0 : 0
      fraction = fraction * 10 + digit
    }
    let value = whole * 1_000_000_000 + fraction
    let exponent = Int64(63 - whole.leadingZeroBitCount)
    let reach = 1_000_000_000 >> (24 - exponent) + 1
    for step in [1_000_000_000, 100_000_000, 10_000_000, 1_000_000] as [Int64] {
      let nearest = (value + step / 2) / step * step
      if abs(value - nearest) <= reach { return reach * 2 < step ? nearest / 1_000_000 : nil }
    }
    return nil
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    let value = byte &- UInt8(ascii: "0")
    return value <= 9 ? Int64(value) : nil
  }
}

/// The largest whole part that can be followed by one more digit before the decimal point.
///
/// So a whole part has at most 16 digits. This is enough for ``Milliunits/largestPrice`` in
/// millionths.
private let largestWhole: Int64 = 100_000_000_000_000
