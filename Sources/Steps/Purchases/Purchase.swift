public import CivilTime
public import PurchaseModel

/// The stable key of a purchase, made only from Apple's identifiers: `purchase_key`.
public struct PurchaseKey: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// 63 bits of a SHA-256; never negative.
  public let rawValue: Int64
  /// Rebuilds a key from its stored value.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Numeric order.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The reason why a purchase is left out of revenue; every case is counted and shown.
public enum ExclusionReason: String, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// Apple's sandbox: no money.
  case sandbox
  /// A family member paid.
  case familyShared = "family_shared"
  /// Another app's purchase.
  case foreignBundle = "foreign_bundle"
}

/// The field in which observations of one purchase contradict each other.
public enum PurchaseConflict: String, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// Two products.
  case product
  /// Two purchase times.
  case purchaseTime = "purchase_time"
}

/// A purchase's place in a list of purchases, the rows of `fct_revenue`.
public typealias RowPosition = Position<Purchase>

/// One App Store purchase, merged from all its observations.
///
/// For example a renewal of `pro.monthly` on 1 May 2024, seen in twelve responses.
public struct Purchase: Hashable, BitwiseCopyable, Sendable {
  /// The stable key.
  public var key: PurchaseKey
  /// Whether it renews by itself: it has a line item or an expiry.
  public var isSubscription: Bool
  /// The id in the newest `latest_receipt_info`; all others are aliases.
  public var transactionID: TransactionID
  /// The chain.
  public var originalTransactionID: OriginalTransactionID
  /// The charge's own id.
  public var lineItemID: LineItemID?
  /// The product.
  public var productID: ProductID
  /// The app.
  public var bundle: BundleID?
  /// The subscription group.
  public var subscriptionGroupID: SubscriptionGroupID?
  /// The time of the purchase; for a restore, of the original purchase.
  public var purchasedAt: Instant
  /// The end of the paid time; `nil` for one-time purchases.
  public var expiresAt: Instant?
  /// The time at which it was refunded, upgraded or revoked.
  public var cancelledAt: Instant?
  /// The reason of the cancellation, as Apple codes it.
  public var cancellationReason: Symbol?
  /// `is_trial_period`, as sent.
  public var isTrialPeriod: Bool?
  /// `is_in_intro_offer_period`, as sent.
  public var isInIntroOfferPeriod: Bool?
  /// Whether a better plan replaced it.
  public var isUpgraded: Bool
  /// `promotional_offer_id`.
  public var promotionalOfferID: OfferID?
  /// `offer_code_ref_name`.
  public var offerCodeRefName: OfferID?
  /// The quantity; 1 for subscriptions.
  public var quantity: Int32
  /// The terms that Apple signed and receipts lack; `nil` without a signed transaction.
  public var signed: SignedTerms?
  /// The reason why it is left out of revenue; `nil` for revenue rows.
  public var exclusion: ExclusionReason?
  /// The field in which its observations contradict each other.
  public var conflict: PurchaseConflict?
  /// The winning observation's place.
  public var source: SourceLine

  /// Whether it lives in Apple's sandbox.
  public var isSandbox: Bool { exclusion == .sandbox }

  /// The moment the row's coverage ends; a row without expiry ends when it starts.
  public var endsAt: Instant { max(expiresAt ?? purchasedAt, purchasedAt) }
}
