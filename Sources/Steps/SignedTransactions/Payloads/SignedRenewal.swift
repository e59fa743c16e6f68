public import CivilTime
public import PurchaseModel

/// The renewal state of a chain as Apple signs it (`JWSRenewalInfoDecodedPayload`).
///
/// Its fields become a ``RenewalObservation``: fields of the same name are equal;
/// ``priceIncreaseStatus`` 0 is "0", asked, and 1 is "1", consented. ``renewalPrice`` is a forecast
/// and never revenue.
///
/// A subscription that the customer has switched off, and that ends with this month, has
/// `autoRenewStatus` false and no `expirationIntent` yet.
public struct SignedRenewal: Hashable, Sendable {
  /// `originalTransactionId`.
  public var originalTransactionID: String
  /// `productId`: the product that would end.
  public var productID: String?
  /// `autoRenewProductId`: the product of the next renewal.
  public var autoRenewProductID: String?
  /// `autoRenewStatus`: whether the subscription will renew; a choice, not a status.
  public var autoRenewStatus: Bool?
  /// `expirationIntent`: why it expired, 1 to 5.
  public var expirationIntent: Int64?
  /// `isInBillingRetryPeriod`: whether Apple still tries to charge.
  public var isInBillingRetry: Bool?
  /// `gracePeriodExpiresDate`: until when an unpaid subscription still gives access.
  public var gracePeriodExpiresAt: Instant?
  /// `priceIncreaseStatus`: 0 asked, 1 consented or not needed.
  public var priceIncreaseStatus: Int64?
  /// The offer of the next renewal, if any.
  public var offer: SignedOffer?
  /// `recentSubscriptionStartDate`: since when it runs without a gap of more than 60 days.
  public var recentStartAt: Instant?
  /// `renewalDate`: when it renews or expires.
  public var renewsAt: Instant?
  /// `renewalPrice` with `currency`: the expected price of the next renewal.
  public var renewalPrice: SignedPrice?
  /// `eligibleWinBackOfferIds`: which win-back offers the customer may have.
  public var winBackOfferIDs: [String] = []
  /// `environment`, else that of the innermost answer or notification around; `nil` where nothing
  /// names one, as in what was signed before February 2022.
  public var environment: StoreEnvironment?
  /// `signedDate`: the time of Apple's signature; `nil` in an unsigned payload without it.
  public var signedAt: Instant?
  /// `appAccountToken`: the customer's UUID in the app, if the app gave one.
  public var accountToken: String?
  /// `appTransactionId`: one for each Apple account and app.
  public var appTransactionID: String?

  /// Creates a renewal state of a chain; all other fields are `nil`.
  public init(originalTransactionID: String) {
    self.originalTransactionID = originalTransactionID
  }
}
