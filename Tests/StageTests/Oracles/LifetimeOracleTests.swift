internal import TestSupport
internal import Testing

/// Sums over the lives of customers and subscriptions, computed a second time in plain SQL.
struct LifetimeOracleTests {
  @Test(arguments: OracleStore.allCases)
  func `retention counts the paid periods of each chain and product`(_ store: OracleStore) throws {
    try store.compare(
      """
      SELECT cohort_month, product_id, storefront, period_number, subscriptions, retained,
        is_complete FROM retention_cohort
      """,
      with: """
        WITH payable AS (SELECT * FROM fct_revenue WHERE paid_number IS NOT NULL
          AND product_kind = 'auto_renewable_subscription' AND expires_at IS NOT NULL),
        first AS (SELECT * FROM payable AS r WHERE NOT EXISTS (SELECT 1 FROM payable AS e
          WHERE e.original_transaction_id = r.original_transaction_id
            AND e.product_id = r.product_id AND e.paid_number < r.paid_number)),
        subscription AS (SELECT substr(f.purchased_at, 1, 7) AS month, f.product_id, f.storefront,
          count(*) AS periods,
          unixepoch(MAX(r.expires_at)) + 60 * 86400 <= unixepoch((SELECT as_of FROM audit_run))
            AS is_over
          FROM first AS f JOIN payable AS r USING (original_transaction_id, product_id, spell_number)
          GROUP BY f.purchase_key),
        longest AS (SELECT original_transaction_id, product_id, count(*) AS periods
          FROM payable GROUP BY original_transaction_id, product_id, spell_number),
        number AS (SELECT product_id, value AS n FROM (SELECT product_id, MAX(periods) AS top
            FROM longest GROUP BY product_id)
          JOIN generate_numbers ON value <= top),
        cohort AS (SELECT month, product_id, storefront, n, count(*) AS subscriptions,
            SUM(periods >= n) AS retained, SUM(periods >= n OR is_over) AS decided
          FROM subscription JOIN number USING (product_id) GROUP BY 1, 2, 3, 4)
        SELECT month, product_id, storefront, n, subscriptions, retained,
          decided = subscriptions AND unixepoch(month || '-01', '+1 month')
            <= unixepoch((SELECT complete_through_date FROM audit_run), '+1 day') FROM cohort
        WHERE (month, product_id, n) IN (SELECT month, product_id, n FROM cohort WHERE decided > 0)
        """.replacing(
          "generate_numbers",
          with: "(WITH RECURSIVE g (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM g"
            + " WHERE value < 200) SELECT value FROM g)"))
  }

  @Test(arguments: OracleStore.allCases)
  func `a customer begins with the first purchase, trial and payment`(_ store: OracleStore) throws {
    try store.compare(
      "SELECT * FROM dim_customer",
      with: """
        SELECT f.customer_key, f.purchased_at, f.bundle_id, f.product_id, f.storefront, f.currency,
          (SELECT t.purchased_at FROM fct_revenue AS t WHERE t.customer_key = f.customer_key
            AND t.period_kind = 'trial' ORDER BY t.purchased_at LIMIT 1),
          (SELECT p.purchased_at FROM fct_revenue AS p WHERE p.customer_key = f.customer_key
            AND p.paid_milli > 0 ORDER BY p.purchased_at LIMIT 1),
          (SELECT count(*) FROM fct_revenue AS u WHERE u.customer_key = f.customer_key
            AND u.paid_milli IS NULL),
          (SELECT count(*) FROM fct_revenue AS a WHERE a.customer_key = f.customer_key)
        FROM fct_revenue AS f
        WHERE f.customer_key IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM fct_revenue AS e WHERE e.customer_key = f.customer_key
            AND (e.purchased_at, e.purchase_key) < (f.purchased_at, f.purchase_key))
        """)
  }

