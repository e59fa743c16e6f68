public import Amounts
public import CivilTime
public import PaidAmounts
public import PriceLearning
public import Proceeds
internal import PurchaseModel
public import Purchases
public import Subscriptions

/// Everything that is decided about some households: the output of deciding.
public struct DecidedHouseholds: Sendable {
  /// The purchases, in whose book rows are positions.
  public var purchases: PurchaseBook
  /// The reports of the households, by evidence id.
  public var reports: [HouseholdReport]
  /// What is thought of each report.
  public var judgements: [Judgement]
  /// The offers that reports name.
  public var offers: OfferLists
  /// Where each revenue row stands in its chain.
  public var courses: PurchaseCourses
  /// What was paid for each revenue row.
  public var amounts: PaidAmountBook
  /// What the rules say where signed prices are hidden.
  public var backtest: [BacktestRow]
  /// Conversions and subscriptions.
  public var subscriptions: SubscriptionBook
  /// What an offer screen may show, by customer, then group.
  public var eligibility: [OfferEligibility]
  /// What turns amounts into the reporting currency and into estimates of proceeds.
  public var reporting: ReportingBook
  /// By chain: when time alone may change one of its rows; `nil` for never.
  public var nextChanges: [Instant?]
}

/// Puts together everything that the rules ask about some households.
///
/// - Parameters:
///   - batch: The households, whole.
///   - judgements: What learning thinks of each of the batch's reports.
///   - context: What is the same for all households.
/// - Returns: The households with their products' subscription groups, where their revenue rows stand,
///   and the evidence.
public func priceEvidence(
  _ batch: HouseholdBatch, judgements: [Judgement], in context: DecidingContext
) -> (batch: HouseholdBatch, courses: PurchaseCourses, evidence: PriceEvidence) {
  var batch = batch
  batch.book.nameSubscriptionGroups(context.subscriptionGroups)
  let courses = Purchases.courses(
    of: batch.book, catalogue: context.catalogue, facts: context.products)
  let evidence = PriceEvidence(
    batch, courses: courses, judgements: judgements, prices: context.prices,
    catalogue: context.catalogue, consented: context.consented, cells: context.cells)
  return (batch, courses, evidence)
}

/// Decides everything about some households (RULES sections 3 and 4): the fourth step.
///
/// A pure function of the households and the context. What comes out for a household does not depend
/// on which others are in the batch.
///
/// - Parameters:
///   - batch: The households, whole.
///   - judgements: What learning thinks of each of the batch's reports.
///   - hidden: What it thinks of them where signed prices are hidden; empty where nothing is signed.
///   - context: What is the same for all households.
/// - Returns: The rows of all facts, still as values.
/// - Throws: ``AmountError/overflow``, which values within the readers' limits never cause.
public func decide(
  _ batch: HouseholdBatch, judgements: [Judgement], hidden: [Judgement] = [],
  in context: DecidingContext
) throws(AmountError) -> DecidedHouseholds {
  let (batch, courses, evidence) = priceEvidence(batch, judgements: judgements, in: context)
  let amounts = try evidence.paidAmounts(policy: context.policy)
  let book = batch.book
  let backtest = try context.hidden.map { (prices) throws(AmountError) in
    try PriceEvidence(
      batch, courses: courses, judgements: hidden, prices: prices, catalogue: context.catalogue,
      consented: context.consented, hidesSigned: true
    ).backtest(policy: context.policy)
  }
  let subscriptions = Subscriptions.subscriptions(
    book: book, courses: courses, amounts: amounts, asOf: context.asOf)
  let shares = context.catalogue.proceeds.map {
    proceedsShares(book: book, courses: courses, amounts: amounts, terms: $0)
  }
  return DecidedHouseholds(
    purchases: book, reports: batch.reports, judgements: judgements, offers: batch.offers,
    courses: courses, amounts: amounts, backtest: backtest ?? [], subscriptions: subscriptions,
    eligibility: offerEligibility(
      book: book, courses: courses, subscriptions: subscriptions.subscriptions),
    reporting: ReportingBook(currency: context.reporting, shares: shares ?? []),
    nextChanges: nextChanges(book: book, courses: courses, asOf: context.asOf))
}
