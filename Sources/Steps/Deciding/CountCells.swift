public import Amounts
public import PaidAmounts
public import PriceLearning

/// Counts the units of some households in each cell of Apple's Sales reports.
///
/// This is the first of two passes over the rows. The second pass uses these numbers to decide
/// which amounts the reports prove.
///
/// - Parameters:
///   - batch: The households, each complete.
///   - reportVerdicts: The verdict on each of the batch's reports.
///   - context: The input that all households have in common.
/// - Returns: The units of rows that are not free, keyed by cell.
/// - Throws: ``AmountError/overflow``, which values within the readers' limits never cause.
public func countCells(
  _ batch: HouseholdBatch, reportVerdicts: [ReportVerdict], in context: DecidingContext
) throws(AmountError) -> [SalesReportTotals.Cell: Int64] {
  let (_, _, evidence) = priceEvidence(batch, reportVerdicts: reportVerdicts, in: context)
  return evidence.paidCells(try evidence.paidAmounts(policy: context.policy))
}
