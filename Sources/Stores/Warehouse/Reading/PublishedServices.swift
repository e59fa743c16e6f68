package import GRDB

/// The published comparison with a hosted service: what it books beside what was paid.
package struct PublishedServices: Hashable {
  /// The number of purchases that were compared.
  package let purchases: Int64
  /// The service's money and ours, by service and currency.
  package let money: FactSection
  /// The differences by service, currency and cause; the largest first.
  package let causes: FactSection
  /// The purchases whose amounts differ.
  package let rows: FactSection

  /// Reads the comparison.
  ///
  /// - Parameters:
  ///   - service: The service; `nil` for all.
  ///   - month: The month of purchase, such as `2024-05`; `nil` for all.
  package init(service: String?, month: String?, on db: Database) throws {
    let arguments: StatementArguments = [service, month]
    let scope = """
      WHERE (?1 IS NULL OR service = ?1) AND (?2 IS NULL OR month = ?2)
      """
    purchases =
      try Int64.fetchOne(
        db, sql: "SELECT SUM(purchases) FROM service_comparison_by_cause \(scope)",
        arguments: arguments) ?? 0
    money = try FactSection(
      "money", title: "Booked by the service, and paid",
      sql: """
        SELECT service, currency, SUM(purchases) AS purchases,
          SUM(CASE WHEN cause <> 'unresolved' THEN service_milli END) AS service_milli,
          SUM(our_milli) AS our_milli, SUM(difference_milli) AS difference_milli,
          SUM(CASE WHEN cause = 'unresolved' THEN purchases ELSE 0 END) AS unresolved_rows
        FROM service_comparison_by_cause \(scope)
        GROUP BY service, currency ORDER BY service, currency
        """, arguments: arguments, on: db)
    causes = try FactSection(
      "causes", title: "Why they differ",
      sql: """
        SELECT service, currency, cause, SUM(purchases) AS purchases,
          SUM(difference_milli) AS difference_milli
        FROM service_comparison_by_cause \(scope) AND cause <> 'equal'
        GROUP BY service, currency, cause
        ORDER BY service, currency, abs(COALESCE(SUM(difference_milli), 0)) DESC, cause
        """, arguments: arguments, on: db)
    rows = try FactSection(
      "rows", title: "Purchases that the service books otherwise",
      sql: """
        SELECT r.transaction_id, r.purchased_at, r.product_id, c.service, c.cause,
          c.service_paid_milli, c.service_currency, c.paid_milli, c.currency, r.price_rule
        FROM (SELECT *, substr((SELECT f.purchased_date FROM fct_revenue AS f
            WHERE f.purchase_key = s.purchase_key), 1, 7) AS month
          FROM service_comparison AS s) AS c
        JOIN fct_revenue AS r ON r.purchase_key = c.purchase_key
        WHERE (?1 IS NULL OR c.service = ?1) AND (?2 IS NULL OR c.month = ?2)
          AND c.cause <> 'equal'
        ORDER BY r.purchased_at, r.purchase_key
        """, arguments: arguments, on: db)
  }
}
