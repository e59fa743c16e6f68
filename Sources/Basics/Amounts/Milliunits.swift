/// An amount of money in thousandths of its currency's main unit.
///
/// Apple's server API uses this unit for every currency: 9.99 USD is 9,990, 120 JPY is 120,000 and
/// 1.250 KWD is 1,250. Amounts are exact. An overflow is an error; a result never wraps.
public struct Milliunits: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Thousandths of the currency's main unit.
  ///
  /// Prices are never negative; refunds in the ledger are negative.
  public let rawValue: Int64

  /// The known amount of 0; an unknown amount is `nil`.
  public static let zero = Milliunits(0)

  /// The largest price that is accepted from an export: a thousand million main units.
  ///
  /// The limit is far above every App Store price in every currency. It is low enough that this
  /// price times 1,000,000, the largest quantity, does not overflow.
  public static let largestPrice = Milliunits(1_000_000_000_000)

  /// Creates an amount from a number of thousandths.
  public init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Orders amounts in one currency; amounts in different currencies must not be compared.
  public static func < (left: Milliunits, right: Milliunits) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Adds an amount in the same currency.
  public func adding(_ other: Milliunits) throws(AmountError) -> Milliunits {
    let (sum, overflow) = rawValue.addingReportingOverflow(other.rawValue)
    guard !overflow else { throw .overflow }
    return Milliunits(sum)
  }

  /// Multiplies a unit price by a quantity or a number of periods.
  public func multiplied(by count: Int64) throws(AmountError) -> Milliunits {
    let (product, overflow) = rawValue.multipliedReportingOverflow(by: count)
    guard !overflow else { throw .overflow }
    return Milliunits(product)
  }

  /// Returns the amount with the opposite sign; the ledger records a refund in this way.
  ///
  /// - Throws: ``AmountError/overflow`` for the smallest 64-bit value.
  public func negated() throws(AmountError) -> Milliunits {
    try Milliunits.zero.subtracting(self)
  }

  /// Subtracts an amount in the same currency.
  public func subtracting(_ other: Milliunits) throws(AmountError) -> Milliunits {
    let (difference, overflow) = rawValue.subtractingReportingOverflow(other.rawValue)
    guard !overflow else { throw .overflow }
    return Milliunits(difference)
  }

  /// The fraction `numerator / denominator` of this amount, rounded half to even.
  ///
  /// Example: 10 / 30 of 9.99 → 3.33.
  ///
  /// - Precondition: The denominator is positive and the numerator is not negative.
  public func share(_ numerator: Int64, of denominator: Int64) throws(AmountError) -> Milliunits {
    Milliunits(try roundedHalfToEven(rawValue, times: numerator, over: denominator))
  }
}

extension Milliunits {
  /// The amount as a decimal text: `9.99`, `120`, `1.250`, `-4.990`.
  ///
  /// The text has at least the currency's number of decimals. It has three decimals if the amount
  /// needs them, so that no digit is lost.
  public func text(decimals: Int) -> String {
    let magnitude = rawValue.magnitude
    var fraction = String(magnitude % 1000)
    fraction = String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
    while fraction.utf8.count > decimals, fraction.hasSuffix("0") { fraction.removeLast() }
    let sign = rawValue < 0 ? "-" : ""
    let whole = String(magnitude / 1000)
    return fraction.isEmpty ? sign + whole : sign + whole + "." + fraction
  }

  /// The amount with its currency.
  ///
  /// Example: `9.99 USD`.
  public func text(in currency: Currency) -> String {
    text(decimals: currency.decimals) + " " + currency.code
  }
}

/// The reason why an amount could not be computed or read.
public enum AmountError: Error, Hashable, Sendable {
  /// The result does not fit 64 bits.
  case overflow
  /// The text is not a decimal number in JSON's format.
  case notADecimal
  /// The number has an exponent, which no price list has.
  case hasExponent
  /// The number is below zero.
  case negative
  /// The number has digits beyond thousandths that are neither zero nor noise of a binary float.
  case tooPrecise
  /// The number is above the accepted limit, which is usually ``Milliunits/largestPrice``.
  case tooLarge
}
