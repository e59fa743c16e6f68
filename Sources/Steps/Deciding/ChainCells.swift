public import Amounts
public import PaidAmounts
public import PriceLearning

/// Finds, for the rows of some households, the cells of Apple's Sales reports.
///
/// A run reads the rows twice. This first pass finds the number of rows in each cell; the second
/// pass needs this number to decide which amounts the reports prove.
///
/// - Throws: ``AmountError/overflow``, which values within the readers' limits never cause.
public func chainCells(
  _ batch: HouseholdBatch, reportVerdicts: [ReportVerdict], in context: DecidingContext
) throws(AmountError) -> [ChainCells] {
  let (_, _, evidence) = priceEvidence(batch, reportVerdicts: reportVerdicts, in: context)
  return evidence.chainCells(try evidence.paidAmounts(policy: context.policy))
}
