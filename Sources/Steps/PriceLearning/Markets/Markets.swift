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
  /// Product in the upper, currency in the lower half, ascending.
  private var keys: [UInt64] = []

  /// The markets of the reports and the catalogue.
  init(reports: [PlacedReport], catalogue: Catalogue) {
    var seen: Set<UInt64> = []
    for report in reports { seen.insert(Self.key(report.productID, report.currency)) }
    for product in catalogue.products.values {
      for currency in product.currencies { seen.insert(Self.key(product.productID, currency)) }
    }
    keys = seen.sorted()
  }

  /// The markets of some products and currencies.
  init(_ pairs: [(product: ProductID, currency: Currency)]) {
    keys = Set(pairs.map { Self.key($0.product, $0.currency) }).sorted()
  }

  /// The number of markets.
  public var count: Int { keys.count }

  /// The market of a product and a currency; `nil` if nothing prices it.
  public func index(_ product: ProductID, _ currency: Currency) -> MarketIndex? {
    let key = Self.key(product, currency)
    let place = keys.firstPosition { $0 >= key }
    return place < keys.count && keys[place] == key ? MarketIndex(Int32(place)) : nil
  }

  /// The product of a market.
  public func product(_ market: MarketIndex) -> ProductID {
    ProductID(Symbol(rawValue: UInt32(truncatingIfNeeded: keys[Int(market.rawValue)] >> 32)))
  }

  /// The currency of a market.
  public func currency(_ market: MarketIndex) -> Currency {
    Currency(rawValue: UInt32(truncatingIfNeeded: keys[Int(market.rawValue)]))
  }

  private static func key(_ product: ProductID, _ currency: Currency) -> UInt64 {
    UInt64(product.symbol.rawValue) << 32 | UInt64(currency.rawValue)
  }
}

extension Catalogue.Product {
  /// The currencies that the catalogue says anything of.
  fileprivate var currencies: Set<Currency> {
    Set(priceChanges.map(\.currency)).union(prices.map(\.currency)).union(offers.map(\.currency))
  }
}
