public import Amounts
public import CivilTime

/// A change of a currency's unit at midnight UTC of a day; the currency's code does not change.
///
/// Example: the forint loses two zeros, and 1,290 HUF become 12.90 HUF.
public struct RebasedCurrency: Hashable, Sendable {
  /// The currency that was rebased.
  public var currency: Currency
  /// The first day of the new unit.
  public var from: CivilDay
  /// The number of old units in a new unit.
  public var factor: RebasingFactor

  /// Creates a change of unit from its fields.
  public init(currency: Currency, from: CivilDay, factor: RebasingFactor) {
    self.currency = currency
    self.from = from
    self.factor = factor
  }
}

/// The number of old units per new unit of a currency: a power of ten other than 1.
///
/// Example: 100 if prices lose two zeros, 0.001 if they gain three.
public struct RebasingFactor: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The exponent of ten: 2 for a factor of 100; from -6 to 6, but not 0.
  public let exponent: Int8

  /// Creates a factor from an exponent of ten; `nil` for 0 and for an exponent outside -6…6.
  public init?(exponent: Int8) {
    guard exponent != 0, (-6...6).contains(exponent) else { return nil }
    self.exponent = exponent
  }

  /// Parses a factor as written in catalogues, such as `100` or `0.001`; `nil` for any other text.
  public init?(text: String) {
    for exponent in Int8(-6)...6 where exponent != 0 && Self.text(exponent) == text {
      self.init(exponent: exponent)
      return
    }
    return nil
  }

  /// The factor in the form that catalogues use.
  public var text: String { Self.text(exponent) }

  private static func text(_ exponent: Int8) -> String {
    let zeros = String(repeating: "0", count: Int(exponent.magnitude))
    return exponent > 0 ? "1" + zeros : "0." + zeros.dropLast() + "1"
  }

  /// Converts a price from the old to the new unit; `nil` if the result is not a whole number of
  /// thousandths.
  ///
  /// Example: 1,290 HUF by a factor of 100 → 12.90 HUF.
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

  /// Orders factors by size.
  public static func < (left: Self, right: Self) -> Bool { left.exponent < right.exponent }
}
