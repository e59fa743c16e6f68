public import Amounts
internal import Parallel
public import PurchaseModel

/// The index of a market, which is a product in a currency, in ``Markets``.
public struct MarketIndex: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The position, from 0.
  public let rawValue: Int32
  /// Creates an index from a position.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }
  /// Orders markets by product, then currency.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// All pairs of a product and a currency that have a price in reports or in the catalogue; sorted
/// by product, then currency.
///
/// Example: `pro.monthly` in EUR is one market for all storefronts in euros.
public struct Markets: Sendable {
  private struct Key: Hashable, Comparable {
    var product: ProductID
    var currency: Currency

    static func < (left: Key, right: Key) -> Bool {
      (left.product, left.currency) < (right.product, right.currency)
    }
  }

  private var keys: [Key] = []

  init(reports: [PlacedReport], catalogue: Catalogue) {
    var seen: Set<Key> = []
    for report in reports {
      seen.insert(Key(product: report.productID, currency: report.currency))
    }
    for (id, product) in catalogue.products {
      for currency in product.currencies { seen.insert(Key(product: id, currency: currency)) }
    }
    keys = seen.sorted()
  }

  init(_ pairs: [(product: ProductID, currency: Currency)]) {
    keys = Set(pairs.map { Key(product: $0.product, currency: $0.currency) }).sorted()
  }

  /// The number of markets.
  public var count: Int { keys.count }

  /// The market of a product and a currency; `nil` if neither reports nor the catalogue have a
  /// price.
  public func index(_ product: ProductID, _ currency: Currency) -> MarketIndex? {
    let key = Key(product: product, currency: currency)
    let place = keys.firstPosition { $0 >= key }
    return place < keys.count && keys[place] == key ? MarketIndex(Int32(place)) : nil
  }

  /// The product of a market.
  public func product(_ market: MarketIndex) -> ProductID { keys[Int(market.rawValue)].product }

  /// The currency of a market; every market has exactly one currency.
  public func currency(_ market: MarketIndex) -> Currency {
    keys[Int(market.rawValue)].currency
  }
}

extension Catalogue.Product {
  /// The currencies in which the catalogue has prices or price changes of the product.
  fileprivate var currencies: Set<Currency> {
    Set(priceChanges.map(\.currency)).union(prices.map(\.currency)).union(offers.map(\.currency))
  }
}
