internal import CivilTime
internal import CProcess
internal import Deciding
internal import Diagnostics
internal import ExchangeRates
internal import Joining
internal import PaidAmounts
internal import Parallel
internal import PriceLearning
internal import Proceeds
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles
internal import Warehouse

/// The facts of a pipeline: the four steps, one after another.
///
/// Gathered by file (state.db), merged by chain, learned by market, decided by household. Between two
/// steps everything waits in external sorts, so that what is held does not grow with the history.
struct Reconstruction {
  /// The texts, files and price reports.
  let sightings: SightingSet
  /// What App Store Connect knows.
  let catalogue: Catalogue
  /// The rows of all facts.
  let facts: FactStore
  /// What they say in sums.
  let tally: FactTally
  /// The reports that are used, and what is thought of each.
  let reports: [HouseholdReport]
  let judgements: [Judgement]
  /// What only the catalogue can settle.
  let questions: [PriceChangeQuestion]
  /// Customer ids that are nobody's.
  let nobodies: [Households.Nobody]
  /// The reporting currency and its rates; `nil` where the pipeline names none.
  let reporting: ReportingCurrency?
  /// The moment that statuses and maturity are told for.
  let asOf: Instant

  /// The products that reports name.
  let reported: Set<ProductID>
  /// Which published rows the facts replace; `nil` for all.
  var scope: FactScope?
  /// What all rows say together, where the facts are not all of them.
  var totals: FactTotals?
  /// What the next night must know of this publication; `nil` where it must decide everything.
  var index: PublishedIndex?

  /// Takes all steps.
  ///
  /// - Parameters:
  ///   - state: The working database.
  ///   - texts: Its texts.
  ///   - settings: Everything but the exports that facts follow from.
  ///   - run: The number of the run that publishes.
  ///   - memory: What sorts may hold before they use a temporary file.
  ///   - workers: How many threads work; what comes out does not depend on it.
  /// - Returns: The facts.
  /// - Throws: What the state or the rules throw.
  static func full(
    _ state: StateDatabase, _ texts: StateTexts, settings: ReconstructSettings, run: Int64,
    memory: SortMemory, workers: Int
  ) throws(RunFailure) -> Reconstruction {
    let merged = try MergedChains(
      state, texts, settings: settings, memory: memory, workers: workers)
    let catalogue = settings.catalogue.catalogue(in: merged.set.symbols)
    var products = ProductFacts()
    for share in merged.shares { products.add(share.products) }
    let batches = try HouseholdBatches(merged, memory: memory)
    let learned = try learn(
      batches, catalogue: catalogue, products: products, symbols: merged.set.symbols,
      workers: workers)
    let prices = learned.lesson.prices
    try checkpoint()
    let asOf = settings.asOf(newestSnapshot: merged.newestSnapshot)
    var context = DecidingContext(
      prices: prices, products: products, catalogue: catalogue, policy: settings.renewalPolicy,
      asOf: asOf, reporting: settings.reporting?.currency, symbols: merged.set.symbols)
    context.hidden = learned.lesson.hidden
    let facts = FactStore(memory: memory)
    let written = try FactContext(
      runID: run, set: merged.set, catalogue: catalogue, products: products,
      customerKey: settings.customerKey)
    let deciding = DecidingPass(facts: facts, context: context, written: written)
    try deciding.decide(batches, workers: workers)
    let writer = facts.writer(written)
    let reported = Set(batches.reports.reports.lazy.map(\.report.productID))
    try writer.add(prices.history.intervals, reported: reported)
    try writer.finish()
    paidline_return_memory()
    let result = deciding.result
    var index: PublishedIndex?
    if settings.asOf == nil {
      index = try PublishedIndex(
        merged, batches, learned: learned, products: products, result: result)
      index?.asOf = asOf
      index?.totals = facts.totals
    }
    return Reconstruction(
      sightings: merged.set, catalogue: catalogue, facts: facts, tally: result.tally,
      reports: batches.reports.reports,
      judgements: Array(prices.judgements.prefix(batches.reports.reports.count)),
      questions: PriceChangeQuestion.all(result.questions.map(\.question), prices: prices),
      nobodies: batches.households.nobodies, reporting: settings.reporting?.currency, asOf: asOf,
      reported: reported, scope: nil, totals: nil, index: index)
  }

  /// What the third step hands on.
  struct Learned {
    var lesson: Lesson
    /// The reports where they were placed, by evidence id.
    var placed: [PlacedReport]
    var votes: [PlacedBatch.Vote]
  }

  /// The third step: places all reports among the purchases, and learns prices from them.
  private static func learn(
    _ batches: HouseholdBatches, catalogue: Catalogue, products: ProductFacts,
    symbols: SymbolTable, workers: Int
  ) throws(RunFailure) -> Learned {
    var placed = [PlacedReport?](repeating: nil, count: batches.reports.reports.count)
    var votes: [PlacedBatch.Vote] = []
    var isSigned = false
    try batches.forEach(atOnce: workers) { several in
      let found = inParallel(several.count, workers: workers) { number in
        PlacedBatch(several[number], catalogue: catalogue, products: products, symbols: symbols)
      }
      for (batch, found) in zip(several, found) {
        votes += found.votes
        isSigned = isSigned || found.isSigned
        for (index, report) in found.reports.enumerated() {
          // A report that only names a purchase of a household is placed in its own.
          let own = batch.batch.reports[index]
          guard own.household != nil || placed[Int(batch.reports[index])] == nil else { continue }
          placed[Int(batch.reports[index])] = report
        }
      }
    }
    let reports = placed.compactMap(\.self)
    let lesson = Lesson(
      reports, signed: votes.map(\.placed), isSigned: isSigned, offers: batches.reports.offers,
      catalogue: catalogue, workers: workers)
    return Learned(lesson: lesson, placed: reports, votes: votes)
  }

  /// Ends the work where somebody asked for it.
  static func checkpoint() throws(RunFailure) { try StopSignal.check() }
}

extension ReconstructSettings {
  /// The apps that count, as symbols; empty for all.
  func bundles(in symbols: SymbolTable) -> Set<BundleID> {
    Set(bundleIDs.compactMap { symbols.symbol($0).map(BundleID.init) })
  }
}
