/// The true status of a subscription chain as of the newest snapshot, as far as responses show it.
public struct TruthSubscription: Hashable, Sendable {
  /// The `original_transaction_id` of the chain.
  public var originalTransactionID: String
  /// `trial`, `intro`, `promo`, `active`, `grace`, `billing_retry`, `expired` or `revoked`.
  public var status: String

  /// Creates a subscription from its fields.
  public init(originalTransactionID: String, status: String) {
    self.originalTransactionID = originalTransactionID
    self.status = status
  }
}

/// The offers that a customer may truly have in a subscription group, with the reasons.
public struct TruthEligibility: Hashable, Sendable {
  /// Any chain of the customer in the group: exports name customers, and warehouses hash them.
  public var originalTransactionID: String
  /// The subscription group's id.
  public var groupID: String
  /// `eligible`, `used_trial`, `used_intro`, `active`, `in_grace_period` or `refunded`.
  public var introReason: String
  /// Whether a promotional offer may be shown.
  public var isPromoEligible: Bool

  /// Creates the expected eligibility of a subscription.
  public init(
    originalTransactionID: String, groupID: String, introReason: String, isPromoEligible: Bool
  ) {
    self.originalTransactionID = originalTransactionID
    self.groupID = groupID
    self.introReason = introReason
    self.isPromoEligible = isPromoEligible
  }
}
