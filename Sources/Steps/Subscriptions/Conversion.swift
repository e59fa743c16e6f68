public import Purchases
public import Amounts
public import CivilTime
public import PaidAmounts
public import PurchaseModel

/// The result of an offer.
public enum ConversionStatus: String, Hashable, Sendable, CaseIterable {
  /// The offer has not converted, but a conversion is still possible, or nobody has looked.
  case pending
  /// The offer has not converted, and Apple is still trying to charge.
  case billingRetry = "billing_retry"
  /// A paid or regular row began at most 60 days after the end of the offer.
  case converted
  /// The offer did not convert, and it is too late for a conversion.
  case lapsed
}

/// One offer period and its result: a row of `fct_conversion`.
///
/// Example: a trial of a week from May 1, converted by the regular row of May 8.
public struct Conversion: Hashable, Sendable {
  /// The position of the offer period in ``BillingTimelines/offerPeriods``.
  public var offerPeriod: Int
  /// The number of the offer in its chain, from 1.
  public var offerNumber: Int32
  /// The start of the offer's first row, UTC.
  public var startedAt: Instant
  /// The end of the offer's last row, UTC.
  public var endsAt: Instant
  /// The payment mode of the offer's first row.
  public var paymentMode: RowPaymentMode
  /// The sum of the amounts of the offer's rows, in milliunits; `nil` if an amount is unknown.
  public var offerPaid: Milliunits?
  /// The result of the offer.
  public var status: ConversionStatus
  /// The position of the converting row in the purchase history; `nil` without a converting row.
  public var convertedBy: RowPosition?
  /// Whether the converting row has the offer's product; `nil` without a converting row.
  public var isSameProduct: Bool?
  /// Whether the converting row starts at most 24 hours after the offer's end.
  ///
  /// `nil` without a converting row.
  public var isContiguous: Bool?
  /// The whole days from the offer's start to the converting row; `nil` without a converting row.
  public var daysToConvert: Int64?
  /// The time at which the converting row was refunded; `nil` without a refund.
  public var conversionRefundedAt: Instant?
  /// The chain's newest `auto_renew_status`.
  public var autoRenewStatus: Bool?
  /// The chain's newest `expiration_intent`.
  public var expirationIntent: Symbol?
  /// The time after which the offer can no longer convert: 60 days after the offer's end, or 90 if
  /// its last row is a payment of a commitment plan.
  public var maturesAt: Instant
  /// Whether ``maturesAt`` has passed at the as-of time; never where nobody has seen the end.
  public var isMature: Bool
}

/// The status of a subscription.
public enum SubscriptionStatus: String, Hashable, Sendable, CaseIterable {
  /// The customer is in a free introductory period.
  case trial
  /// The customer is in a paid introductory period.
  case intro
  /// The customer is in the period of a promotional offer or offer code.
  case promo
  /// The subscription is paid at the regular price and running.
  case active
  /// The subscription is unpaid, but in the grace period, which gives access.
  case grace
  /// The subscription is unpaid, and Apple is still trying to charge.
  case billingRetry = "billing_retry"
  /// The period has ended, but no snapshot is newer than its end: nobody knows whether it went on.
  case notSeen = "not_seen"
  /// The paid time has ended, without a known grace period or billing retry.
  case expired
  /// The subscription has ended, because the newest row was refunded.
  case revoked
}

/// One subscription chain: a row of `dim_subscription`.
public struct Subscription: Hashable, Sendable {
  /// The position of the chain in ``PurchaseHistory/chains``.
  public var chain: ChainPosition
  /// The newest subscription group in the chain's rows.
  public var subscriptionGroupID: SubscriptionGroupID?
  /// The start of the chain's first row, UTC.
  public var firstStartedAt: Instant
  /// The start of the chain's first trial, UTC; `nil` without a trial.
  public var firstTrialAt: Instant?
  /// The start of the first row that was paid or has an unknown amount; `nil` if there is none.
  public var firstPaidAt: Instant?
  /// The row of the current period: the row that gives access at the as-of time.
  ///
  /// Without access at that time, the first row that begins later. Without such a row, the newest
  /// row that was not ended by an upgrade.
  public var current: RowPosition
  /// The product of the row in ``current``.
  public var currentProductID: ProductID
  /// The status at the as-of time.
  public var status: SubscriptionStatus
  /// The position of the chain's newest renewal state in ``PurchaseHistory/renewalStates``; `nil`
  /// if the chain has none.
  public var renewalState: Int?
  /// The end of access, including extensions by Apple, but without the grace period.
  public var expiresAt: Instant
  /// The time of the chain's newest snapshot, if it is older than the end; `nil` if the end was
  /// seen.
  public var seenThroughAt: Instant?
  /// The time until which an end that nobody has seen counts as not seen; `nil` if it was seen.
  ///
  /// One period of the product and the time in which Apple tries to charge, after the end.
  public var unseenUntil: Instant?
  /// The time of the next renewal.
  ///
  /// `nil` if the subscription has ended, or auto-renewal is off or unknown.
  public var renewsAt: Instant?
  /// The number of spells of the subscription.
  public var spells: Int32
  /// The number of the chain's rows that were paid or have an unknown amount.
  public var paidCount: Int32
}

/// The conversions, the subscriptions, and the ordinal of each paid row in its chain.
public struct SubscriptionResults: Sendable {
  /// The conversions, sorted by offer period.
  public var conversions: [Conversion]
  /// The subscriptions, sorted by chain.
  public var subscriptions: [Subscription]
  /// The ordinal of each revenue row among the paid rows of its chain; `nil` for free rows.
  ///
  /// Example: a free trial and two paid months → `nil`, 1, 2.
  public var paidNumbers: [Int32?]
}
