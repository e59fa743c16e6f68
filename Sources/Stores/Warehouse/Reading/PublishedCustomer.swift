package import GRDB

/// The published facts of one customer: subscriptions, purchases, and offers that may be had.
package enum PublishedCustomer {
  /// Reads the facts of a customer, given the customer's key in the warehouse.
  ///
  /// - Returns: Three sections; `nil` if the customer has no published purchase.
  package static func sections(_ customerKey: String, on db: Database) throws -> [FactSection]? {
    let sections = try queries.map { query in
      try FactSection(
        query.key, title: query.title, sql: query.sql, arguments: ["customer": customerKey],
        on: db)
    }
    return sections.contains { $0.key == "purchases" && !$0.rows.isEmpty } ? sections : nil
  }

  private static let queries: [(key: String, title: String, sql: String)] = [
    (
      "subscriptions", "Subscriptions at the as-of time",
      """
      SELECT original_transaction_id, bundle_id, current_product_id, status, first_started_at,
        first_paid_at, expires_at, auto_renew_status, paid_count
      FROM dim_subscription WHERE customer_key = :customer
      ORDER BY first_started_at, original_transaction_id
      """
    ),
    (
      "purchases", "Purchases",
      """
      SELECT transaction_id, original_transaction_id, purchased_at, product_id, period_kind,
        storefront, currency, paid_milli,
        CASE WHEN paid_milli IS NULL THEN paid_low_milli END AS low_milli,
        CASE WHEN paid_milli IS NULL THEN paid_high_milli END AS high_milli,
        price_status, price_rule, NULLIF(reversal_kind, 'none') AS reversal, reversed_at
      FROM fct_revenue WHERE customer_key = :customer
      ORDER BY purchased_at, purchase_key
      """
    ),
    (
      "eligibility", "Offers that the customer may have",
      """
      SELECT subscription_group_id, is_intro_eligible, intro_reason, is_promo_eligible
      FROM dim_offer_eligibility WHERE customer_key = :customer ORDER BY subscription_group_id
      """
    ),
  ]
}
