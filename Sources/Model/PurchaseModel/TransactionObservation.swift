public import CivilTime

/// The file of a record, and its line in the decompressed text.
public struct SourceLine: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The file's position in ``Observations/files``.
  public var file: Int32
  /// The line on which the record begins; 1-based.
  public var line: Int32

  /// Creates a position from file and line.
  public init(file: Int32, line: Int32) {
    self.file = file
    self.line = line
  }

  /// Orders lines by file, then line number; files are sorted by their content hashes.
  public static func < (left: SourceLine, right: SourceLine) -> Bool {
    (left.file, left.line) < (right.file, right.line)
  }
}

/// One record of an export: a response with a receipt, or a signed transaction.
///
/// The rows and renewal states of the record are stored separately; they refer to the record.
public struct ReceiptRecord: Hashable, Sendable {
  /// The file and line of the record.
  public var source: SourceLine
  /// The number of the record in its file, from 0.
  ///
  /// A file is read in parts; until all parts are read, the number is 0 for all records.
  public var ordinal: Int32
  /// The position of the record among the records of one response, from 0.
  ///
  /// A response with three signed transactions becomes three records, because each transaction has
  /// its own time; their indices are 0, 1 and 2.
  public var indexInResponse: Int32 = 0
  /// The time of the response: `receipt.request_date_ms`.
  ///
  /// If it is missing, `received_at` of the export is used, or else the time of the newest event in
  /// the response. For a signed transaction, it is the time of Apple's signature.
  public var snapshotAt: Instant
  /// The customer of the record; `nil` if the export has no customer id.
  public var customer: CustomerID?
  /// Whether ``customer`` is the `appAccountToken` of a transaction, not a customer id of the
  /// export.
  ///
  /// The app sets this token. It is used only if no export has a customer id for the chain.
  public var isAccountToken = false
  /// The storefront that the exporter wrote into the record, outside Apple's response.
  ///
  /// `nil` if unknown.
  public var storefront: Storefront?
  /// The app of the receipt; `nil` if unknown.
  public var bundle: BundleID?
  /// Whether the response comes from Apple's sandbox.
  public var isSandbox: Bool
  /// Whether nothing names the environment, so that production is assumed.
  public var isProductionAssumed = false

  /// Creates a record from its fields.
  public init(
    source: SourceLine, ordinal: Int32, snapshotAt: Instant, customer: CustomerID?,
    storefront: Storefront?, bundle: BundleID?, isSandbox: Bool
  ) {
    self.source = source
    self.ordinal = ordinal
    self.snapshotAt = snapshotAt
    self.customer = customer
    self.storefront = storefront
    self.bundle = bundle
    self.isSandbox = isSandbox
  }
}

/// The list of a response in which a row was found.
///
/// If a snapshot has the same row in both lists, the row of the list ``latest`` is used.
public enum ObservationRank: UInt8, Hashable, Comparable, Sendable, CaseIterable {
  /// The list `receipt.in_app`, or a `receipt` that is itself a row.
  ///
  /// The data of such a row are as old as the receipt that was sent to Apple.
  case inApp = 0
  /// The list `latest_receipt_info` or `latest_expired_receipt_info`: the App Store's current data.
  case latest = 1

  /// Orders rows of ``inApp`` before rows of ``latest``.
  public static func < (left: ObservationRank, right: ObservationRank) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The person who paid for a purchase: the customer or a family member (`in_app_ownership_type`).
public enum OwnershipType: Hashable, Sendable {
  /// The customer of the row paid for the purchase.
  case purchased
  /// A family member paid; the row itself has no charge.
  case familyShared
  /// An unknown value, kept as it was written.
  case unrecognized(Symbol)
}

/// One row of a response, as Apple returned it: an observation of a purchase.
public struct TransactionObservation: Hashable, Sendable {
  /// The record's position in ``Observations/records``.
  public var record: Int32
  /// The list of the response in which the row was found.
  public var rank: ObservationRank
  /// Apple's `is_trial_period`; `nil` if absent.
  public var isTrialPeriod: Bool?
  /// Apple's `is_in_intro_offer_period`; `nil` if absent.
  public var isInIntroOfferPeriod: Bool?
  /// Apple's `is_upgraded`; `nil` if absent.
  public var isUpgraded: Bool?
  /// Apple's `transaction_id`; one purchase may have several.
  public var transactionID: TransactionID
  /// `original_transaction_id`; if it is missing, the transaction id.
  public var originalTransactionID: OriginalTransactionID
  /// Apple's `web_order_line_item_id`; `nil` for one-time purchases.
  public var lineItemID: LineItemID?
  /// Apple's `product_id`, without its app.
  public var productID: ProductID
  /// Apple's `purchase_date`, UTC.
  public var purchasedAt: Instant
  /// Apple's `original_purchase_date`, UTC; `nil` if absent.
  public var originalPurchasedAt: Instant?
  /// Apple's `expires_date`; `nil` for one-time purchases.
  public var expiresAt: Instant?
  /// `cancellation_date`: the time of a refund, an upgrade or a revocation; `nil` if absent.
  ///
  /// Turning off auto-renewal does not set this date.
  public var cancelledAt: Instant?
  /// `cancellation_reason` as Apple codes it; `nil` if absent.
  public var cancellationReason: Symbol?
  /// `promotional_offer_id`: the id of a promotional offer or an offer code; `nil` if absent.
  public var promotionalOfferID: OfferID?
  /// Apple's `offer_code_ref_name`; `nil` without an offer code.
  public var offerCodeRefName: OfferID?
  /// `in_app_ownership_type`; `nil` if absent, which means purchased.
  public var ownership: OwnershipType?
  /// Apple's `subscription_group_identifier`; `nil` if absent.
  public var subscriptionGroupID: SubscriptionGroupID?
  /// Apple's `quantity`; 1 if it is missing.
  public var quantity: Int32
  /// The terms in a signed transaction; `nil` for a row of a receipt.
  public var signed: SignedTerms?
  /// What a hosted service states about the row; `nil` for a row of Apple's own data.
  public var service: ServiceTerms?

