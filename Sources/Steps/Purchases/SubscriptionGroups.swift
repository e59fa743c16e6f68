public import PurchaseModel

extension PurchaseHistory {
  /// Sets the missing subscription groups of revenue rows, from the product of each row.
  ///
  /// `receipt.in_app` and receipts of iOS 6 have no group. The group is needed for eligibility: a
  /// customer who used an offer in a group stays ineligible for another offer in the same group.
  public mutating func nameSubscriptionGroups(_ groups: [ProductID: SubscriptionGroupID]) {
    for row in 0..<revenueCount
    where purchases[row].isSubscription && purchases[row].subscriptionGroupID == nil {
      purchases[row].subscriptionGroupID = groups[purchases[row].productID]
    }
  }
}
