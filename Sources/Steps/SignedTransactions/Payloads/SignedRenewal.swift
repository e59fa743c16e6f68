public import CivilTime
public import PurchaseModel

/// The renewal state of a chain as Apple signs it (`JWSRenewalInfoDecodedPayload`).
///
/// The fields become fields of a ``RenewalObservation``, where equal names have equal meanings.
/// ``priceIncreaseStatus`` 0 becomes "0" (not answered yet), and 1 becomes "1" (consented).
/// Other forecasts, such as `renewalPrice`, are not read.
///
/// Example: auto-renewal is off, and the paid month has not ended: `autoRenewStatus` is false and
/// `expirationIntent` is missing.
public struct SignedRenewal: Hashable, Sendable {
  /// `originalTransactionId`: the id of the chain.
  public var originalTransactionID: String
  /// `productId`: the product of the current period.
  public var productID: String?
  /// `autoRenewProductId`: the product of the next renewal.
  public var autoRenewProductID: String?
  /// `autoRenewStatus`: whether auto-renewal is on; a choice of the customer, not a status.
  public var autoRenewStatus: Bool?
  /// `expirationIntent`: the reason for the expiry, 1 to 5.
  public var expirationIntent: Int64?
  /// `isInBillingRetryPeriod`: whether Apple is still trying to charge.
  public var isInBillingRetry: Bool?
  /// `gracePeriodExpiresDate`: the end of the grace period, in which an unpaid subscription gives
  /// access.
  public var gracePeriodExpiresAt: Instant?
  /// `priceIncreaseStatus`: 0 not answered yet, 1 consented or not needed.
  public var priceIncreaseStatus: Int64?
  /// `commitmentInfo` and `renewalBillingPlanType`; `nil` outside of commitment plans.
  public var commitment: NextCommitment?
  /// `recentSubscriptionStartDate`: the beginning of the subscription.
  ///
  /// A gap of more than 60 days starts a new subscription.
  public var recentStartAt: Instant?
  /// `environment`, else the environment of the innermost enclosing response or notification.
  ///
  /// `nil` if none of these objects has an environment, as before February 2022.
  public var environment: StoreEnvironment?
  /// `signedDate`: the time of Apple's signature; `nil` if an unsigned payload lacks the date.
  public var signedAt: Instant?
  /// `appAccountToken`: the customer's UUID in the app; `nil` if the app set none.
  public var accountToken: String?
}
