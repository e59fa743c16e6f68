public import CivilTime
public import ExchangeRates
public import PaidAmounts
public import PriceLearning
internal import Proceeds
public import PurchaseModel
public import Purchases

/// What deciding reads beside the households: the same for all of them.
public struct DecidingContext: Sendable {
  /// What learning made of all reports.
  public var prices: PriceBook
  /// What learning makes of the reports alone; `nil` where nothing is signed.
  public var hidden: PriceBook?
  /// What all rows tell of the products.
  public var products: ProductFacts
  /// What App Store Connect knows.
  public var catalogue: Catalogue
  /// What a renewal after a price rise is booked at.
  public var policy: RenewalPolicy
  /// The moment that statuses and maturity are told for.
  public var asOf: Instant
  /// The reporting currency and its rates; `nil` where the pipeline names none.
  public var reporting: ReportingCurrency?
  /// What Apple's reports say, with all rows counted; `nil` where none was read.
  public var cells: AppleCells?
  /// How Apple codes a consent to a price increase; `nil` where no text of the run is "1".
  public var consented: Symbol?
  /// By product, computed once from ``products`` and ``catalogue``.
  let subscriptionGroups: [ProductID: SubscriptionGroupID]

  /// Gathers what deciding reads.
  ///
  /// - Parameters:
  ///   - prices: What learning made of all reports.
  ///   - products: What all rows tell of the products.
  ///   - catalogue: What App Store Connect knows.
  ///   - policy: What a renewal after a price rise is booked at.
  ///   - asOf: The moment that statuses and maturity are told for.
  ///   - reporting: The reporting currency and its rates; `nil` for none.
  ///   - symbols: The texts of the run.
  public init(
    prices: PriceBook, products: ProductFacts, catalogue: Catalogue, policy: RenewalPolicy,
    asOf: Instant, reporting: ReportingCurrency?, symbols: SymbolTable
  ) {
    self.prices = prices
    self.products = products
    self.catalogue = catalogue
    self.policy = policy
    self.asOf = asOf
    self.reporting = reporting
    consented = symbols.symbol("1")
    subscriptionGroups = products.subscriptionGroups(catalogue: catalogue)
  }
}
