/// The truth about a purchase, for comparison with a pipeline's row.
public struct TruthPurchase: Hashable, Sendable {
  /// All transaction ids with which responses show the purchase.
  public var transactionIDs: [String]
  /// The product's id in the catalogue.
  public var productID: String
  /// `trial`, `intro`, `promo`, `offer_code`, `regular` or `one_time`.
  public var kind: String
  /// The currency's ISO 4217 code.
  public var currency: String
  /// The amount paid for the whole quantity, in thousandths of the currency's main unit.
  public var paidMilli: Int64
  /// Whether the rules must find ``paidMilli`` from the exported evidence.
  public var isResolvable: Bool
  /// `sandbox`, `family_shared` or `foreign_bundle`; empty for revenue.
  public var exclusion: String
  /// `none`, `refund` or `upgrade`, as of the newest response that shows the purchase.
  public var reversal: String
  /// Unix milliseconds of the refund or upgrade; `nil` if there is none.
  public var reversedAt: Int64?
  /// The purchase time in Unix milliseconds; for a restored purchase, the time of the original
  /// purchase.
  public var purchasedAt: Int64
  /// The reason why the amount is resolvable or not, such as `told` or `place_unknown`.
  public var evidence: String

  /// Creates a purchase; by default it is revenue and has no reversal.
  public init(
    transactionIDs: [String], productID: String, kind: String, currency: String, paidMilli: Int64,
    isResolvable: Bool, exclusion: String = "", reversal: String = "none",
    reversedAt: Int64? = nil, purchasedAt: Int64, evidence: String = ""
  ) {
    self.transactionIDs = transactionIDs
    self.productID = productID
    self.kind = kind
    self.currency = currency
    self.paidMilli = paidMilli
    self.isResolvable = isResolvable
    self.exclusion = exclusion
    self.reversal = reversal
    self.reversedAt = reversedAt
    self.purchasedAt = purchasedAt
    self.evidence = evidence
  }
}

/// The result of an offer period, derived from the rows in responses.
public struct TruthOffer: Hashable, Sendable {
  /// A transaction id of the offer's first row.
  public var transactionID: String
  /// `trial`, `intro`, `promo` or `offer_code`.
  public var kind: String
  /// `converted`, `pending`, `billing_retry` or `lapsed`, as of the newest response of the store.
  public var status: String
  /// A transaction id of the converting row; empty if there is none.
  public var convertedBy: String
  /// Whether the exports show what followed the offer.
  ///
  /// If false, no response is newer than the offer's end, and none shows auto-renewal off.
  public var isResultSeen: Bool

  /// Creates an offer period from its fields.
  public init(
    transactionID: String, kind: String, status: String, convertedBy: String = "",
    isResultSeen: Bool = true
  ) {
    self.transactionID = transactionID
    self.kind = kind
    self.status = status
    self.convertedBy = convertedBy
    self.isResultSeen = isResultSeen
  }
}

/// The true purchases, offer periods, subscriptions and eligibilities of a synthetic store.
public struct StoreTruth: Hashable, Sendable {
  /// The time of the newest usable response in Unix milliseconds: the as-of time of a full run.
  public var asOf: Int64
  /// All purchases that at least one response shows, including excluded purchases.
  public var purchases: [TruthPurchase]
  /// All offer periods among the revenue purchases.
  public var offers: [TruthOffer]
  /// All subscription chains among the revenue purchases.
  ///
  /// Empty for a truth that was read from CSV files.
  public var subscriptions: [TruthSubscription] = []
  /// The eligibility of each customer with a customer id in the exports, per subscription group.
  ///
  /// Each Apple account counts as a customer, also if some share an id. Empty for a truth that was
  /// read from CSV files.
  public var eligibility: [TruthEligibility] = []

  /// Creates the truth without subscriptions and eligibilities, which may be added later.
  public init(asOf: Int64, purchases: [TruthPurchase], offers: [TruthOffer]) {
    self.asOf = asOf
    self.purchases = purchases
    self.offers = offers
  }
}
