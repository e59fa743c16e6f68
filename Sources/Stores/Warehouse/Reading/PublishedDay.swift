package import GRDB
internal import SQLiteFiles

/// The published facts of one day: the day's figures, and the rows from which they are summed.
package enum PublishedDay {
  /// Reads the figures and rows of a day in four sections.
  ///
  /// The sections are:
  ///
  /// - the figures of the purchases of the day (`revenue_daily`)
  /// - the purchases in these figures
  /// - the figures of the charges and refunds of the day (`net_revenue_ledger_daily`)
  /// - the refunds and credits of the day, for purchases of any day
  ///
  /// - Parameters:
  ///   - day: The day, `2021-08-09`.
  ///   - product: A single product; `nil` for all.
  /// - Returns: The sections; each may be empty.
  package static func sections(_ day: String, product: String?, on db: Database) throws
    -> [FactSection]
  {
    try queries.map { query in
      try FactSection(
        query.key, title: query.title, sql: query.sql,
        arguments: ["day": day, "product": product], on: db)
    }
  }

  /// The product ids of purchases, price reports and the catalogue, in alphabetical order.
  package static func products(on db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT product_id FROM dim_product ORDER BY product_id")
  }

  /// The first and the last published purchase day; `nil` without purchases.
  package static func range(on db: Database) throws -> (first: String, last: String)? {
    let row = try StoredRow.fetchOne(
      db, sql: "SELECT MIN(purchased_date), MAX(purchased_date) FROM fct_revenue")
    guard let first: String = row?[0], let last: String = row?[1] else { return nil }
    return (first, last)
  }

  private static let queries: [(key: String, title: String, sql: String)] = [
    (
      "revenue_daily", "Figures by purchase day (revenue_daily)",
      """
      SELECT product_id, currency, gross_milli, gross_low_milli, gross_high_milli,
        net_cohort_milli, unresolved_rows,
        -- Without a reporting currency no row waits for a rate.
        CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1)
          IS NOT NULL THEN unconverted_rows END AS unconverted_rows,
        CASE WHEN unconverted_rows = 0 THEN gross_reporting_micros END AS gross_reporting_micros
      FROM revenue_daily WHERE date_day = :day AND (:product IS NULL OR product_id = :product)
      ORDER BY product_id, currency
      """
    ),
    (
      "purchases", "The purchases in these figures",
      """
      SELECT r.transaction_id, r.purchased_at, r.product_id, r.period_kind, r.quantity, r.currency,
        r.paid_milli, CASE WHEN r.paid_milli IS NULL THEN r.paid_low_milli END AS low_milli,
        CASE WHEN r.paid_milli IS NULL THEN r.paid_high_milli END AS high_milli,
        r.paid_reporting_micros, r.price_status, r.price_rule,
        NULLIF(r.reversal_kind, 'none') AS reversal, r.reversed_at,
        f.name || ':' || r.source_line AS source
      FROM fct_revenue AS r LEFT JOIN audit_file AS f ON f.source_file_id = r.source_file_id
      WHERE r.purchased_date = :day AND (:product IS NULL OR r.product_id = :product)
      ORDER BY r.product_id, r.currency, r.purchased_at, length(r.transaction_id), r.transaction_id
      """
    ),
    (
      "net_revenue_ledger_daily", "Figures by the day money moved (net_revenue_ledger_daily)",
      """
      SELECT product_id, currency, charges_milli, refunds_milli, net_ledger_milli,
        CASE WHEN unconverted_entries = 0 THEN net_ledger_reporting_micros END
          AS net_ledger_reporting_micros
      FROM net_revenue_ledger_daily
      WHERE date_day = :day AND (:product IS NULL OR product_id = :product)
        AND (charges_milli <> 0 OR refunds_milli <> 0)
      ORDER BY product_id, currency
      """
    ),
    (
      "money_back", "Refunds and credits on this day, for purchases of any day",
      """
      SELECT r.transaction_id, e.entry_kind, r.purchased_at, r.product_id, e.currency,
        e.amount_milli, e.amount_reporting_micros, e.amount_basis, r.reversal_reason
      FROM fct_revenue_entry AS e JOIN fct_revenue AS r ON r.purchase_key = e.purchase_key
      WHERE e.entry_date = :day AND e.entry_kind <> 'charge'
        AND (:product IS NULL OR r.product_id = :product)
      ORDER BY r.product_id, e.currency, e.entry_kind, length(r.transaction_id), r.transaction_id
      """
    ),
  ]
}
