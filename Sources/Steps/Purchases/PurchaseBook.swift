public import CivilTime
public import PurchaseModel

/// The renewal state of a chain as one snapshot showed it.
public struct RenewalState: Hashable, BitwiseCopyable, Sendable {
  /// The time of the first snapshot that shows it.
  public var observedAt: Instant
  /// The time of the last snapshot that shows it unchanged, before any other.
  public var lastObservedAt: Instant
  /// The product that would end.
  public var productID: ProductID?
  /// The product of the next renewal.
  public var autoRenewProductID: ProductID?
  /// Whether it will renew.
  public var autoRenewStatus: Bool?
  /// The reason of the expiry, as Apple codes it.
  public var expirationIntent: Symbol?
  /// Whether Apple still tries to charge.
  public var isInBillingRetry: Bool?
  /// Until when an unpaid subscription gives access.
  public var gracePeriodExpiresAt: Instant?
  /// The consent to a price increase: the larger of `price_consent_status` and
  /// `price_increase_status`, as Apple codes them.
  public var priceConsentStatus: Symbol?
}

/// A chain's place in a list of chains.
public typealias ChainPosition = Position<Chain>

/// One subscription or one-time purchase with all its renewals: an `original_transaction_id` of
/// production revenue rows.
public struct Chain: Hashable, Sendable {
  /// The chain's id.
  public var originalTransactionID: OriginalTransactionID
  /// Its rows in ``PurchaseBook/purchases``, in order of purchase time.
  public var rows: Range<Int>
  /// Its renewal states in ``PurchaseBook/renewalStates``, oldest first, equal neighbours once.
  public var renewalStates: Range<Int>
  /// The newest snapshot's customer, placeholder ids left out.
  public var customer: CustomerID?
  /// The household; `nil` until households are settled.
  public var household: HouseholdNumber?
  /// The start of the chain: the earliest original purchase time of its subscription rows, else its
  /// first row's purchase.
  public var beganAt: Instant
  /// The newest snapshot's app, of those that name one.
  public var bundle: BundleID?
  /// Whether the chain was seen under two apps: a counted conflict.
  public var hasBundleConflict: Bool
}

/// A transaction id and the one purchase it belongs to.
public struct TransactionAlias: Hashable, Sendable {
  /// The id.
  public var transactionID: TransactionID
  /// The purchase, excluded ones included, by its position in ``PurchaseBook/purchases``.
  public var purchase: RowPosition

  /// Creates an alias from its fields.
  public init(transactionID: TransactionID, purchase: RowPosition) {
    self.transactionID = transactionID
    self.purchase = purchase
  }
}

/// An export record that names a customer's storefront at a moment.
public struct StorefrontObservation: Hashable, BitwiseCopyable, Sendable {
  /// The snapshot's time.
  public var observedAt: Instant
  /// The storefront.
  public var storefront: Storefront
  /// The customer the record names.
  public var customer: CustomerID?
  /// The chain, where the record holds one; a record with several chains occurs once for each.
  public var originalTransactionID: OriginalTransactionID?
  /// The household of the storefront; `nil` without a known customer, and until households are
  /// settled.
  public var household: HouseholdNumber?
  /// The position of that chain in ``PurchaseBook/chains``; `nil` for one without revenue rows.
  public var chain: ChainPosition?

  /// Creates the observation of a record's storefront.
  public init(
    observedAt: Instant, storefront: Storefront, customer: CustomerID?,
    originalTransactionID: OriginalTransactionID?
  ) {
    self.observedAt = observedAt
    self.storefront = storefront
    self.customer = customer
    self.originalTransactionID = originalTransactionID
  }
}

/// All purchases of the inputs, merged and in order: the input of every later rule.
public struct PurchaseBook: Sendable {
  /// Every purchase once.
  ///
  /// Revenue rows come first, by chain, then purchase time, expiry and key;
  /// excluded purchases follow in the order of their keys.
  public var purchases: [Purchase] = []
  /// The number of revenue rows among them.
  public var revenueCount = 0
  /// The households of the excluded purchases, in their order; empty until households are settled.
  public var excludedHouseholds: [HouseholdNumber?] = []
  /// The chains of the revenue rows, by id.
  public var chains: [Chain] = []
  /// The renewal states of the chains.
  public var renewalStates: [RenewalState] = []
  /// Every transaction id that ever occurred, sorted by id.
  public var aliases: [TransactionAlias] = []
  /// The storefronts in export records, production only, in order of customer, chain, time and
  /// storefront.
  public var storefrontObservations: [StorefrontObservation] = []

  /// An empty book.
  public init() {}
}
