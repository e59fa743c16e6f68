public import Amounts
internal import Parallel
public import PurchaseModel

/// A product in a currency, by its position in ``Markets``.
public struct MarketIndex: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The position, from 0.
  public let rawValue: Int32
  /// Names a market.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }
  /// The order of product, then currency.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Every product × currency that a report or the catalogue prices, by product, then currency.
///
/// For example `pro.monthly` in EUR is one market, whatever storefronts sell in euros.
public struct Markets: Sendable {
  private struct Key: Hashable, Comparable {
    var product: ProductID
    var currency: Currency

    static func < (left: Key, right: Key) -> Bool {
      (left.product, left.currency) < (right.product, right.currency)
    }
  }

  private var keys: [Key] = []

  /// The markets of the reports and the catalogue.
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

  /// The markets of some products and currencies.
  init(_ pairs: [(product: ProductID, currency: Currency)]) {
    keys = Set(pairs.map { Key(product: $0.product, currency: $0.currency) }).sorted()
  }

  /// The number of markets.
  public var count: Int { keys.count }

  /// The market of a product and a currency; `nil` if nothing prices it.
  public func index(_ product: ProductID, _ currency: Currency) -> MarketIndex? {
    let key = Key(product: product, currency: currency)
    let place = keys.firstPosition { $0 >= key }
    return place < keys.count && keys[place] == key ? MarketIndex(Int32(place)) : nil
  }

  /// The product of a market.
  public func product(_ market: MarketIndex) -> ProductID { keys[Int(market.rawValue)].product }

  /// The currency of a market.
  public func currency(_ market: MarketIndex) -> Currency {
    keys[Int(market.rawValue)].currency
  }
}

extension Catalogue.Product {
  /// The currencies that the catalogue mentions.
  fileprivate var currencies: Set<Currency> {
    Set(priceChanges.map(\.currency)).union(prices.map(\.currency)).union(offers.map(\.currency))
  }
}
