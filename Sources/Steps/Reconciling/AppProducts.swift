/// The apps that sell each product, as Apple's reports name them, so that products of a vendor's
/// other apps are distinguished from products that no receipt shows.
public struct AppProducts: Hashable, Sendable {
  private var apps: [String: Set<String>] = [:]
  private var knownApps: Set<String> = []
  /// The products of the facts and of the catalogue; `nil` before they are set: then all are known.
  private var known: Set<String>?

  /// Begins without any product.
  public init() {}

  /// Adds one product that an app sells.
  ///
  /// - Parameters:
  ///   - app: The app's SKU or Apple ID, whichever the report has.
  ///   - productID: The product.
  public mutating func add(app: String, sells productID: String) {
    apps[productID, default: []].insert(app)
    if known?.contains(productID) == true { knownApps.insert(app) }
  }

  /// Sets the products of the facts and of the catalogue.
  public mutating func know(_ products: Set<String>) {
    known = products
    knownApps = products.reduce(into: []) { $0.formUnion(apps[$1] ?? []) }
  }

  /// The pairs of a product and an app that were taken in, in a fixed order.
  public var pairs: [(productID: String, app: String)] {
    apps.keys.sorted().flatMap { product in
      (apps[product] ?? []).sorted().map { (product, $0) }
    }
  }

  /// Whether a product belongs to apps none of whose products is known.
  ///
  /// For example `chess.gold` of the app `CHESS`, where the facts know only `pro` of `NOTES`.
  /// Products whose app is not reported are never other products.
  public func isOther(_ productID: String) -> Bool {
    guard let known, !known.contains(productID), let sellers = apps[productID] else { return false }
    return sellers.isDisjoint(with: knownApps)
  }

  /// Whether an app sells products, and none that is known.
  public func isOther(app: String) -> Bool {
    known != nil && !knownApps.contains(app) && apps.values.contains { $0.contains(app) }
  }
}
