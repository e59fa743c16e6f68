/// Computes `value × numerator / denominator`, rounded half to even.
///
/// All money is rounded by this function: prorated credits, currency conversion and estimates. The
/// product may exceed 64 bits. Examples: 9,990 × 1 / 4 = 2,497.5 → 2,498; 5 × 1 / 2 = 2.5 → 2.
///
/// - Precondition: The denominator is positive and the numerator is not negative.
func roundedHalfToEven(_ value: Int64, times numerator: Int64, over denominator: Int64)
  throws(AmountError) -> Int64
{
  precondition(denominator > 0 && numerator >= 0, "a fraction is not negative")
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
