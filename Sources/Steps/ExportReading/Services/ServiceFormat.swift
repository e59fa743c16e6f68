internal import PurchaseModel

/// The formats of services' exports, with the columns of each.
///
/// Prices are in the currency of the purchase. A column in US dollars is never read: it is
/// converted.
extension ServiceExport {
  /// Every format that `inputs.exports` can use, sorted by name.
  public static let all = [adapty, apphud, qonversion, revenueCat, superwall]

  /// Adapty's export to S3: one row per event.
  private static let adapty = ServiceExport(
    "adapty_export", .adapty,
    marks: ["profile_id", "event_type", "event_datetime", "transaction_id"], marksOffers: false,
    events: [
      .purchase: [
        "subscription_started", "subscription_renewed", "trial_started", "trial_converted",
        "non_subscription_purchase", "subscription_initial_purchase",
      ],
      .refund: ["subscription_refunded", "non_subscription_purchase_refunded"],
      .renewalOff: [
        "subscription_renewal_cancelled", "subscription_cancelled", "trial_renewal_cancelled",
        "trial_cancelled",
      ],
      .renewalOn: ["subscription_renewal_reactivated", "trial_renewal_reactivated"],
      .billingIssue: ["billing_issue_detected", "entered_grace_period"],
    ],
    """
    event             event_type
    event_at          event_datetime
    transaction       transaction_id
    original          original_transaction_id
    product           product_id vendor_product_id
    store             store
    environment       environment
    expires_at        subscription_expires_at
    customer          customer_user_id profile_id
    storefront        store_country
    currency          currency
    price             revenue_local
    """)

  /// Apphud's ETL: one row per event, with the whole transaction in each.
  private static let apphud = ServiceExport(
    "apphud_export", .apphud,
    marks: ["event_name", "purchased_at", "transaction_id", "internal_user_id"],
    events: [
      .renewalOff: ["autorenew_disabled", "trial_canceled", "subscription_canceled"],
      .renewalOn: ["autorenew_enabled"],
      .billingIssue: ["billing_issue", "subscription_billing_issue", "trial_billing_issue"],
    ],
    """
    event             event_name
    event_at          created_at
    updated_at        updated_at
    transaction       transaction_id
    original          original_transaction_id
    product           product_id
    store             store
    environment       environment
    purchased_at      purchased_at
    expires_at        expires_at
    refunded_at       cancelled_at
    trial             trial_period
    introductory      intro_period
    upgraded          is_upgraded
    family            family_shared
    kind              subscription_type
    quantity          quantity
    customer          user_id internal_user_id
    storefront        store_country
    currency          currency
    price             price
    """)

  /// Qonversion's webhook: one object per event.
  private static let qonversion = ServiceExport(
    "qonversion_webhook", .qonversion,
    marks: ["event_name", "transaction.original_transaction_id", "price.currency"],
    marksOffers: false,
    events: [
      .purchase: [
        "subscription_started", "subscription_renewed", "trial_started", "trial_converted",
        "in_app_purchase", "subscription_upgraded", "subscription_product_changed",
      ],
      .refund: ["subscription_refunded", "in_app_purchase_refunded", "purchase_refunded"],
      .renewalOff: ["subscription_canceled", "trial_canceled"],
      .renewalOn: [
        "subscription_cancellation_reverted", "trial_cancellation_reverted",
        "subscription_uncanceled", "trial_uncanceled",
      ],
      .billingIssue: [
        "subscription_billing_retry_entered", "trial_billing_retry_entered",
        "subscription_grace_period_entered",
      ],
    ],
    """
    event             event_name
    event_at          time created_at
    transaction       transaction.transaction_id
    original          transaction.original_transaction_id
    product           product_id
    store             platform
    environment       environment
    purchased_at      transaction.transaction_date
    expires_at        transaction.expires
    grace_until       transaction.grace_period_expires
    customer          custom_user_id user_id
    storefront        country
    currency          price.currency revenue.currency
    price             price.value
    revenue           revenue.value
    """)

  /// RevenueCat's scheduled data export: one row per transaction, in its state at `updated_at`.
  private static let revenueCat = ServiceExport(
    "revenuecat_export", .revenueCat,
    marks: ["store_transaction_id", "product_identifier", "start_time"],
    """
    updated_at        updated_at
    transaction       store_transaction_id
    original          original_store_transaction_id
    product           product_identifier
    store             store
    sandbox           is_sandbox
    purchased_at      start_time
    expires_at        end_time
    period            product_duration
    renewable         is_auto_renewable
    renewal_number    renewal_number
    trial             is_trial_period
    introductory      is_in_intro_offer_period
    ownership         ownership_type
    refunded_at       refunded_at
    renewal_off_at    unsubscribe_detected_at
    billing_issue_at  billing_issues_detected_at
    grace_until       grace_period_end_time
    offer             offer
    offer_kind        offer_type
    customer          rc_last_seen_app_user_id_alias rc_original_app_user_id
    storefront        country
    storefront_source country_source
    currency          purchased_currency
    price             purchase_price_in_purchased_currency
    booked            price_in_purchased_currency
    """)

  /// Superwall's webhook: one object per event.
  private static let superwall = ServiceExport(
    "superwall_webhook", .superwall,
    marks: ["data.periodType", "data.originalTransactionId", "data.priceInPurchasedCurrency"],
    events: [
      .purchase: [
        "initial_purchase", "renewal", "non_renewing_purchase", "trial_start",
        "trial_conversion",
      ],
      .refund: ["refund"],
      .renewalOff: ["cancellation"],
      .renewalOn: ["uncancellation"],
      .billingIssue: ["billing_issue"],
    ],
    """
    event             data.name type
    event_at          data.ts timestamp
    transaction       data.transactionId
    original          data.originalTransactionId
    product           data.productId
    store             data.store
    environment       data.environment
    purchased_at      data.purchasedAt
    expires_at        data.expirationAt
    period_kind       data.periodType
    family            data.isFamilyShare
    offer_code        data.offerCode
    cancel_reason     data.cancelReason
    bundle            data.bundleId
    customer          data.originalAppUserId
    storefront        data.countryCode
    currency          data.currencyCode
    price             data.priceInPurchasedCurrency
    """)
}