  /// Creates a row from its required fields; the optional fields are `nil`.
  public init(
    record: Int32, rank: ObservationRank, transactionID: TransactionID,
    originalTransactionID: OriginalTransactionID, productID: ProductID, purchasedAt: Instant
  ) {
    self.record = record
    self.rank = rank
    self.transactionID = transactionID
    self.originalTransactionID = originalTransactionID
    self.productID = productID
    self.purchasedAt = purchasedAt
    quantity = 1
  }
}

/// One `pending_renewal_info` entry: the renewal state of a chain at the snapshot's time.
public struct RenewalObservation: Hashable, Sendable {
  /// The record's position in ``Observations/records``.
  public var record: Int32
  /// The chain of the entry.
  public var originalTransactionID: OriginalTransactionID
  /// The product of the current period (`product_id`); `nil` if absent.
  public var productID: ProductID?
  /// The product of the next renewal (`auto_renew_product_id`); `nil` if absent.
  public var autoRenewProductID: ProductID?
  /// Whether auto-renewal is on; `nil` if absent.
  ///
  /// This is a choice of the customer, not a status of the subscription.
  public var autoRenewStatus: Bool?
  /// The next year of a commitment plan; `nil` outside of commitment plans.
  ///
  /// ``autoRenewStatus`` stays true while instalments of the current year are charged.
  public var commitment: NextCommitment?
  /// The reason why the subscription expired, as Apple codes it; `nil` while it has not expired.
  public var expirationIntent: Symbol?
  /// Whether Apple still tries to charge (`is_in_billing_retry_period`); `nil` if absent.
  public var isInBillingRetry: Bool?
  /// The end of the grace period, in which an unpaid subscription still gives access.
  ///
  /// `nil` without a grace period.
  public var gracePeriodExpiresAt: Instant?
  /// `price_consent_status` as Apple codes it: "0" not answered yet, "1" consented.
  public var priceConsentStatus: Symbol?
  /// `price_increase_status` as Apple codes it: "0" not answered yet, "1" consented.
  public var priceIncreaseStatus: Symbol?
  /// Whether a hosted service states this, not Apple.
  public var isOfService = false

  /// Creates an entry from its required fields; the optional fields are `nil`.
  public init(record: Int32, originalTransactionID: OriginalTransactionID) {
    self.record = record
    self.originalTransactionID = originalTransactionID
  }
}

extension TransactionObservation {
  /// The longest time that a row of a subscription can cover: a year and two extensions of 90 days,
  /// with a margin.
  private static let longestPeriod = Milliseconds.days(600)

  /// Whether the row covers more time than Apple sells at once.
  ///
  /// Example: forged receipts expire in 2099.
  public var hasImpossiblePeriod: Bool {
    expiresAt.map { $0.since(purchasedAt) > Self.longestPeriod } ?? false
  }

  /// Whether Apple signed the transaction; false for a receipt's row and for a decoded payload.
  public var isSigned: Bool { signed.map { !$0.isDecoded } ?? false }

  /// Whether the row is a period of a subscription that renews: it has an expiry, or its
  /// transaction is of that type.
  public var isOfSubscription: Bool {
    expiresAt != nil || signed?.productKind == .autoRenewableSubscription
  }
}
