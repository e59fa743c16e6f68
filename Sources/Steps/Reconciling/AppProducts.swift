/// The apps that sell each product, according to Apple's reports.
///
/// The apps show whether a product without a receipt belongs to another app of the vendor.
public struct AppProducts: Hashable, Sendable {
  private var apps: [String: Set<String>] = [:]
  private var knownApps: Set<String> = []
  /// The products of the facts and of the catalogue; `nil` until they are set.
  ///
  /// Until then, no product is treated as a product of another app.
  private var known: Set<String>?

  /// Creates a table without products.
  public init() {}

  /// Adds a product and the app that sells it.
  public mutating func add(app: String, sells productID: String) {
    apps[productID, default: []].insert(app)
    if known?.contains(productID) == true { knownApps.insert(app) }
  }

  /// Sets the known products: the products of the facts and of the catalogue.
  public mutating func addProducts(_ products: Set<String>) {
    known = products
    knownApps = products.reduce(into: []) { $0.formUnion(apps[$1] ?? []) }
  }

  /// Returns true if a product belongs to another app of the vendor.
  ///
  /// This is true if the facts and the catalogue contain neither the product nor another product of
  /// the apps that sell the product. Example: the facts only have `pro` of the app `NOTES`, and the
  /// app `CHESS` sells `chess.gold`; then `chess.gold` → true. The result is false if no
  /// report assigns the product to an app.
  public func isOther(_ productID: String) -> Bool {
    guard let known, !known.contains(productID), let sellers = apps[productID] else { return false }
    return sellers.isDisjoint(with: knownApps)
  }

  /// Returns true if an app sells products, but none of them is in the facts or the catalogue.
  public func isOther(app: String) -> Bool {
    known != nil && !knownApps.contains(app) && apps.values.contains { $0.contains(app) }
  }
}
