package import GRDB

/// The published facts of one chain, from its first row to its last.
package enum PublishedChain {
  /// Reads the subscription, its rows, offers, movements of money and renewal states.
  ///
  /// - Returns: Five sections in this order; `nil` if the chain has no published purchase.
  package static func sections(_ chain: String, on db: Database) throws -> [FactSection]? {
    let sections = try queries.map { query in
      try FactSection(
        query.key, title: query.title, sql: query.sql, arguments: ["chain": chain], on: db)
    }
    return sections.contains { $0.key == "purchases" && !$0.rows.isEmpty } ? sections : nil
  }

  /// The chain of a transaction; `nil` if no published purchase has this transaction id.
  package static func chain(ofTransaction id: String, on db: Database) throws -> String? {
    try String.fetchOne(
      db,
      sql: """
        SELECT r.original_transaction_id FROM bridge_transaction_id AS b
        JOIN fct_revenue AS r ON r.purchase_key = b.purchase_key WHERE b.transaction_id = ?
        """, arguments: [id])
  }

  private static let queries: [(key: String, title: String, sql: String)] = [
    (
      "subscription", "The subscription at the as-of time",
      """
      SELECT status, current_product_id, first_started_at, first_trial_at, first_paid_at,
        expires_at, auto_renew_status, auto_renew_product_id, spells, paid_count
      FROM dim_subscription WHERE original_transaction_id = :chain
      """
    ),
    (
      "purchases", "Purchases of the chain",
      """
      SELECT r.transaction_id, r.purchased_at, r.expires_at, r.product_id, r.period_kind,
        r.offer_id, r.offer_name, r.spell_number, r.renewal_number, r.currency, r.paid_milli,
        CASE WHEN r.paid_milli IS NULL THEN r.paid_low_milli END AS low_milli,
        CASE WHEN r.paid_milli IS NULL THEN r.paid_high_milli END AS high_milli,
        r.price_status, r.price_rule, r.commission_bp,
        NULLIF(r.reversal_kind, 'none') AS reversal, r.reversed_at,
        f.name || ':' || r.source_line AS source
      FROM fct_revenue AS r LEFT JOIN audit_file AS f ON f.source_file_id = r.source_file_id
      WHERE r.original_transaction_id = :chain
      ORDER BY r.purchased_at, r.expires_at, r.purchase_key
      """
    ),
    (
      "offers", "Offers and their outcome",
      """
      SELECT offer_number, offer_kind, offer_id, offer_product_id, started_at, ends_at,
        offer_periods, currency, offer_paid_milli, status, converted_at, converted_product_id,
        converted_paid_milli, conversion_refunded_at, matures_at
      FROM fct_conversion WHERE original_transaction_id = :chain ORDER BY offer_number
      """
    ),
    (
      "entries", "Charges, refunds and credits",
      """
      SELECT e.entry_date, e.entry_kind, r.transaction_id, e.currency, e.amount_milli,
        e.amount_reporting_micros, e.amount_basis
      FROM fct_revenue AS r JOIN fct_revenue_entry AS e ON e.purchase_key = r.purchase_key
      WHERE r.original_transaction_id = :chain ORDER BY e.entry_date, e.entry_key
      """
    ),
    (
      "renewal_states", "Renewal states that snapshots showed",
      """
      SELECT observed_at, auto_renew_status, auto_renew_product_id, expiration_intent,
        is_in_billing_retry, grace_period_expires_at, price_consent_status,
        commitment_auto_renew_status, commitment_renews_at, commitment_renewal_price_milli,
        commitment_currency, renewal_billing_plan
      FROM fct_renewal_state WHERE original_transaction_id = :chain ORDER BY observed_at
      """
    ),
  ]
}
