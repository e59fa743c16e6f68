/// The names of the constants that Apple's App Store Server Library has for Apple's numbers.
///
/// A server that stores the objects of the library for Java writes the name of a constant where
/// Apple's payload has a number.
enum ConstantNames {
  /// Returns the number of a constant; `nil` for any other text.
  ///
  /// Example: `INTRODUCTORY_OFFER` of `offerType` → 1.
  static func number(_ name: String, of key: PayloadKey) -> Int64? {
    switch key {
    case .offerType: offerTypes[name]
    case .autoRenewStatus, .commitmentAutoRenewStatus: switches[name]
    case .revocationReason: revocationReasons[name]
    case .expirationIntent: expirationIntents[name]
    case .priceIncreaseStatus: priceIncreaseStatuses[name]
    case .status: statuses[name]
    case .isUpgraded, .isInBillingRetry: flags[name.lowercased()]
    default: nil
    }
  }

  private static let offerTypes: [String: Int64] = [
    "INTRODUCTORY_OFFER": 1, "PROMOTIONAL_OFFER": 2, "OFFER_CODE": 3, "WIN_BACK_OFFER": 4,
  ]
  /// The words of databases that write each value as text.
  private static let flags: [String: Int64] = ["false": 0, "f": 0, "true": 1, "t": 1]
  private static let switches: [String: Int64] = ["OFF": 0, "ON": 1]
  private static let revocationReasons: [String: Int64] = [
    "REFUNDED_FOR_OTHER_REASON": 0, "REFUNDED_DUE_TO_ISSUE": 1,
  ]
  private static let expirationIntents: [String: Int64] = [
    "CUSTOMER_CANCELLED": 1, "BILLING_ERROR": 2, "CUSTOMER_DID_NOT_CONSENT_TO_PRICE_INCREASE": 3,
    "PRODUCT_NOT_AVAILABLE": 4, "OTHER": 5,
  ]
  private static let priceIncreaseStatuses: [String: Int64] = [
    "CUSTOMER_HAS_NOT_RESPONDED": 0,
    "CUSTOMER_CONSENTED_OR_WAS_NOTIFIED_WITHOUT_NEEDING_CONSENT": 1,
  ]
  private static let statuses: [String: Int64] = [
    "ACTIVE": 1, "EXPIRED": 2, "BILLING_RETRY": 3, "BILLING_GRACE_PERIOD": 4, "REVOKED": 5,
  ]
}
