public import CivilTime
public import ExchangeRates
public import PaidAmounts
public import PriceLearning
public import PurchaseModel
public import Purchases

/// The input of the step decide that all households have in common.
public struct DecidingContext: Sendable {
  /// The price book, learned from all price reports and signed prices.
  public let prices: PriceBook
  /// The facts about products, such as period and kind, collected from all rows.
  public var products: ProductFacts
  /// The prices and price changes known from App Store Connect.
  public var catalogue: Catalogue
  /// The policy for the price of a renewal after a price increase.
  public var policy: RenewalPolicy
  /// The time for which the statuses of subscriptions and offers are computed, UTC.
  public var asOf: Instant
  /// The time until which the exports are complete, at most ``asOf``; `nil` if no day is complete.
  public var completeUntil: Instant?
  /// The reporting currency and its rates; `nil` if the pipeline has none.
  public let reporting: ReportingCurrency?
  /// The prices in Apple's Sales reports, and the number of revenue rows in each cell.
  ///
  /// `nil` without Sales reports.
  public var cells: SalesReportTotals?
  /// The symbol for the text "1": Apple's value for a customer who consented to a price increase.
  ///
  /// `nil` if the data do not contain that text.
  public var consented: Symbol?
  /// The symbols for Apple's expiration intents that are no decisions of the customer: a failed
  /// payment ("2"), a product that is gone ("4").
  let notCancelled: Set<Symbol>
  /// The products that are auto-renewable subscriptions.
  let renewing: Set<ProductID>
  /// The subscription group of each product, computed once from ``products`` and ``catalogue``.
  let subscriptionGroups: [ProductID: SubscriptionGroupID]
  /// The highest prices in the price book; `nil` without a reporting currency.
  let highestPrices: HighestPrices?

  /// Creates the input of the step decide.
  ///
  /// - Parameters:
  ///   - asOf: The time for which the statuses of subscriptions and offers are computed, UTC.
  ///   - reporting: The reporting currency and its rates; `nil` for none.
  ///   - symbols: The symbol table of the run, in which the text "1" is looked up.
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
    notCancelled = Set(["2", "4"].compactMap { symbols.symbol($0) })
    renewing = Set(
      products.kinds(catalogue: catalogue).lazy.filter { $0.value == .autoRenewableSubscription }
        .map(\.key))
    highestPrices = reporting.map { HighestPrices(prices, $0) }
    subscriptionGroups = products.subscriptionGroups(catalogue: catalogue)
  }
}
