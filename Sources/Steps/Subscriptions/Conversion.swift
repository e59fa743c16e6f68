public import Purchases
public import Amounts
public import CivilTime
public import PaidAmounts
public import PurchaseModel

/// The result of an offer.
public enum ConversionStatus: String, Hashable, Sendable, CaseIterable {
  /// Not converted yet, and still able to.
  case pending
  /// Not converted yet, and Apple still tries to charge.
  case billingRetry = "billing_retry"
  /// Followed by a paid or regular row within 60 days.
  case converted
  /// Too late to convert.
  case lapsed
}

/// One offer period and its result: a row of `fct_conversion`.
///
/// For example a week's trial from 1 May, converted by the regular row of 8 May.
public struct Conversion: Hashable, Sendable {
  /// The offer period in ``BillingTimelines/offerPeriods``.
  public var offerPeriod: Int
  /// The offer's number in its chain, from 1.
  public var offerNumber: Int32
  /// The start of the offer's first row.
  public var startedAt: Instant
  /// The end of its last row.
  public var endsAt: Instant
  /// The payment mode of its first row.
  public var paymentMode: RowPaymentMode
  /// The sum of its rows; `nil` if one is unknown.
  public var offerPaid: Milliunits?
  /// The result.
  public var status: ConversionStatus
  /// The converting row, by its position in the purchase book.
  public var convertedBy: RowPosition?
  /// Whether the converting row has the offer's product.
  public var isSameProduct: Bool?
  /// Whether that row starts at most 24 hours after the offer's end.
  public var isContiguous: Bool?
  /// Whole days from the offer's start to the converting row.
  public var daysToConvert: Int64?
  /// The time at which the converting row was refunded.
  public var conversionRefundedAt: Instant?
  /// The chain's newest auto-renew choice.
  public var autoRenewStatus: Bool?
  /// The chain's newest expiration intent.
  public var expirationIntent: Symbol?
  /// The offer's end and 60 days.
  public var maturesAt: Instant
  /// Whether that has passed.
  public var isMature: Bool
}

/// The status of a subscription.
public enum SubscriptionStatus: String, Hashable, Sendable, CaseIterable {
  /// In a free introductory period.
  case trial
  /// In a paid introductory period.
  case intro
  /// In a promotional offer or under an offer code.
  case promo
  /// Paid at the regular price.
  case active
  /// Unpaid, and still given access.
  case grace
  /// Unpaid, and Apple still tries to charge.
  case billingRetry = "billing_retry"
  /// Over.
  case expired
  /// Over because the newest row was refunded.
  case revoked
}

/// One subscription chain: a row of `dim_subscription`.
public struct Subscription: Hashable, Sendable {
  /// The chain in ``PurchaseBook/chains``.
  public var chain: ChainPosition
  /// The newest group its rows name.
  public var subscriptionGroupID: SubscriptionGroupID?
  /// The start of its first row.
  public var firstStartedAt: Instant
  /// The start of its first trial.
  public var firstTrialAt: Instant?
  /// The start of its first row that was paid, or may have been.
  public var firstPaidAt: Instant?
  /// The row of its current period: the one that gives access, else its newest row.
  public var current: RowPosition
  /// The product of that row.
  public var currentProductID: ProductID
  /// The status as of the run.
  public var status: SubscriptionStatus
  /// Its newest renewal state in ``PurchaseBook/renewalStates``.
  public var renewalState: Int?
  /// The end of its coverage, extensions included, grace not.
  public var expiresAt: Instant
  /// The time of the next renewal; `nil` unless it runs and auto-renew was seen on.
  public var renewsAt: Instant?
  /// The number of its unbroken runs of coverage.
  public var spells: Int32
  /// The number of its rows that were paid, or may have been.
  public var paidCount: Int32
}

/// Conversions, subscriptions and the running number of paid rows.
public struct SubscriptionBook: Sendable {
  /// The conversions, by offer period.
  public var conversions: [Conversion]
  /// The subscriptions, by chain.
  public var subscriptions: [Subscription]
  /// For each revenue row, which paid row of its chain it is, from 1; `nil` for free rows.
  public var paidNumbers: [Int32?]

  /// A book.
  public init(
    conversions: [Conversion], subscriptions: [Subscription], paidNumbers: [Int32?]
  ) {
    self.conversions = conversions
    self.subscriptions = subscriptions
    self.paidNumbers = paidNumbers
  }
}
