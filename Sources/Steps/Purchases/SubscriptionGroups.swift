public import PurchaseModel

extension PurchaseBook {
  /// Gives each subscription row of revenue without a group the group of its product.
  ///
  /// `receipt.in_app` and receipts of iOS 6 never name a group. But a product belongs to one, and a
  /// customer who used an offer in it stays ineligible for another.
  ///
  /// - Parameter groups: See ``ProductFacts/subscriptionGroups(catalogue:)``.
  public mutating func nameSubscriptionGroups(_ groups: [ProductID: SubscriptionGroupID]) {
    for row in 0..<revenueCount
    where purchases[row].isSubscription && purchases[row].subscriptionGroupID == nil {
      purchases[row].subscriptionGroupID = groups[purchases[row].productID]
    }
  }
}