  @Test(arguments: OracleStore.allCases)
  func `lifetime value sums each customer's purchases up to each month`(_ store: OracleStore) throws
  {
    try store.compare(
      """
      SELECT cohort_month, product_id, storefront, currency, months_since, customers,
        paying_customers, possible_paying_customers, net_milli, net_reporting_micros,
        net_low_reporting_micros, net_high_reporting_micros, unbounded_rows
      FROM ltv_cohort WHERE customers > 0
      """,
      with: """
        WITH named AS (SELECT COALESCE(customer_key, original_transaction_id) AS customer, *
          FROM fct_revenue),
        customer AS (SELECT n.customer, substr(n.purchased_at, 1, 7) AS cohort, n.product_id,
            n.storefront, (SELECT c.currency FROM named AS c WHERE c.customer = n.customer
              AND c.currency IS NOT NULL ORDER BY c.purchased_at, c.purchase_key LIMIT 1) AS currency
          FROM named AS n WHERE NOT EXISTS (SELECT 1 FROM named AS e WHERE e.customer = n.customer
            AND (e.purchased_at, e.purchase_key) < (n.purchased_at, n.purchase_key))),
        month AS (SELECT DISTINCT strftime('%Y-%m', date_day) AS month FROM dim_date)
        SELECT cohort, product_id, storefront, currency,
          (unixepoch(month || '-15') - unixepoch(cohort || '-15') + 1296000) / 2629800,
          count(*),
          SUM(EXISTS (SELECT 1 FROM named AS p WHERE p.customer = c.customer AND p.paid_milli > 0
            AND strftime('%Y-%m', p.purchased_at) <= m.month)),
          SUM(EXISTS (SELECT 1 FROM named AS p WHERE p.customer = c.customer
            AND (p.paid_milli > 0 OR p.paid_milli IS NULL)
            AND strftime('%Y-%m', p.purchased_at) <= m.month)),
          (SELECT COALESCE(SUM(p.paid_milli), 0) FROM named AS p JOIN customer AS o USING (customer)
            WHERE o.cohort = c.cohort AND o.product_id = c.product_id
              AND o.storefront IS c.storefront AND COALESCE(p.currency, o.currency) IS c.currency
              AND p.reversal_kind <> 'refund' AND strftime('%Y-%m', p.purchased_at) <= m.month),
          (SELECT COALESCE(SUM(p.paid_reporting_micros), 0)
            FROM named AS p JOIN customer AS o USING (customer)
            WHERE o.cohort = c.cohort AND o.product_id = c.product_id
              AND o.storefront IS c.storefront AND COALESCE(p.currency, o.currency) IS c.currency
              AND p.reversal_kind <> 'refund' AND strftime('%Y-%m', p.purchased_at) <= m.month),
          (SELECT COALESCE(SUM(p.paid_low_reporting_micros), 0)
            FROM named AS p JOIN customer AS o USING (customer)
            WHERE o.cohort = c.cohort AND o.product_id = c.product_id
              AND o.storefront IS c.storefront AND COALESCE(p.currency, o.currency) IS c.currency
              AND p.reversal_kind <> 'refund' AND strftime('%Y-%m', p.purchased_at) <= m.month),
          (SELECT COALESCE(SUM(p.paid_high_reporting_micros), 0)
            FROM named AS p JOIN customer AS o USING (customer)
            WHERE o.cohort = c.cohort AND o.product_id = c.product_id
              AND o.storefront IS c.storefront AND COALESCE(p.currency, o.currency) IS c.currency
              AND p.reversal_kind <> 'refund' AND strftime('%Y-%m', p.purchased_at) <= m.month),
          (SELECT COALESCE(SUM(p.paid_high_reporting_micros IS NULL), 0)
            FROM named AS p JOIN customer AS o USING (customer)
            WHERE o.cohort = c.cohort AND o.product_id = c.product_id
              AND o.storefront IS c.storefront AND COALESCE(p.currency, o.currency) IS c.currency
              AND p.reversal_kind <> 'refund' AND strftime('%Y-%m', p.purchased_at) <= m.month)
        FROM customer AS c JOIN month AS m ON m.month >= c.cohort
        GROUP BY 1, 2, 3, 4, m.month
        """)
  }
}

extension OracleStore {
  /// Compares the rows of a view with those of a second query, in any order.
  func compare(_ view: String, with oracle: String) throws {
    let shop = try shop()
    let found = try shop.rows(view).sorted()
    let expected = try shop.rows(oracle).sorted()
    #expect(found.count > 10)
    for (found, expected) in zip(found, expected) where found != expected {
      Issue.record("\(self): \(found)\nis by the second computation\n\(expected)")
      return
    }
    #expect(found.count == expected.count, "\(self)")
  }
}
