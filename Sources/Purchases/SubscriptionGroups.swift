public import CivilTime
public import PurchaseModel

extension PurchaseBook {
  /// The subscription group that each product's newest revenue row names; of equally new rows the
  /// larger.
  public var subscriptionGroups: [ProductID: (at: Instant, group: SubscriptionGroupID)] {
    var groups: [ProductID: (at: Instant, group: SubscriptionGroupID)] = [:]
    // Neighbours are of one chain and mostly of one product, which is looked up once.
    var product: ProductID?
    var newest: (at: Instant, group: SubscriptionGroupID)?
    for row in 0..<revenueCount {
      guard let group = purchases[row].subscriptionGroupID else { continue }
      if purchases[row].productID != product {
        if let product { groups[product] = newest }
        product = purchases[row].productID
        newest = groups[purchases[row].productID]
      }
      let named = (at: purchases[row].purchasedAt, group: group)
      if newest.map({ $0 < named }) ?? true { newest = named }
    }
    if let product { groups[product] = newest }
    return groups
  }

  /// Gives each subscription row of revenue whose sightings name no group the group of its product:
  /// the catalogue's, else the one that other rows of the product name.
  ///
  /// `receipt.in_app` and receipts of iOS 6 never name a group, but a product belongs to one, and
  /// an offer that was used in it stays used (RULES section 4, "Eligibility").
  ///
  /// - Parameter catalogue: What App Store Connect knows of products.
  public mutating func nameSubscriptionGroups(by catalogue: Catalogue) {
    let nameless = (0..<revenueCount).filter {
      purchases[$0].isSubscription && purchases[$0].subscriptionGroupID == nil
    }
    guard !nameless.isEmpty else { return }
    let known = subscriptionGroups
    for row in nameless {
      let product = purchases[row].productID
      purchases[row].subscriptionGroupID =
        catalogue.products[product]?.subscriptionGroupID ?? known[product]?.group
    }
  }
}
