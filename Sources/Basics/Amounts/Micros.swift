/// An amount of money in millionths of its currency's main unit.
///
/// The result of conversions: three digits finer than ``Milliunits``, so that the rounding of one
/// row does not show in the sum of a million.
public struct Micros: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Millionths of the currency's main unit; negative for money given back.
  public let rawValue: Int64

  /// The amount of 0, which is known to be nothing.
  public static let zero = Micros(0)

  /// Creates an amount from a number of millionths.
  public init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Converts thousandths to millionths, exactly.
  ///
  /// - Throws: ``AmountError/overflow`` when the result does not fit.
  public init(_ amount: Milliunits) throws(AmountError) {
    let (micros, overflow) = amount.rawValue.multipliedReportingOverflow(by: 1000)
    guard !overflow else { throw .overflow }
    self.init(micros)
  }

  /// Orders amounts of one currency; comparing two currencies has no meaning.
  public static func < (left: Micros, right: Micros) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The fraction `numerator / denominator` of this amount, rounded half to even.
  ///
  /// - Precondition: the denominator is positive and the numerator not negative.
  /// - Throws: ``AmountError/overflow`` when the result does not fit.
  public func share(_ numerator: Int64, of denominator: Int64) throws(AmountError) -> Micros {
    Micros(try roundedHalfToEven(rawValue, times: numerator, over: denominator))
  }
}
