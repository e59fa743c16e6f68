public import Amounts
public import CivilTime

/// A currency that got another unit at midnight UTC of a day and kept its code.
///
/// For example the forint loses two zeros: what cost 1,290 HUF the day before costs 12.90 HUF.
public struct RebasedCurrency: Hashable, Sendable {
  /// The currency that was rebased.
  public var currency: Currency
  /// The first day of the new unit.
  public var from: CivilDay
  /// The number of old units in a new unit.
  public var factor: RebasingFactor

  /// Creates a line of its parts.
  public init(currency: Currency, from: CivilDay, factor: RebasingFactor) {
    self.currency = currency
    self.from = from
    self.factor = factor
  }
}

/// The number of old units of a currency that are one new unit: a power of ten other than 1.
///
/// For example 100, where prices lose two zeros, or 0.001, where they gain three.
public struct RebasingFactor: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The power of ten, in -6...6 without 0: 2 for a factor of 100.
  public let exponent: Int8

  /// Takes a power of ten; `nil` for 0 and beyond a million.
  public init?(exponent: Int8) {
    guard exponent != 0, (-6...6).contains(exponent) else { return nil }
    self.exponent = exponent
  }

  /// Reads a factor as a catalogue writes it, `100` or `0.001`; `nil` for anything else.
  public init?(text: String) {
    for exponent in Int8(-6)...6 where exponent != 0 && Self.text(exponent) == text {
      self.init(exponent: exponent)
      return
    }
    return nil
  }

  /// The factor as a catalogue writes it.
  public var text: String { Self.text(exponent) }

  private static func text(_ exponent: Int8) -> String {
    let zeros = String(repeating: "0", count: Int(exponent.magnitude))
    return exponent > 0 ? "1" + zeros : "0." + zeros.dropLast() + "1"
  }

  /// Converts a price of the old unit into the new unit; `nil` if that is no whole number of
  /// milliunits.
  ///
  /// For example 1,290 HUF by a factor of 100 → 12.90 HUF.
  public func rebased(_ price: Milliunits) -> Milliunits? {
    var scale: Int64 = 1
    for _ in 0..<exponent.magnitude { scale *= 10 }
    if exponent > 0 {
      let (quotient, remainder) = price.rawValue.quotientAndRemainder(dividingBy: scale)
      return remainder == 0 ? Milliunits(quotient) : nil
    }
    let (product, isTooMuch) = price.rawValue.multipliedReportingOverflow(by: scale)
    return isTooMuch ? nil : Milliunits(product)
  }

  /// The order of size.
  public static func < (left: Self, right: Self) -> Bool { left.exponent < right.exponent }
}
