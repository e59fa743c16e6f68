public import CivilTime
public import Deciding
public import PaidAmounts
public import PriceLearning
public import PurchaseModel
internal import Purchases

/// A store after all four steps, in memory.
public struct DecidedStore {
  /// The households, which are the input of deciding.
  public let batch: HouseholdBatch
  /// The price book, learned from all reports.
  public let prices: PriceBook
  /// The decisions.
  public let decided: DecidedHouseholds
  /// The evidence of the rules.
  public let evidence: PriceEvidence
  /// The questions that only the catalogue can settle.
  public let questions: [PriceChangeQuestion]

  /// Runs a store through all steps.
  public init(
    _ set: Observations, catalogue: Catalogue, bundles: Set<BundleID> = [],
    policy: RenewalPolicy = .history, asOf: Instant? = nil, cells: SalesReportTotals? = nil
  ) throws {
    let whole = WholeMerge(set, bundleIDs: bundles, catalogue: catalogue)
    let book = whole.book
    let merged = HouseholdBatch(whole, set)
    let products = ProductFacts(book, catalogue: catalogue)
    let catalogue = products.apps.settled(catalogue)
    let signed = merged.signedVotes(
      timelines: Purchases.timelines(of: book, catalogue: catalogue, facts: products)
    ) { Voter(Int64($0?.rawValue ?? -1)) }.map(\.placed).sorted { $0.evidenceID < $1.evidenceID }
    prices = learnPrices(
      from: merged.placedReports(periods: products.periods(catalogue: catalogue)) + signed,
      offers: merged.offers, catalogue: catalogue,
      times: SaleTimes(
        firstSold: products.firstPurchases, asOf: asOf ?? set.records.map(\.snapshotAt).max()))
    var context = DecidingContext(
      prices: prices, products: products, catalogue: catalogue,
      policy: policy, asOf: asOf ?? set.newestMoment, reporting: nil, symbols: set.symbols)
    if var cells {
      let chains = try chainCells(
        merged, reportVerdicts: Array(prices.reportVerdicts), in: context)
      for row in chains.lazy.flatMap(\.rows) { cells.count(row) }
      context.cells = cells
    }
    decided = try decide(merged, reportVerdicts: Array(prices.reportVerdicts), in: context)
    var settled = merged
    settled.book = decided.purchases
    batch = settled
    evidence = PriceEvidence(
      settled, timelines: decided.timelines, reportVerdicts: Array(prices.reportVerdicts),
      prices: prices,
      catalogue: catalogue, consented: set.symbols.symbol("1"), cells: context.cells)
    questions = PriceChangeQuestion.all(decided.amounts.unexplainedRises, prices: prices)
  }

  /// The number of voters for an amount's price; 0 if no interval has the price.
  public func voters(of amount: PaidAmount) -> Int32 {
    amount.interval.map { prices.history.intervals[Int($0)].voters } ?? 0
  }
}

extension Observations {
  /// The as-of time of the facts: the newest snapshot, else the newest purchase.
  public var newestMoment: Instant {
    records.map(\.snapshotAt).max() ?? observations.map(\.purchasedAt).max() ?? .epoch
  }
}
