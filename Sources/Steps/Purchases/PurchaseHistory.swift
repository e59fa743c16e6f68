public import CivilTime
public import PurchaseModel

/// A renewal state of a chain that one or more consecutive snapshots show.
public struct RenewalState: Hashable, BitwiseCopyable, Sendable {
  /// The time of the first snapshot with this state.
  public var observedAt: Instant
  /// The time of the last of the consecutive snapshots with this state.
  public var lastObservedAt: Instant
  /// The product of the current period (`product_id`).
  public var productID: ProductID?
  /// The product of the next renewal.
  public var autoRenewProductID: ProductID?
  /// Whether auto-renewal is on.
  ///
  /// On a commitment plan it stays on until the last instalment; see ``willGoOn``.
  public var autoRenewStatus: Bool?
  /// The next year of a commitment plan; `nil` outside of commitment plans.
  public var commitment: NextCommitment?
  /// Apple's code for the reason of the expiry.
  public var expirationIntent: Symbol?
  /// Whether Apple still tries to charge.
  public var isInBillingRetry: Bool?
  /// The end of the grace period, in which an unpaid subscription still gives access.
  public var gracePeriodExpiresAt: Instant?
  /// Apple's code for the customer's consent to a price increase: "0" not answered, "1" consented.
  ///
  /// It is the larger of `price_consent_status` and `price_increase_status`.
  public var priceConsentStatus: Symbol?

  /// Whether the customer wants the subscription to go on: auto-renewal is on, and a commitment
  /// plan is not to end with its year.
  public var willGoOn: Bool? {
    commitment?.autoRenewStatus == false ? false : autoRenewStatus
  }
}

/// The position of a chain in a list of chains.
public typealias ChainPosition = Position<Chain>

/// One subscription with all its renewals, or a one-time purchase.
///
/// It consists of the production rows with one `original_transaction_id`, without excluded
/// purchases.
public struct Chain: Hashable, Sendable {
  /// The `original_transaction_id` of the chain.
  public var originalTransactionID: OriginalTransactionID
  /// The positions of the chain's rows in ``PurchaseHistory/purchases``, sorted by purchase time.
  public var rows: Range<Int>
  /// The positions of the states in ``PurchaseHistory/renewalStates``, oldest first.
  ///
  /// Consecutive states differ.
  public var renewalStates: Range<Int>
  /// The customer in the newest snapshot that has a customer id; placeholder ids are ignored.
  public var customer: CustomerID?
  /// The household of the chain; `nil` until households are formed.
  public var household: HouseholdNumber?
  /// The time of the newest snapshot with a row or a renewal state of the chain.
  public var lastSeenAt: Instant
  /// The start of the chain: the earliest `original_purchase_date` of its subscription rows.
  ///
  /// Without this date, it is the time of the first purchase.
  public var beganAt: Instant
  /// The app in the newest record that has an app and a row of the chain.
  public var bundle: BundleID?
  /// Whether the chain began before its first known row, at an unknown time.
  ///
  /// This is the case if a service's export begins with a renewal.
  public var lacksBeginning = false
  /// Whether the receipt of the chain's account was passed on; then ``customer`` may be a stranger.
  public var isPassedOn = false
}

/// A transaction id and the purchase that it belongs to.
public struct TransactionAlias: Hashable, Sendable {
  /// The transaction id in the snapshots.
  public var transactionID: TransactionID
  /// The position in ``PurchaseHistory/purchases``; the purchase may be excluded from revenue.
  public var purchase: RowPosition

  /// Creates an alias from its fields.
  public init(transactionID: TransactionID, purchase: RowPosition) {
    self.transactionID = transactionID
    self.purchase = purchase
  }
}

/// The storefront in an export record, with its time, customer and chain.
public struct StorefrontObservation: Hashable, BitwiseCopyable, Sendable {
  /// The time of the snapshot.
  public var observedAt: Instant
  /// The storefront in the record.
  public var storefront: Storefront
  /// The customer in the record.
  public var customer: CustomerID?
  /// The chain in the record; `nil` if there is none.
  ///
  /// A record with several chains has one observation per chain.
  public var originalTransactionID: OriginalTransactionID?
  /// The household of the record's chain or customer.
  ///
  /// `nil` if the household is unknown, or before households are formed.
  public var household: HouseholdNumber?
  /// The position of the chain in ``PurchaseHistory/chains``; `nil` for a chain without revenue
  /// rows.
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

/// All purchases of the inputs, merged and sorted; the rules decide amounts from them.
public struct PurchaseHistory: Sendable {
  /// All purchases.
  ///
  /// Revenue rows come first, sorted by chain, then purchase time, expiry and key; excluded
  /// purchases follow, sorted by key.
  public var purchases: [Purchase] = []
  /// The number of revenue rows in ``purchases``.
  public var revenueCount = 0
  /// The household of each excluded purchase, in the order of ``purchases``.
  ///
  /// It is empty until households are formed.
  public var excludedHouseholds: [HouseholdNumber?] = []
  /// The chains of the revenue rows, sorted by id.
  public var chains: [Chain] = []
  /// The renewal states of the chains.
  public var renewalStates: [RenewalState] = []
  /// Every transaction id of the inputs with its purchase, sorted by id.
  public var aliases: [TransactionAlias] = []
  /// The storefronts in production records, in no particular order.
  public var storefrontObservations: [StorefrontObservation] = []

  /// Creates a history without purchases.
  public init() {}
}
