public import CivilTime
public import PurchaseModel

/// The stable key of a purchase, computed only from Apple's identifiers: `purchase_key`.
public struct PurchaseKey: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// 63 bits of a SHA-256; never negative.
  public let rawValue: Int64
  /// Rebuilds a key from its stored value.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders keys by their numbers.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The reason why a purchase is excluded from revenue.
public enum ExclusionReason: String, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// A purchase that was made in Apple's sandbox, without money.
  case sandbox
  /// A purchase whose environment no response names, in a chain that renews within a day.
  case sandboxByLength = "sandbox_by_length"
  /// A purchase for which a family member paid.
  case familyShared = "family_shared"
  /// A seat of a group purchase, which an organization paid and assigned to the customer.
  case assigned
  /// A purchase with an ownership type that this version does not know.
  case unknownOwnership = "unknown_ownership"
  /// A purchase in an app that is not the owner's.
  case foreignBundle = "foreign_bundle"
}

/// The field in which observations of one purchase contradict each other.
public enum PurchaseConflict: String, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// Observations with different products.
  case product
  /// Observations with different purchase times.
  case purchaseTime = "purchase_time"
}

/// The position of a purchase in a list of purchases, such as the rows of `fct_revenue`.
public typealias RowPosition = Position<Purchase>

/// One App Store purchase, merged from all its observations.
///
/// Example: a renewal of `pro.monthly` on May 1, 2024, observed in twelve responses.
public struct Purchase: Hashable, BitwiseCopyable, Sendable {
  /// The stable key of the purchase.
  public var key: PurchaseKey
  /// Whether the purchase is a subscription that renews: it has a line item or an expiry.
  public var isSubscription: Bool
  /// The transaction id in the newest row of `latest_receipt_info`, else of `in_app`; ids in
  /// other rows are only aliases.
  public var transactionID: TransactionID
  /// The chain of the purchase.
  public var originalTransactionID: OriginalTransactionID
  /// The line item, which identifies the charge.
  ///
  /// `nil` for one-time purchases, and if no row of the purchase has a line item.
  public var lineItemID: LineItemID?
  /// The product; it includes its app if several apps sell the id.
  public var productID: ProductID
  /// The app of the purchase; `nil` if unknown.
  public var bundle: BundleID?
  /// The subscription group; `nil` if unknown.
  public var subscriptionGroupID: SubscriptionGroupID?
  /// The time of the purchase; for a restore, the time of the original purchase.
  public var purchasedAt: Instant
  /// The end of the paid time, UTC; `nil` without an expiry, as for one-time purchases.
  public var expiresAt: Instant?
  /// The time at which the purchase was refunded, upgraded or revoked, UTC.
  public var cancelledAt: Instant?
  /// Apple's code for the reason of the cancellation.
  public var cancellationReason: Symbol?
  /// Apple's `is_trial_period`, unchanged.
  public var isTrialPeriod: Bool?
  /// Apple's `is_in_intro_offer_period`, unchanged.
  public var isInIntroOfferPeriod: Bool?
  /// Whether the purchase was replaced by a better plan.
  public var isUpgraded: Bool
  /// Apple's `promotional_offer_id`; `nil` if absent.
  public var promotionalOfferID: OfferID?
  /// Apple's `offer_code_ref_name`; `nil` if absent.
  public var offerCodeRefName: OfferID?
  /// The quantity; 1 for subscriptions.
  public var quantity: Int32
  /// The signed terms, which receipts lack; `nil` without a signed transaction.
  public var signed: SignedTerms?
  /// What a hosted service states about the purchase; `nil` if no service's export has it.
  public var service: ServiceTerms?
  /// Whether only a service's export has the purchase.
  public var isOfServiceOnly = false
  /// Whether the amounts show that the row is introductory, although its service does not mark it.
  public var isIntroductoryByAmount = false
  /// The earliest of Apple's snapshots that shows the purchase; Apple had charged it by then.
  ///
  /// `nil` if only a service's export has the purchase.
  public var firstSeenAt: Instant?
  /// The reason why the purchase is excluded from revenue; `nil` for revenue rows.
  public var exclusion: ExclusionReason?
  /// The field in which the purchase's observations contradict each other; `nil` if they agree.
  public var conflict: PurchaseConflict?
  /// The file and line of the observation that decided most fields.
  public var source: SourceLine

  /// Whether the purchase was made in Apple's sandbox, as its responses state.
  public var isSandbox: Bool { exclusion == .sandbox }

  /// Whether the purchase was made in Apple's sandbox, as its responses state or its chain shows.
  public var isTestPurchase: Bool { isSandbox || exclusion == .sandboxByLength }

  /// The end of the paid time; without an expiry, the time of the purchase.
  public var endsAt: Instant { max(expiresAt ?? purchasedAt, purchasedAt) }
}
