internal import CivilTime
internal import Deciding
internal import Diagnostics
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// All facts of a pipeline with every sighting behind them, in memory: what an explanation asks.
struct FactsInMemory {
  /// Everything that was read.
  let sightings: SightingSet
  /// What App Store Connect knows.
  let catalogue: Catalogue
  /// What learning made of all reports.
  let prices: PriceBook
  /// What was decided about all households.
  let decided: DecidedHouseholds
  /// What the rules were asked with.
  let evidence: PriceEvidence

  /// Takes all steps on all that is stored.
  ///
  /// - Throws: What the state or the rules throw.
  init(_ state: StateDatabase, settings: ReconstructSettings) throws(RunFailure) {
    let set = try state.load(asOf: settings.asOf, extraTexts: settings.texts)
    let catalogue = settings.catalogue.catalogue(in: set.symbols)
    try Reconstruction.checkpoint()
    let book = mergeSightings(
      set, bundleIDs: settings.bundles(in: set.symbols), catalogue: catalogue)
    let batch = HouseholdBatch(book, set)
    let products = ProductFacts(book, catalogue: catalogue)
    let signed = batch.signedVotes(
      courses: Purchases.courses(of: book, catalogue: catalogue, facts: products)
    ) { Voter(Int64($0?.rawValue ?? -1)) }.map(\.placed).sorted { $0.evidenceID < $1.evidenceID }
    let prices = learnPrices(
      from: batch.placedReports() + signed, offers: batch.offers, catalogue: catalogue)
    let context = DecidingContext(
      prices: prices, products: products, catalogue: catalogue,
      policy: settings.renewalPolicy,
      asOf: settings.asOf(newestSnapshot: set.records.lazy.map(\.snapshotAt).max()),
      reporting: settings.reporting?.currency, symbols: set.symbols)
    let decided: DecidedHouseholds
    do {
      decided = try decide(batch, judgements: prices.judgements, in: context)
    } catch {
      throw RunFailure(.invariantBroken, "an amount does not fit: \(error)")
    }
    var settled = batch
    settled.book = decided.purchases
    evidence = PriceEvidence(
      settled, courses: decided.courses, judgements: prices.judgements, prices: prices,
      catalogue: catalogue, consented: context.consented)
    sightings = set
    self.catalogue = catalogue
    self.prices = prices
    self.decided = decided
  }

  /// The purchases.
  var purchases: PurchaseBook { decided.purchases }
  /// Where each revenue row stands in its chain.
  var courses: PurchaseCourses { decided.courses }
}
