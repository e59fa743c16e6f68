internal import StateStore
internal import CivilTime
internal import CProcess
internal import Deciding
internal import Diagnostics
internal import ExchangeRates
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles
internal import Warehouse

/// The facts of a pipeline: the four steps, one after another.
///
/// Gathered by file (state.db), merged by chain, learned by market, decided by household. Between
/// two steps everything waits in external sorts, so that little grows with the history: households,
/// and what learning looks at of each report.
struct Reconstruction {
  /// The texts and files.
  let observations: Observations
  /// The prices and price changes known from App Store Connect.
  let catalogue: Catalogue
  /// The rows of all facts.
  let facts: FactStore
  /// The sums over the facts.
  let tally: FactTally
  /// The signs of another unit in price reports.
  let units: PriceUnitTally
  /// The questions that only the catalogue can settle.
  let questions: [PriceChangeQuestion]
  /// The storefronts whose unit of money is in doubt.
  let doubtedUnits: [DoubtedUnit]
  /// The placeholder customer ids.
  let placeholderIDs: [Households.PlaceholderCustomerID]
  /// The reporting currency and its rates; `nil` if the pipeline names none.
  let reporting: ReportingCurrency?
  /// The time for which statuses and maturity are computed.
  let asOf: Instant

  /// The products that reports name.
  let reported: Set<ProductID>
  /// The published rows that the facts replace; `nil` for all.
  var scope: FactScope?
  /// The sums over all rows, if the facts are only some of them.
  var totals: FactTotals?
  /// The rows for the next run; `nil` if that must decide everything.
  var handedOn: IncrementalStateRows?

  /// Runs all steps.
  ///
  /// - Parameters:
  ///   - state: The working database.
  ///   - texts: Its texts.
  ///   - settings: The settings that facts depend on.
  ///   - run: The number of the run that publishes.
  ///   - memory: The memory that sorts may hold before they spill into a temporary file.
  ///   - workers: The number of threads; the result does not depend on it.
  /// - Returns: The facts.
  /// - Throws: The errors of the state and of the rules.
  static func full(
    _ state: StateDatabase, _ texts: StateTexts, settings: ReconstructSettings, run: Int64,
    memory: SortMemory, workers: Int
  ) throws(RunFailure) -> Reconstruction {
    let learned = try LearnedHouseholds(
      state, texts, settings: settings, memory: memory, workers: workers)
    let (set, catalogue, asOf) = (
      learned.observations, learned.context.catalogue, learned.context.asOf
    )
    let (batches, prices) = (learned.batches, learned.lesson.prices)
    let facts = FactStore(memory: memory)
    let written = try FactContext(
      runID: run, set: set, catalogue: catalogue, products: learned.products,
      customerKey: settings.customerKey)
    let deciding = DecidingPass(facts: facts, context: learned.context, written: written)
    try deciding.decide(batches)
    let result = deciding.result
    let reported = result.units.products
    let writer = facts.writer(written)
    try writer.add(prices.history.intervals, reported: reported)
    try writer.finish()
    paidline_return_memory()
    var handedOn: IncrementalStateRows?
    // Nothing is stored for the next run where Apple's reports prove amounts: it decides all
    // rows again.
    if settings.asOf == nil, learned.context.cells == nil {
      handedOn = IncrementalStateRows(learned, result: result, totals: facts.totals)
    }
    return Reconstruction(
      observations: set, catalogue: catalogue, facts: facts, tally: result.tally,
      units: result.units,
      questions: PriceChangeQuestion.all(result.questions.map(\.question), prices: prices),
      doubtedUnits: prices.doubtedUnits, placeholderIDs: batches.households.placeholderIDs,
      reporting: settings.reporting?.currency, asOf: asOf,
      reported: reported, scope: nil, totals: nil, handedOn: handedOn)
  }

  /// Ends the work if a signal asked for it.
  static func checkpoint() throws(RunFailure) { try StopSignal.check() }
}

extension ReconstructSettings {
  /// Returns the apps to include, as symbols; empty for all.
  func bundles(in symbols: SymbolTable) -> Set<BundleID> {
    Set(bundleIDs.compactMap { symbols.symbol($0).map(BundleID.init) })
  }
}
