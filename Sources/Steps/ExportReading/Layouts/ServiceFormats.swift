internal import Amounts
internal import PurchaseModel

/// The formats of webhooks and exports of subscription services; their prices are charges.
extension PriceFormat {
  static let services = [
    PriceFormat(
      "adapty_webhook", .charged,
      events: [
        "subscription_started", "subscription_initial_purchase", "non_subscription_purchase",
      ], inferred: ["subscription_renewed", "trial_converted"],
      """
      event           event_type
      platform        event_properties.store store
      product_id      event_properties.vendor_product_id vendor_product_id
      price           event_properties.price_local price_local
      currency        event_properties.currency currency
      storefront      event_properties.store_country store_country
      transaction_id  event_properties.transaction_id transaction_id
      environment     event_properties.environment environment
      reported_at     event_datetime event_properties.event_datetime
      customer_id     customer_user_id event_properties.customer_user_id
      """),
    // The field `price` is in US dollars, unlike the local price.
    PriceFormat(
      "revenuecat_webhook", .charged,
      events: ["INITIAL_PURCHASE", "NON_RENEWING_PURCHASE"], inferred: ["RENEWAL"],
      """
      event           type
      platform        store
      product_id      product_id
      price           price_in_purchased_currency
      currency        currency
      storefront      country_code
      transaction_id  transaction_id
      environment     environment
      reported_at     purchased_at_ms event_timestamp_ms
      customer_id     app_user_id
      """),
  ]
}
