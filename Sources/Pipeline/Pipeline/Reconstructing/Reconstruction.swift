internal import CivilTime
internal import CProcess
internal import Diagnostics
internal import ExchangeRates
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import Reconciling
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
  /// The products of the catalogue's lines that are ignored, because they lack an app.
  let ignoredLines: [ProductID]
  /// The number of Apple accounts whose receipts were passed on.
  let passedOnCount: Int
  /// The reporting currency and its rates; `nil` if the pipeline has none.
  let reporting: ReportingCurrency?
  /// The as-of time, for which statuses are computed.
  let asOf: Instant

  /// The products in price reports.
  let reported: Set<ProductID>
  /// The reason why all keys were news; `nil` if only some were.
  let reason: AllKeysReason?
  /// The published rows that the facts replace; `nil` if they replace all rows.
  let scope: FactScope?
  /// Apple's reports; `nil` if there are none.
  let appleReports: ReconciledReports?
  /// The rows to keep for the next run; `nil` if the next run must decide all rows.
  let nextRunRows: NextRunRows?

  /// Throws if a signal has requested the end of the program.
  static func checkpoint() throws(RunFailure) { try StopSignal.check() }
}

extension ReconstructSettings {
  /// The apps to include, as symbols; empty if all apps are included.
  func bundles(in symbols: SymbolTable) -> Set<BundleID> {
    Set(bundleIDs.compactMap { symbols.symbol($0).map(BundleID.init) })
  }
}
