public import Amounts
internal import Parallel
public import PurchaseModel

/// The index of a market, which is a product in a currency, in ``Markets``.
///
/// The instalments of a product are markets of their own.
public struct MarketIndex: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The position, from 0.
  public let rawValue: Int32
  /// Creates an index from a position.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }
  /// Orders markets by product, then currency, then instalment.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// All pairs of a product and a currency that have a price in reports or in the catalogue; sorted
/// by product, then currency.
///
/// Example: `pro.monthly` in EUR is one market for all storefronts in euros. If `pro.yearly` can be
/// paid in twelve months, the year and the month in EUR are two markets.
public struct Markets: Sendable {
  private struct Key: Hashable, Comparable {
    var product: ProductID
    var currency: Currency
    var instalment: Instalment?

    static func < (left: Key, right: Key) -> Bool {
      if left.product != right.product { return left.product < right.product }
      if left.currency != right.currency { return left.currency < right.currency }
      guard let instalment = right.instalment else { return false }
      return left.instalment.map { $0 < instalment } ?? true
    }
  }

  private var keys: [Key] = []

  init(reports: some Sequence<PlacedReport>, catalogue: Catalogue) {
    var seen: Set<Key> = []
    for report in reports {
      seen.insert(
        Key(
          product: report.productID, currency: report.currency, instalment: report.instalment))
    }
    for (id, product) in catalogue.products {
      for currency in product.currencies { seen.insert(Key(product: id, currency: currency)) }
    }
    keys = seen.sorted()
  }

  init(_ known: [(product: ProductID, currency: Currency, instalment: Instalment?)]) {
    keys = Set(
      known.map { Key(product: $0.product, currency: $0.currency, instalment: $0.instalment) }
    ).sorted()
  }

  /// The number of markets.
  public var count: Int { keys.count }

  /// The market of a product and a currency; `nil` if neither reports nor the catalogue have a
  /// price.
  ///
  /// `instalment` is `nil` for the price of a whole period.
  public func index(
    _ product: ProductID, _ currency: Currency, _ instalment: Instalment? = nil
  ) -> MarketIndex? {
    let key = Key(product: product, currency: currency, instalment: instalment)
    let place = keys.firstPosition { $0 >= key }
    return place < keys.count && keys[place] == key ? MarketIndex(Int32(place)) : nil
  }

  /// The product of a market.
  public func product(_ market: MarketIndex) -> ProductID { keys[Int(market.rawValue)].product }

  /// The market of a report's price.
  func index(of report: PlacedReport) -> MarketIndex? {
    index(report.productID, report.currency, report.instalment)
  }

  /// The market of the same product and instalment in another currency; `nil` without a price.
  func index(of market: MarketIndex, in currency: Currency) -> MarketIndex? {
    index(product(market), currency, instalment(market))
  }

  /// The instalment for which the prices of a market pay; `nil` for a whole period.
  public func instalment(_ market: MarketIndex) -> Instalment? {
    keys[Int(market.rawValue)].instalment
  }

  /// The currency of a market; every market has exactly one currency.
  public func currency(_ market: MarketIndex) -> Currency {
    keys[Int(market.rawValue)].currency
  }
}

extension Catalogue {
  /// The catalogue's entry of a market's product; `nil` for an unlisted product.
  ///
  /// The list prices and the period apply to whole periods, so an instalment has neither. Price
  /// changes apply to both.
  func product(of market: MarketIndex, in markets: Markets) -> Product? {
    guard var product = products[markets.product(market)] else { return nil }
    guard markets.instalment(market) != nil else { return product }
    product.prices = []
    product.subscriptionPeriod = nil
    return product
  }
}

extension Catalogue.Product {
  /// The currencies in which the catalogue has prices or price changes of the product.
  fileprivate var currencies: Set<Currency> {
    Set(priceChanges.map(\.currency)).union(prices.map(\.currency)).union(offers.map(\.currency))
  }
}
