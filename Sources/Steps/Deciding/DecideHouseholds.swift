public import Amounts
public import CivilTime
public import PaidAmounts
public import PriceLearning
public import Proceeds
internal import PurchaseModel
public import Purchases
public import Subscriptions

/// All decisions about some households: the output of the step decide.
public struct DecidedHouseholds: Sendable {
  /// The purchase history; the other fields identify a row by its position in the history.
  public var purchases: PurchaseHistory
  /// The price reports of the households, sorted by evidence id.
  public var reports: [HouseholdReport]
  /// The verdict on each price report, in the order of ``reports``.
  public var reportVerdicts: [ReportVerdict]
  /// The offers in the price reports.
  public var offers: OfferLists
  /// The billing timeline of each revenue row: its kind, offer period, spell and reversal.
  public var timelines: BillingTimelines
  /// The amount paid for each revenue row.
  public var amounts: PaidAmountResults
  /// The conversions and subscriptions of the households.
  public var subscriptions: SubscriptionResults
  /// The events of the subscriptions, in the order of their periods.
  public var events: [SubscriptionEvent]
  /// The offers for which each customer is eligible, sorted by customer, then subscription group.
  public var eligibility: [OfferEligibility]
  /// The conversion of paid amounts to the reporting currency, and the estimates of proceeds.
  public var reporting: ReportingConverter
  /// For each chain, the next time at which its facts may change without new data.
  ///
  /// Example: a trial until May 8 → May 8. `nil` for a chain whose facts cannot change without new
  /// data.
  public var nextChanges: [Instant?]
}

/// Gathers the evidence about some households for the rules.
///
/// - Parameters:
///   - reportVerdicts: The verdict on each price report of the batch, in the order of the reports.
///   - hidesSigned: Whether the rules must not see the signed prices, as in a backtest.
public func priceEvidence(
  _ batch: HouseholdBatch, reportVerdicts: [ReportVerdict], in context: DecidingContext,
  hidesSigned: Bool = false
) -> (batch: HouseholdBatch, timelines: BillingTimelines, evidence: PriceEvidence) {
  var batch = batch
  batch.book.nameSubscriptionGroups(context.subscriptionGroups)
  batch.book.markIntroductoryRows(context.prices)
  let timelines = Purchases.timelines(
    of: batch.book, catalogue: context.catalogue, facts: context.products)
  let evidence = PriceEvidence(
    batch, timelines: timelines, reportVerdicts: reportVerdicts, prices: context.prices,
    catalogue: context.catalogue, consented: context.consented, cells: context.cells,
    hidesSigned: hidesSigned)
  return (batch, timelines, evidence)
}

/// Computes all facts about some households: the step decide.
///
/// The result depends only on the arguments. The result for a household does not depend on the
/// other households of the batch.
///
/// - Parameters:
///   - reportVerdicts: The verdict on each price report of the batch, in the order of the reports.
/// - Throws: ``AmountError/overflow``, which values within the readers' limits never cause.
public func decide(
  _ batch: HouseholdBatch, reportVerdicts: [ReportVerdict], in context: DecidingContext
) throws(AmountError) -> DecidedHouseholds {
  let (batch, timelines, evidence) = priceEvidence(
    batch, reportVerdicts: reportVerdicts, in: context)
  let amounts = try evidence.paidAmounts(policy: context.policy)
  let book = batch.book
  let subscriptions = Subscriptions.subscriptions(
    book: book, timelines: timelines, amounts: amounts, asOf: context.asOf,
    completeUntil: context.completeUntil)
  let shares = context.catalogue.proceeds.map {
    proceedsShares(book: book, timelines: timelines, amounts: amounts, terms: $0)
  }
  return DecidedHouseholds(
    purchases: book, reports: batch.reports, reportVerdicts: reportVerdicts, offers: batch.offers,
    timelines: timelines, amounts: amounts, subscriptions: subscriptions,
    events: subscriptionEvents(
      book: book, timelines: timelines, amounts: amounts, results: subscriptions,
      renewing: context.renewing, notCancelled: context.notCancelled, asOf: context.asOf),
    eligibility: offerEligibility(
      book: book, timelines: timelines, subscriptions: subscriptions.subscriptions),
    reporting: ReportingConverter(
      currency: context.reporting, shares: shares ?? [],
      highEstimates: try context.highestPrices?.estimates(book, timelines, amounts) ?? [:]),
    nextChanges: nextChanges(
      book: book, timelines: timelines, asOf: context.asOf, completeUntil: context.completeUntil))
}
