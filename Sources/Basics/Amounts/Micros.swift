/// An amount of money in millionths of its currency's main unit.
///
/// Amounts that were converted to another currency have this type. The unit is a thousand times
/// finer than that of ``Milliunits``. So the rounding of single rows is not visible in the sum of a
/// million rows.
public struct Micros: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Millionths of the currency's main unit; negative for refunds.
  public let rawValue: Int64

  /// The known amount of 0; an unknown amount is `nil`.
  public static let zero = Micros(0)

  /// Creates an amount from a number of millionths.
  public init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Converts thousandths to millionths, exactly.
  public init(_ amount: Milliunits) throws(AmountError) {
    let (micros, overflow) = amount.rawValue.multipliedReportingOverflow(by: 1000)
    guard !overflow else { throw .overflow }
    self.init(micros)
  }

  /// Orders amounts in one currency; amounts in different currencies must not be compared.
  public static func < (left: Micros, right: Micros) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The fraction `numerator / denominator` of this amount, rounded half to even.
  ///
  /// - Precondition: The denominator is positive and the numerator is not negative.
  public func share(_ numerator: Int64, of denominator: Int64) throws(AmountError) -> Micros {
    Micros(try roundedHalfToEven(rawValue, times: numerator, over: denominator))
  }
}
