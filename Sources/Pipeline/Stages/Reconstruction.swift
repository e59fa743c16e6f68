internal import CivilTime
internal import Diagnostics
internal import PaidAmounts
internal import Proceeds
internal import PurchaseModel
internal import Purchases
internal import Subscriptions
internal import Warehouse

/// All facts of a pipeline in memory: the pure rules, one after another.
struct Reconstruction {
  var sightings: SightingSet
  var catalogue: Catalogue
  var purchases: PurchaseBook
  var courses: PurchaseCourses
  var amounts: PaidAmountBook
  var reporting: ReportingBook
  var subscriptions: SubscriptionBook
  var asOf: Instant

  /// Applies the rules to everything that is stored.
  ///
  /// - Parameters:
  ///   - state: The working database.
  ///   - settings: Everything but the exports that facts follow from.
  ///   - isForPublishing: Whether to let go of the single sightings, which are half of the memory
  ///     and which only an explanation still asks for.
  /// - Returns: The facts.
  /// - Throws: What the state or the rules throw.
  static func of(
    _ state: StateDatabase, settings: ReconstructSettings, isForPublishing: Bool = false
  ) throws(RunFailure) -> Reconstruction {
    var set = try state.load(asOf: settings.asOf, extraTexts: settings.texts)
    try StopSignal.check()
    let catalogue = settings.catalogue.catalogue(in: set.symbols)
    let bundles = Set(
      settings.bundleIDs.compactMap { set.symbols.symbol($0).map(BundleID.init) })
    let purchases: PurchaseBook
    do {
      purchases = try mergeSightings(set, bundleIDs: bundles)
    } catch {
      throw RunFailure(.invariantBroken, "\(error)")
    }
    try StopSignal.check()
    let courses = Purchases.courses(of: purchases, catalogue: catalogue)
    let amounts: PaidAmountBook
    do {
      amounts = try paidAmounts(
        book: purchases, courses: courses, set: set, catalogue: catalogue,
        policy: settings.renewalPolicy)
    } catch {
      throw RunFailure(.invariantBroken, "an amount does not fit: \(error)")
    }
    try StopSignal.check()
    let shares = catalogue.proceeds.map {
      proceedsShares(book: purchases, courses: courses, amounts: amounts, terms: $0)
    }
    let asOf = settings.asOf ?? set.defaultAsOf
    if isForPublishing {
      set.records = []
      set.sightings = []
      set.renewals = []
    }
    let subscriptions = Subscriptions.subscriptions(
      book: purchases, courses: courses, amounts: amounts, asOf: asOf)
    return Reconstruction(
      sightings: set, catalogue: catalogue, purchases: purchases, courses: courses,
      amounts: amounts,
      reporting: ReportingBook(currency: settings.reporting?.currency, shares: shares ?? []),
      subscriptions: subscriptions, asOf: asOf)
  }
}
