public import CivilTime
public import PurchaseModel

/// A transaction as Apple signs it (`JWSTransactionDecodedPayload`): one observation of a purchase.
///
/// Its fields become fields of a ``TransactionObservation`` and of its ``ReceiptRecord``:
///
/// | Field | Becomes |
/// |---|---|
/// | ``signedAt`` | `snapshotAt`, with rank `latest`; signed data wins if times are equal |
/// | ``transactionID``, ``originalTransactionID``, ``lineItemID`` | fields with these names |
/// | ``productID``, ``subscriptionGroupID``, ``quantity`` | fields with these names |
/// | ``purchasedAt``, ``originalPurchasedAt``, ``expiresAt`` | fields with these names |
/// | ``isTrial``, ``isIntroductory`` | `isTrialPeriod`, `isInIntroOfferPeriod` |
/// | ``isUpgraded`` | `isUpgraded` |
/// | ``offer`` of kind 2, 4 or 5 | `promotionalOfferID`: the offer's identifier |
/// | ``offer`` of kind 3 | `offerCodeRefName`: the offer's identifier |
/// | ``revocation`` | `cancelledAt`, `cancellationReason`; `refund` is the refunded part |
/// | ``ownership`` | `ownership` |
/// | ``environment``, ``bundleID`` | `isSandbox`, `bundle` of the record |
/// | ``storefront`` | the storefront in `signed` |
/// | ``accountToken`` | the customer, if the record has no customer id |
/// | ``price`` | the signed price of the whole quantity, which is never multiplied |
///
/// Example: a renewal of `pro.monthly` at 9.99 USD that Apple signed on 2024-05-01 has the price
/// 9,990, no offer, and `isTrial` false: the purchase costs exactly 9.99 USD.
public struct SignedTransaction: Hashable, Sendable {
  /// `transactionId`; one purchase may appear under several ids.
  public var transactionID: String
  /// `originalTransactionId`; if missing, the `transactionId`.
  public var originalTransactionID: String
  /// `webOrderLineItemId`; present only for subscriptions.
  public var lineItemID: String?
  /// The `bundleId` of the app.
  public var bundleID: String?
  /// `productId`: the product's id in App Store Connect, such as `com.example.pro.monthly`.
  public var productID: String
  /// `subscriptionGroupIdentifier`; present only for subscriptions.
  public var subscriptionGroupID: String?
  /// `purchaseDate`: the time of the purchase or renewal.
  public var purchasedAt: Instant
  /// `originalPurchaseDate`: the beginning of the chain.
  public var originalPurchasedAt: Instant?
  /// `expiresDate`: the end of a subscription's period.
  public var expiresAt: Instant?
  /// `signedDate`: the time of Apple's signature; `nil` if an unsigned payload lacks the date.
  public var signedAt: Instant?
  /// `quantity`; 1 if it is missing.
  public var quantity: Int32 = 1
  /// `type`: the kind of the product.
  public var productKind: ProductWord?
  /// `inAppOwnershipType`; `nil` if it is missing, which means purchased.
  public var ownership: OwnershipWord?
  /// `isUpgraded`; Apple sends the key only if its value is true.
  public var isUpgraded = false
  /// The offer of the transaction; `nil` without an offer.
  public var offer: SignedOffer?
  /// A refund, an upgrade or a loss of family sharing; `nil` without any of them.
  public var revocation: SignedRevocation?
  /// `price` with `currency`: the charge for the whole quantity, after any offer and with tax.
  ///
  /// `nil` in payloads signed before October 2023.
  public var price: SignedPrice?
  /// `environment`, else the environment of the innermost enclosing response or notification.
  ///
  /// `nil` if none of these objects has an environment, as before February 2022.
  public var environment: StoreEnvironment?
  /// `storefront`; never inferred from the currency.
  public var storefront: Storefront?
  /// `transactionReason`: a purchase or a renewal.
  public var reason: ReasonWord?
  /// `appAccountToken`: the customer's UUID in the app; `nil` if the app set none.
  public var accountToken: String?
  /// `appTransactionId`: the id of an Apple account in an app.
  public var appTransactionID: String?
  /// `previousOriginalTransactionId`: the id of the chain that this chain continues.
  public var previousOriginalTransactionID: String?
  /// `billingPlanType`: `MONTHLY` for a yearly subscription with monthly payments.
  ///
  /// For one payment it is `BILLED_UPFRONT`.
  public var billingPlan: String?
  /// `commitmentInfo.commitmentExpiresDate`: the end of the year that the customer must pay for.
  public var commitmentEndsAt: Instant?
  /// The refunds of single items: `advancedCommerceInfo.items[].refunds[]`.
  public var itemRefunds: [ItemRefund] = []
  /// The tax as a part of ``price``, from `advancedCommerceInfo`; `nil` if Apple does not state it.
  public var taxShare: BasisPoints?
  /// The Apple bundle of the subscription, as text; `nil` for a subscription outside of bundles.
  public var bundle: String?
}

/// The offer of a transaction or of the next renewal.
public struct SignedOffer: Hashable, Sendable {
  /// `offerType`: the kind of offer.
  public var kind: OfferWord
  /// `offerIdentifier`; `nil` only for an introductory offer.
  public var identifier: String?
  /// `offerDiscountType`; `nil` in payloads signed before October 2023.
  public var discount: DiscountWord?
  /// `offerPeriod`: the length of one period of the offer, such as `P1M`.
  public var period: Period?
}

/// A refund, an upgrade or a loss of family sharing.
public struct SignedRevocation: Hashable, Sendable {
  /// `revocationDate`: the time of the revocation.
  public var revokedAt: Instant
  /// `revocationReason`: 1 for a fault of the app, 0 for any other reason.
  public var reason: Int64?
  /// `revocationType`: a full or partial refund, or a loss of family sharing.
  public var kind: RevocationWord?
  /// `revocationPercentage` in thousandths of a percent: 67,932 is 67.932 %.
  public var thousandthsOfPercent: Int64?

  /// Whether the revocation refunds money.
  ///
  /// True for a full or partial refund, and for payloads before 2026, which do not state the kind.
  /// False for a loss of family sharing, and for an unknown kind.
  public var movesMoney: Bool {
    switch kind {
    case .refundFull, .refundProrated, nil: true
    case .familyRevoke, .unrecognized: false
    }
  }
}

extension SignedTransaction {
  /// Whether the transaction was free because of a trial or a free offer; `nil` if unknown.
  ///
  /// Examples: `FREE_TRIAL` → true; `PAY_AS_YOU_GO` → false; no offer → false. An offer with an
  /// unknown discount, or without `offerDiscountType` as before October 2023, may be free or paid →
  /// `nil`.
  public var isTrial: Bool? {
    guard let offer else { return false }
    switch offer.discount {
    case .freeTrial: return true
    case .payAsYouGo, .payUpFront, .oneTime: return false
    case .unrecognized, nil: return nil
    }
  }

  /// Whether the offer is an introductory offer.
  public var isIntroductory: Bool { offer?.kind == .introductory }
}
