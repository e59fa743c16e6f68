public import Amounts
public import PaidAmounts
public import PriceLearning

/// Finds the cells of Apple's Sales reports that contain the rows of some households.
///
/// This is the first of two passes over the rows. The second pass decides which amounts the reports
/// prove; for this, it needs the number of rows in each cell.
///
/// - Parameters:
///   - batch: The households, each complete.
///   - reportVerdicts: The verdict on each of the batch's reports.
///   - context: The input that all households have in common.
/// - Returns: For each chain, its rows with their cells.
/// - Throws: ``AmountError/overflow``, which values within the readers' limits never cause.
public func chainCells(
  _ batch: HouseholdBatch, reportVerdicts: [ReportVerdict], in context: DecidingContext
) throws(AmountError) -> [ChainCells] {
  let (_, _, evidence) = priceEvidence(batch, reportVerdicts: reportVerdicts, in: context)
  return evidence.chainCells(try evidence.paidAmounts(policy: context.policy))
}
