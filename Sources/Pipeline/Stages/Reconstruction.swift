internal import CProcess
internal import CivilTime
internal import Diagnostics
internal import PaidAmounts
internal import Parallel
internal import Proceeds
internal import PurchaseModel
internal import Purchases
internal import Subscriptions
internal import Warehouse

/// All facts of a pipeline in memory: the pure rules, one after another.
struct Reconstruction {
  /// The texts, files and price reports; records, rows and renewal states only where asked for.
  var sightings: SightingSet
  var catalogue: Catalogue
  var purchases: PurchaseBook
  var courses: PurchaseCourses
  var amounts: PaidAmountBook
  var backtest: [BacktestRow]
  var reporting: ReportingBook
  var subscriptions: SubscriptionBook
  var asOf: Instant

  /// Applies the rules to everything that is stored.
  ///
  /// - Parameters:
  ///   - state: The working database.
  ///   - settings: Everything but the exports that facts follow from.
  ///   - workers: How many threads work; what comes out does not depend on it.
  ///   - keepsSightings: Whether to hold the single sightings, which take more memory than all
  ///     else and which only an explanation asks for.
  /// - Returns: The facts.
  /// - Throws: What the state or the rules throw.
  static func of(
    _ state: StateDatabase, settings: ReconstructSettings, workers: Int = 1,
    keepsSightings: Bool = false
  ) throws(RunFailure) -> Reconstruction {
    var merged =
      try keepsSightings
      ? MergedState.withSightings(state, settings: settings)
      : MergedState.shareByShare(state, settings: settings, workers: workers)
    let catalogue = settings.catalogue.catalogue(in: merged.set.symbols)
    merged.purchases.nameSubscriptionGroups(by: catalogue)
    let (set, purchases) = (merged.set, merged.purchases)
    // What merging and, below, the rules needed is a third of all; the C library would keep it.
    paidline_return_memory()
    try checkpoint()
    let courses = Purchases.courses(
      of: purchases, catalogue: catalogue, workers: workers)
    let amounts: PaidAmountBook
    let backtest: [BacktestRow]
    do {
      amounts = try paidAmounts(
        book: purchases, courses: courses, set: set, catalogue: catalogue,
        policy: settings.renewalPolicy, workers: workers)
      backtest = try PaidAmounts.backtest(
        book: purchases, courses: courses, set: set, catalogue: catalogue,
        policy: settings.renewalPolicy, workers: workers)
    } catch {
      throw RunFailure(.invariantBroken, "an amount does not fit: \(error)")
    }
    try checkpoint()
    let asOf = settings.asOf ?? merged.newestSnapshot ?? .epoch
    let (subscriptions, shares) = sideBySide(workers: workers) {
      Subscriptions.subscriptions(
        book: purchases, courses: courses, amounts: amounts, asOf: asOf, workers: workers)
    } _: {
      catalogue.proceeds.map {
        proceedsShares(
          book: purchases, courses: courses, amounts: amounts, terms: $0, workers: workers)
      }
    }
    paidline_return_memory()
    return Reconstruction(
      sightings: set, catalogue: catalogue, purchases: purchases, courses: courses,
      amounts: amounts, backtest: backtest,
      reporting: ReportingBook(currency: settings.reporting?.currency, shares: shares ?? []),
      subscriptions: subscriptions, asOf: asOf)
  }

  /// Ends the work where somebody asked for it or the disk is full.
  static func checkpoint() throws(RunFailure) {
    try StopSignal.check()
    try MemoryLimit.check()
  }
}

/// What is stored, with its sightings merged into purchases.
private struct MergedState {
  var set: SightingSet
  var purchases: PurchaseBook
  var newestSnapshot: Instant?

  /// Merges all sightings at once, and keeps them.
  static func withSightings(_ state: StateDatabase, settings: ReconstructSettings)
    throws(RunFailure) -> MergedState
  {
    let set = try state.load(asOf: settings.asOf, extraTexts: settings.texts)
    try Reconstruction.checkpoint()
    do {
      return MergedState(
        set: set,
        purchases: try mergeSightings(
          set, bundleIDs: settings.bundles(in: set.symbols),
          catalogue: settings.catalogue.catalogue(in: set.symbols)),
        newestSnapshot: set.records.lazy.map(\.snapshotAt).max())
    } catch {
      throw RunFailure(.invariantBroken, "\(error)")
    }
  }

  /// Merges share by share, and keeps no sighting.
  static func shareByShare(_ state: StateDatabase, settings: ReconstructSettings, workers: Int)
    throws(RunFailure) -> MergedState
  {
    let loaded = try state.load(
      asOf: settings.asOf, extraTexts: settings.texts, workers: workers
    ) { share throws(RunFailure) in
      try Reconstruction.checkpoint()
      return MergedShare(share, bundleIDs: settings.bundles(in: share.symbols))
    }
    let book = PurchaseBook(
      joining: loaded.shares, loneStorefronts: loaded.loneStorefronts, symbols: loaded.set.symbols,
      workers: workers)
    if var book {
      book.settleHouseholds(
        loaded.set, catalogue: settings.catalogue.catalogue(in: loaded.set.symbols))
      return MergedState(
        set: loaded.set, purchases: book, newestSnapshot: loaded.newestSnapshot)
    }
    var merged = try withSightings(state, settings: settings)
    merged.set.records = []
    merged.set.sightings = []
    merged.set.renewals = []
    return merged
  }
}

extension ReconstructSettings {
  /// The apps that count, as symbols; empty for all.
  fileprivate func bundles(in symbols: SymbolTable) -> Set<BundleID> {
    Set(bundleIDs.compactMap { symbols.symbol($0).map(BundleID.init) })
  }
}
