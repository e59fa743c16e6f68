internal import Testing

/// Sums over the lives of customers and subscriptions, computed a second time in plain SQL.
struct LifetimeOracleTests {
  @Test(arguments: OracleStore.allCases)
  func `retention counts the paid periods of each chain and product`(_ store: OracleStore) throws {
    try store.compare(
      """
      SELECT cohort_month, product_id, storefront, period_number, subscriptions, retained,
        could_reach, not_seen, is_complete FROM retention_cohort
      """,
      with: """
        WITH payable AS (SELECT * FROM fct_revenue WHERE paid_number IS NOT NULL
          AND product_kind = 'auto_renewable_subscription' AND expires_at IS NOT NULL),
        first AS (SELECT * FROM payable AS r WHERE NOT EXISTS (SELECT 1 FROM payable AS e
          WHERE e.original_transaction_id = r.original_transaction_id
            AND e.product_id = r.product_id AND e.paid_number < r.paid_number)),
        life AS (SELECT f.original_transaction_id AS chain, substr(f.purchased_at, 1, 7) AS month,
            f.product_id, f.storefront, count(*) AS periods, MAX(r.expires_at) AS expires_at,
            -- The last period is the one with the latest end.
            r.covered_period AS length
          FROM first AS f JOIN payable AS r USING (original_transaction_id, product_id, spell_number)
          GROUP BY f.purchase_key),
        ended AS (SELECT l.*, run.as_of, CAST(substr(length, 2) AS INTEGER) AS count,
            substr(length, -1) AS unit, EXISTS (SELECT 1 FROM dim_subscription AS s
              WHERE s.original_transaction_id = l.chain AND s.seen_through_at IS NOT NULL
                AND date(s.expires_at) = date(l.expires_at)) AS is_unseen
          FROM life AS l JOIN audit_run AS run),
        subscription AS (SELECT month, product_id, storefront, periods, is_unseen,
            unixepoch(expires_at) + 60 * 86400 <= unixepoch(as_of) AS is_over,
            -- Each later period was due when the one before it would have ended.
            periods + (SELECT count(*) FROM generate_numbers AS g
              WHERE CASE WHEN unit IN ('M', 'Y')
                THEN strftime('%Y-%m', substr(expires_at, 1, 7) || '-01', '+'
                  || ((g.value - 1) * count * IIF(unit = 'Y', 12, 1)) || ' months')
                  || substr(expires_at, 8) <= as_of
                ELSE unixepoch(expires_at) + (g.value - 1) * count * IIF(unit = 'W', 7, 1) * 86400
                  <= unixepoch(as_of) END) AS possible
          FROM ended),
        longest AS (SELECT original_transaction_id, product_id, count(*) AS periods
          FROM payable GROUP BY original_transaction_id, product_id, spell_number),
        number AS (SELECT product_id, value AS n FROM (SELECT product_id, MAX(periods) AS top
            FROM longest GROUP BY product_id)
          JOIN generate_numbers ON value <= top),
        cohort AS (SELECT month, product_id, storefront, n, count(*) AS subscriptions,
            SUM(periods >= n) AS retained,
            SUM(periods >= n OR possible >= n AND NOT is_unseen) AS could_reach,
            SUM(periods < n AND is_unseen) AS not_seen,
            SUM(periods >= n OR is_over OR is_unseen) AS decided
          FROM subscription JOIN number USING (product_id) GROUP BY 1, 2, 3, 4)
        SELECT month, product_id, storefront, n, subscriptions, retained, could_reach, not_seen,
          decided = subscriptions AND could_reach + not_seen = subscriptions
            AND not_seen <= 0.01 * subscriptions AND month IN (
              SELECT m.month FROM completeness_monthly AS m WHERE m.is_complete) FROM cohort
        WHERE could_reach > 0
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
    let isKept =
      "AND NOT (p.reversal_kind = 'refund' AND strftime('%Y-%m', p.reversed_at) <= m.month)"
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
              AND strftime('%Y-%m', p.purchased_at) <= m.month \(isKept)),
          (SELECT COALESCE(SUM(p.paid_reporting_micros), 0)
            FROM named AS p JOIN customer AS o USING (customer)
            WHERE o.cohort = c.cohort AND o.product_id = c.product_id
              AND o.storefront IS c.storefront AND COALESCE(p.currency, o.currency) IS c.currency
              AND strftime('%Y-%m', p.purchased_at) <= m.month \(isKept)),
          (SELECT COALESCE(SUM(p.paid_low_reporting_micros), 0)
            FROM named AS p JOIN customer AS o USING (customer)
            WHERE o.cohort = c.cohort AND o.product_id = c.product_id
              AND o.storefront IS c.storefront AND COALESCE(p.currency, o.currency) IS c.currency
              AND strftime('%Y-%m', p.purchased_at) <= m.month \(isKept)),
          (SELECT COALESCE(SUM(p.paid_high_reporting_micros), 0)
            FROM named AS p JOIN customer AS o USING (customer)
            WHERE o.cohort = c.cohort AND o.product_id = c.product_id
              AND o.storefront IS c.storefront AND COALESCE(p.currency, o.currency) IS c.currency
              AND strftime('%Y-%m', p.purchased_at) <= m.month \(isKept)),
          (SELECT COALESCE(SUM(p.paid_high_reporting_micros IS NULL), 0)
            FROM named AS p JOIN customer AS o USING (customer)
            WHERE o.cohort = c.cohort AND o.product_id = c.product_id
              AND o.storefront IS c.storefront AND COALESCE(p.currency, o.currency) IS c.currency
              AND strftime('%Y-%m', p.purchased_at) <= m.month \(isKept))
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
