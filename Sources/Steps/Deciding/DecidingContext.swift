public import CivilTime
public import ExchangeRates
public import PaidAmounts
public import PriceLearning
internal import Proceeds
public import PurchaseModel
public import Purchases

/// The input of deciding that is the same for all households.
public struct DecidingContext: Sendable {
  /// The price book, learned from all reports and signed prices.
  public let prices: PriceBook
  /// The price book learned only from the reports; `nil` if no price is signed.
  public var hidden: PriceBook?
  /// The facts about products that all rows show.
  public var products: ProductFacts
  /// The prices and price changes known from App Store Connect.
  public var catalogue: Catalogue
  /// The price that a renewal after a price rise is booked at.
  public var policy: RenewalPolicy
  /// The time for which statuses and maturity are computed.
  public var asOf: Instant
  /// The reporting currency and its rates; `nil` if the pipeline names none.
  public let reporting: ReportingCurrency?
  /// The cells of Apple's reports, with all rows counted; `nil` without reports.
  public var cells: SalesReportTotals?
  /// The symbol of Apple's code for a consent to a price increase, the text "1"; `nil` if the run
  /// never met that text.
  public var consented: Symbol?
  /// By product, computed once from ``products`` and ``catalogue``.
  let subscriptionGroups: [ProductID: SubscriptionGroupID]
  /// The dearest prices of ``prices``; `nil` without a reporting currency.
  let dearest: DearestPrices?

  /// Gathers the input of deciding.
  ///
  /// - Parameters:
  ///   - prices: The price book, learned from all reports and signed prices.
  ///   - products: The facts about products that all rows show.
  ///   - catalogue: The prices and price changes known from App Store Connect.
  ///   - policy: The price that a renewal after a price rise is booked at.
  ///   - asOf: The moment for which statuses and maturity are told.
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
    dearest = reporting.map { DearestPrices(prices, $0) }
    subscriptionGroups = products.subscriptionGroups(catalogue: catalogue)
  }
}
