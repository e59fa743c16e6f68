/// A number below a hundred million as eight decimal digits.
///
/// The digits are computed with a few multiplications, not with one division per digit.
struct EightDigits {
  /// The smallest number that does not fit: it has nine digits.
  static let limit: UInt64 = 100_000_000

  /// The digits as numbers, one byte each, little-endian.
  private let digits: UInt64

  /// Splits a number into two halves of four digits, the halves into pairs, and the pairs into
  /// digits.
  @inline(__always)
  init(_ number: UInt64) {
    let (high, low) = number.quotientAndRemainder(dividingBy: 10_000)
    let halves = high | low &<< 32
    // A division by 100 is × 10486 / 2²⁰, exact below 43 699. A division by 10 is × 103 / 2¹⁰,
    // exact below 179.
    let hundreds = (halves &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let pairs = hundreds | (halves &- 100 &* hundreds) &<< 16
    let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
    digits = tens | (pairs &- 10 &* tens) &<< 8
  }

  /// The digits as ASCII, little-endian.
  var ascii: UInt64 { digits | 0x3030_3030_3030_3030 }

  /// The number of leading zeros; 8 for zero.
  var leadingZeros: Int { digits.trailingZeroBitCount / 8 }
}
