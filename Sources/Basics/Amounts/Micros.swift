/// An amount of money in millionths of its currency's main unit.
///
/// The result of conversions: three digits finer than ``Milliunits``, so that the rounding of one
/// row does not show in the sum of a million.
public struct Micros: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Millionths of the currency's main unit; negative for money given back.
  public let rawValue: Int64

  /// No money at all.
  public static let zero = Micros(0)

  /// Makes an amount of millionths.
  public init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// The same amount in millionths; exact.
  ///
  /// - Throws: ``AmountError/overflow`` when it does not fit.
  public init(_ amount: Milliunits) throws(AmountError) {
    let (micros, overflow) = amount.rawValue.multipliedReportingOverflow(by: 1000)
    guard !overflow else { throw .overflow }
    self.init(micros)
  }

  /// Orders amounts of one currency; comparing two currencies has no meaning.
  public static func < (left: Micros, right: Micros) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The share `numerator / denominator` of this amount, rounded half to even.
  ///
  /// - Precondition: the denominator is positive and the numerator not negative.
  /// - Throws: ``AmountError/overflow`` when the result does not fit.
  public func share(_ numerator: Int64, of denominator: Int64) throws(AmountError) -> Micros {
    Micros(try roundedHalfToEven(rawValue, times: numerator, over: denominator))
  }
}
