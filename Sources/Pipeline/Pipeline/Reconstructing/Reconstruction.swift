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
internal import Reconciling
internal import TemporaryFiles
internal import Warehouse

/// The facts of a pipeline, computed by the four steps.
///
/// The steps are: gather per file (state.db), merge per chain, learn per market, decide per
/// household. Between two steps the rows are in external sorts. Only two things need memory that
/// grows with the history: the households, and the parts of each report that learning compares.
struct Reconstruction {
  /// The interned texts (symbols) and the input files.
  let observations: Observations
  /// The prices and price changes known from App Store Connect.
  let catalogue: Catalogue
  let facts: FactStore
  /// The products of all purchases, including excluded purchases.
  let bought: Set<ProductID>
  /// For each corrected purchase in ``facts``, the amount that the rules find without the
  /// correction.
  let uncorrected: [PurchaseKey: UncorrectedAmount]
  /// The price rises for which the catalogue must state whether existing subscribers pay them.
  let questions: [PriceChangeQuestion]
  /// The storefronts in which the unit of prices is doubtful.
  let doubtedUnits: [DoubtedUnit]
  /// The placeholder customer ids.
  let placeholderIDs: [Households.PlaceholderCustomerID]
  /// The reporting currency and its rates; `nil` if the pipeline has none.
  let reporting: ReportingCurrency?
  /// The as-of time, for which statuses are computed.
  let asOf: Instant

  /// The products in price reports.
  let reported: Set<ProductID>
  /// The published rows that the facts replace; `nil` if they replace all rows.
  var scope: FactScope?
  /// Apple's reports; `nil` if there are none.
  var appleReports: ReconciledReports?
  /// The rows to keep for the next run; `nil` if the next run must decide all rows.
  var nextRunRows: IncrementalStateRows?

  /// Runs all steps for all data.
  ///
  /// - Parameters:
  ///   - workers: The number of threads; the result does not depend on it.
  static func full(
    _ state: StateDatabase, _ texts: StateTexts, settings: ReconstructSettings, run: Int64,
    memory: SortMemory, workers: Int
  ) throws(RunFailure) -> Reconstruction {
    let learned = try LearnedHouseholds(
      state, texts, settings: settings, memory: memory, workers: workers)
    let (set, catalogue, asOf) = (
      learned.observations, learned.context.catalogue, learned.context.asOf
    )
    let (batches, prices) = (learned.batches, learned.priceBooks.prices)
    let facts = FactStore(memory: memory)
    let written = try FactContext(
      runID: run, set: set, catalogue: catalogue, products: learned.products,
      customerKey: settings.customerKey)
    let deciding = DecidingPass(facts: facts, context: learned.context, written: written)
    try deciding.decide(batches)
    let result = deciding.result
    let reported = result.reported
    let writer = facts.writer(written)
    try writer.add(prices.history.intervals, reported: reported)
    try writer.finish()
    paidline_return_memory()
    var nextRunRows: IncrementalStateRows?
    if settings.asOf == nil {
      nextRunRows = IncrementalStateRows(learned, result: result)
    }
    return Reconstruction(
      observations: set, catalogue: catalogue, facts: facts, bought: result.bought,
      uncorrected: result.uncorrected,
      questions: PriceChangeQuestion.all(result.questions.map(\.question), prices: prices),
      doubtedUnits: prices.doubtedUnits, placeholderIDs: batches.households.placeholderIDs,
      reporting: settings.reporting?.currency, asOf: asOf,
      reported: reported, scope: nil, appleReports: learned.appleReports,
      nextRunRows: nextRunRows)
  }

  /// Throws if a signal has requested the end of the program.
  static func checkpoint() throws(RunFailure) { try StopSignal.check() }
}

extension ReconstructSettings {
  /// The apps to include, as symbols; empty if all apps are included.
  func bundles(in symbols: SymbolTable) -> Set<BundleID> {
    Set(bundleIDs.compactMap { symbols.symbol($0).map(BundleID.init) })
  }
}
