/// `value × numerator / denominator`, rounded half to even.
///
/// The one place where money is rounded: prorated credits, exchange and estimates use it. The
/// product may exceed 64 bits; a result that does is an error.
///
/// - Precondition: the denominator is positive and the numerator not negative.
/// - Throws: ``AmountError/overflow`` when the result does not fit.
func roundedHalfToEven(_ value: Int64, times numerator: Int64, over denominator: Int64)
  throws(AmountError) -> Int64
{
  precondition(denominator > 0 && numerator >= 0, "a share is a non-negative fraction")
  let (high, low) = value.magnitude.multipliedFullWidth(by: UInt64(numerator))
  guard high < UInt64(denominator) else { throw .overflow }
  let (quotient, remainder) = UInt64(denominator).dividingFullWidth((high, low))
  let twice = remainder.multipliedReportingOverflow(by: 2)
  let isAboveHalf = twice.overflow || twice.partialValue > UInt64(denominator)
  let isHalf = !twice.overflow && twice.partialValue == UInt64(denominator)
  let roundsUp = isAboveHalf || (isHalf && quotient % 2 == 1)
  let (rounded, overflow) = quotient.addingReportingOverflow(roundsUp ? 1 : 0)
  guard !overflow, let magnitude = Int64(exactly: rounded) else { throw .overflow }
  return value < 0 ? -magnitude : magnitude
}
