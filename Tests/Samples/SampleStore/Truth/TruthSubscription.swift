/// The true status of a subscription chain at the time of the newest response.
public struct TruthSubscription: Hashable, Sendable {
  /// The `original_transaction_id` of the chain.
  public var originalTransactionID: String
  /// `trial`, `intro`, `promo`, `active`, `grace`, `billing_retry`, `expired` or `revoked`.
  public var status: String
  /// Whether the exports show what followed the end of the chain's last row.
  public var isEndSeen: Bool

  /// Creates a subscription from its fields.
  public init(originalTransactionID: String, status: String, isEndSeen: Bool = true) {
    self.originalTransactionID = originalTransactionID
    self.status = status
    self.isEndSeen = isEndSeen
  }
}

/// A customer's true eligibility for offers in a subscription group, with the reason.
public struct TruthEligibility: Hashable, Sendable {
  /// Any chain of the customer in the group.
  ///
  /// It replaces the customer's id, which warehouses hash.
  public var originalTransactionID: String
  /// The subscription group's id.
  public var groupID: String
  /// `eligible`, `used_trial`, `used_intro`, `active`, `in_grace_period` or `refunded`.
  public var introReason: String
  /// Whether a promotional offer may be shown.
  public var isPromoEligible: Bool

  /// Creates an eligibility from its fields.
  public init(
    originalTransactionID: String, groupID: String, introReason: String, isPromoEligible: Bool
  ) {
    self.originalTransactionID = originalTransactionID
    self.groupID = groupID
    self.introReason = introReason
    self.isPromoEligible = isPromoEligible
  }
}
