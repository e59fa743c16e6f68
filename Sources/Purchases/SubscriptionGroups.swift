public import CivilTime
public import PurchaseModel

extension PurchaseBook {
  /// The subscription group that each product's newest revenue row names; of equally new rows the
  /// larger.
  public var subscriptionGroups: [ProductID: (at: Instant, group: SubscriptionGroupID)] {
    var groups: [ProductID: (at: Instant, group: SubscriptionGroupID)] = [:]
    for row in 0..<revenueCount {
      guard let group = purchases[row].subscriptionGroupID else { continue }
      let (product, at) = (purchases[row].productID, purchases[row].purchasedAt)
      if groups[product].map({ $0 < (at, group) }) ?? true { groups[product] = (at, group) }
    }
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
