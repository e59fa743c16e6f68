public import PurchaseModel

/// The apps that sell each product id.
///
/// Apple's product ids are unique only within one app. If several apps sell an id, each app has its
/// own product with its own prices, period and offers. Example: `pro.monthly` costs 4.99 USD in
/// `com.example.notes` and 9.99 USD in `com.example.maps`.
public struct ProductApps: Hashable, Sendable {
  /// The apps that sell one product id.
  private struct Sellers: Hashable {
    /// The apps that sell the id, in ascending order.
    var apps: [BundleID] = []
    /// The app with nearly all purchases of the id; `nil` if there is none.
    var main: BundleID?
  }

  /// The divisor 20: an app with at most 1/20 of an id's purchases cannot be its main app.
  ///
  /// If exactly one app has more purchases of the id, it is the main app. Reports and catalogue
  /// lines without an app belong to the main app. Without this tolerance, one test purchase in
  /// another app would make these reports and lines ambiguous.
  private static let smallShare = 20

  private var sellers: [Symbol: Sellers] = [:]
  /// Whether several apps sell the same product id.
  public let hasShared: Bool
  /// The app of all purchases; `nil` if several apps have purchases.
  private let onlyApp: BundleID?

  /// Collects the apps that sell each product id.
  ///
  /// - Parameter sold: The number of production purchases per product; the product includes its
  ///   app.
  public init(sold: [ProductID: Int]) {
    var all: Set<BundleID> = []
    var counts: [Symbol: [(app: BundleID, count: Int)]] = [:]
    for (product, count) in sold.sorted(by: { $0.key < $1.key }) where count > 0 {
      guard let app = product.app else { continue }
      counts[product.symbol, default: []].append((app, count))
      all.insert(app)
    }
    sellers = counts.mapValues { apps in
      let whole = apps.reduce(0) { $0 + $1.count }
      let contenders = apps.filter { $0.count * Self.smallShare > whole }
      return Sellers(
        apps: apps.map(\.app), main: contenders.count == 1 ? contenders[0].app : nil)
    }
    hasShared = sellers.values.contains { $0.apps.count > 1 }
    onlyApp = all.count == 1 ? all.first : nil
  }

  /// Returns true if several apps sell the id of a product.
  public func isShared(_ product: ProductID) -> Bool {
    hasShared && sellers[product.symbol, default: Sellers()].apps.count > 1
  }

  /// The product with its app if several apps sell the id; otherwise without an app.
  public func product(_ id: ProductID) -> ProductID { isShared(id) ? id : id.withoutApp }

  /// The product with the given app if several apps sell the id; otherwise without an app.
  public func product(_ id: ProductID, of app: BundleID?) -> ProductID {
    isShared(id) ? ProductID(id.symbol, of: app) : id.withoutApp
  }

  /// The app that sells a product; `nil` if unknown.
  ///
  /// Uses the first app that is known:
  ///
  /// 1. The app in the product itself.
  /// 2. The only app with purchases of the product id.
  /// 3. The only app with any purchases, if no app has purchases of the id.
  public func app(of product: ProductID) -> BundleID? {
    if let app = product.app { return app }
    guard let sellers = sellers[product.symbol] else { return onlyApp }
    return sellers.apps.count == 1 ? sellers.apps[0] : nil
  }

  /// The app with nearly all purchases of an id; `nil` if there is none.
  public func mainApp(of id: ProductID) -> BundleID? { sellers[id.symbol]?.main }

  /// Returns true if an id has purchases, but not in a given app.
  public func isForeign(_ app: BundleID, for id: ProductID) -> Bool {
    sellers[id.symbol].map { !$0.apps.contains(app) } ?? false
  }

  /// Returns true if two tables are equal, or if all purchases of both are in one app.
  ///
  /// In both cases, every product has the same app in both tables.
  public func agrees(with other: ProductApps) -> Bool {
    self == other || (onlyApp != nil && onlyApp == other.onlyApp)
  }

  /// The product ids of the catalogue's lines that are ignored, because several apps sell the id
  /// and the line names none of them.
  public func ignored(in catalogue: Catalogue) -> [ProductID] {
    guard hasShared else { return [] }
    return catalogue.products.filter { id, product in
      isShared(id) && id.app == nil && product.bundle == nil && mainApp(of: id) == nil
    }.map(\.key).sorted()
  }

  /// Returns the catalogue with an app for each product id that several apps sell.
  ///
  /// If several apps sell an id, a line without an app belongs to the main app; without a main app,
  /// the line is ignored, and its price changes are tentative in each app. If only one app sells an
  /// id, the line with that app becomes the line of the id.
  public func settled(_ catalogue: Catalogue) -> Catalogue {
    let named = catalogue.products.values.filter { $0.bundle != nil || $0.productID.app != nil }
    guard hasShared || !named.isEmpty else { return catalogue }
    var settled = catalogue
    settled.products = [:]
    for (id, product) in catalogue.products.sorted(by: { $0.key < $1.key }) {
      let key: ProductID
      if isShared(id) {
        guard let app = id.app ?? product.bundle ?? mainApp(of: id) else {
          for app in sellers[id.symbol]?.apps ?? [] where !product.priceChanges.isEmpty {
            let key = ProductID(id.symbol, of: app)
            settled.products[key, default: Catalogue.Product(productID: key)].tentativeChanges =
              product.priceChanges
          }
          continue
        }
        key = ProductID(id.symbol, of: app)
      } else if let own = id.app, sellers[id.symbol]?.apps == [own] {
        key = id.withoutApp
      } else {
        key = id
      }
      var line = product
      line.productID = key
      line.tentativeChanges = settled.products[key]?.tentativeChanges ?? []
      settled.products[key] = line
    }
    return settled
  }
}

extension Purchase {
  /// The product with the app of the purchase, even if no other app sells the id.
  public var productInApp: ProductID { ProductID(productID.symbol, of: bundle) }
}
