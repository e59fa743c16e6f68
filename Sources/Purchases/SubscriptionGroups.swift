public import PurchaseModel

extension PurchaseBook {
  /// Gives each subscription row of revenue whose sightings name no group the group of its product.
  ///
  /// `receipt.in_app` and receipts of iOS 6 never name a group, but a product belongs to one, and
  /// an offer that was used in it stays used (RULES section 4, "Eligibility").
  ///
  /// - Parameter groups: See ``ProductFacts/subscriptionGroups(catalogue:)``.
  public mutating func nameSubscriptionGroups(_ groups: [ProductID: SubscriptionGroupID]) {
    for row in 0..<revenueCount
    where purchases[row].isSubscription && purchases[row].subscriptionGroupID == nil {
      purchases[row].subscriptionGroupID = groups[purchases[row].productID]
    }
  }
}
