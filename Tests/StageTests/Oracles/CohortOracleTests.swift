internal import TestSupport
internal import Testing

/// Movements and cohorts computed a second time, chain by chain in plain SQL: EXISTS in place of
/// the views' windows, without other views than `mrr_by_purchase`, which another test compares.
struct CohortOracleTests {
  private func compare(_ store: OracleStore, _ view: String, with oracle: String) throws {
    let shop = try store.shop()
    let found = try shop.rows(view).sorted()
    let expected = try shop.rows(oracle).sorted()
    #expect(found.count > 10)
    for (found, expected) in zip(found, expected) where found != expected {
      Issue.record("\(store): \(found)\nis by the second computation\n\(expected)")
      return
    }
    #expect(found.count == expected.count, "\(store)")
  }

  @Test(arguments: OracleStore.allCases)
  func `revenue by kind asks of each purchase what the chain paid before`(_ store: OracleStore)
    throws
  {
    let earlier = """
      EXISTS (SELECT 1 FROM fct_revenue AS e
        WHERE e.original_transaction_id = r.original_transaction_id AND e.paid_number < r.paid_number
      """
    try compare(
      store,
      """
      SELECT date_day, product_id, storefront, currency, new_milli, renewal_milli,
        reactivation_milli, one_time_milli, new_reporting_micros FROM revenue_by_kind_daily
      """,
      with: """
        SELECT purchased_date, product_id, storefront, currency,
          COALESCE(SUM(paid_milli) FILTER (WHERE is_subscription AND NOT is_later), 0),
          COALESCE(SUM(paid_milli) FILTER (WHERE is_subscription AND is_later AND is_same_spell), 0),
          COALESCE(SUM(paid_milli) FILTER (WHERE is_subscription AND is_later AND NOT is_same_spell), 0),
          COALESCE(SUM(paid_milli) FILTER (WHERE NOT is_subscription), 0),
          COALESCE(SUM(paid_reporting_micros) FILTER (WHERE is_subscription AND NOT is_later), 0)
        FROM (SELECT r.*, product_kind = 'auto_renewable_subscription' AS is_subscription,
            \(earlier)) AS is_later,
            \(earlier) AND e.spell_number = r.spell_number) AS is_same_spell
          FROM fct_revenue AS r)
        GROUP BY 1, 2, 3, 4
        """)
  }

  @Test(arguments: OracleStore.allCases)
  func `ARPPU lists who paid first and divides then`(_ store: OracleStore) throws {
    try compare(
      store, "SELECT month, currency, paying_customers, net_milli, arppu_milli FROM arppu_monthly",
      with: """
        WITH month AS (SELECT DISTINCT strftime('%Y-%m', purchased_at) AS month, currency
          FROM fct_revenue),
        counted AS (SELECT month, currency,
          (SELECT count(*) FROM (SELECT DISTINCT COALESCE(customer_key, original_transaction_id)
            FROM fct_revenue AS r WHERE strftime('%Y-%m', r.purchased_at) = m.month
              AND r.currency IS m.currency AND r.paid_milli > 0)) AS payers,
          (SELECT COALESCE(SUM(paid_milli), 0) FROM fct_revenue AS r
            WHERE strftime('%Y-%m', r.purchased_at) = m.month AND r.currency IS m.currency
              AND r.reversal_kind <> 'refund') AS net
          FROM month AS m)
        SELECT month, currency, payers, net, net / NULLIF(payers, 0) FROM counted
        """)
  }

  /// The last day of each month, and that of the month before.
  private static let months = """
    month AS (SELECT month, MAX(date_day) AS last_day,
      date(month || '-01', '-1 day') AS day_before FROM dim_date GROUP BY month)
    """

  @Test(arguments: OracleStore.allCases)
  func `churn asks of each chain whether anything runs at the end of the month`(
    _ store: OracleStore
  ) throws {
    let runs = """
      r.product_kind = 'auto_renewable_subscription' AND COALESCE(r.paid_milli, 1) > 0
        AND r.purchased_date <=
      """
    try compare(
      store,
      "SELECT month, product_id, storefront, subscriptions_at_start, churned_subscriptions FROM churn_monthly",
      with: """
        WITH \(Self.months)
        SELECT m.month, r.product_id, r.storefront, count(*),
          SUM(NOT EXISTS (SELECT 1 FROM fct_revenue AS k
            WHERE k.original_transaction_id = r.original_transaction_id
              AND k.product_kind = r.product_kind AND COALESCE(k.paid_milli, 1) > 0
              AND k.purchased_date <= m.last_day AND date(k.access_ends_at) > m.last_day))
        FROM month AS m JOIN fct_revenue AS r ON \(runs) m.day_before
          AND date(r.access_ends_at) > m.day_before
        WHERE NOT EXISTS (SELECT 1 FROM fct_revenue AS n
          WHERE n.original_transaction_id = r.original_transaction_id
            AND COALESCE(n.paid_milli, 1) > 0 AND n.product_kind = r.product_kind
            AND n.purchased_date <= m.day_before AND date(n.access_ends_at) > m.day_before
            AND (n.purchased_at, n.purchase_key) > (r.purchased_at, r.purchase_key))
        GROUP BY 1, 2, 3
        """)
  }

  @Test(arguments: OracleStore.allCases)
  func `movements of MRR are judged chain by chain, and begin and end as mrr_daily does`(
    _ store: OracleStore
  ) throws {
    let total = { (chain: String, day: String) in
      """
      (SELECT COALESCE(SUM(x.mrr_micros), 0) FROM mrr_by_purchase AS x
        WHERE x.original_transaction_id = c.original_transaction_id \(chain)
          AND x.first_date <= \(day) AND x.end_date > \(day))
      """
    }
    let own = """
      AND x.product_id = c.product_id AND x.storefront IS c.storefront AND x.currency = c.currency
      """
    let currency = "AND x.currency = c.currency"
    try compare(
      store,
      """
      SELECT month, product_id, storefront, currency, start_micros, new_micros, reactivated_micros,
        recovered_micros, expansion_micros, contraction_micros, churned_micros,
        product_change_micros, end_micros FROM mrr_movement_monthly
      """,
      with: """
        WITH \(Self.months),
        cell AS (SELECT DISTINCT original_transaction_id, product_id, storefront, currency
          FROM mrr_by_purchase),
        judged AS MATERIALIZED (SELECT m.month, c.*, \(total(own, "m.day_before")) AS before,
            \(total(own, "m.last_day")) AS after, \(total("", "m.day_before")) AS all_before,
            \(total("", "m.last_day")) AS all_after,
            \(total(currency, "m.day_before")) AS own_before,
            \(total(currency, "m.last_day")) AS own_after,
            (SELECT MIN(first_date) FROM mrr_by_purchase AS x
              WHERE x.original_transaction_id = c.original_transaction_id) > m.day_before AS is_new,
            (SELECT MIN(x.first_date) FROM mrr_by_purchase AS x
              WHERE x.original_transaction_id = c.original_transaction_id
                AND x.spell_number = (SELECT y.spell_number FROM mrr_by_purchase AS y
                  WHERE y.original_transaction_id = c.original_transaction_id
                    AND y.first_date <= m.last_day AND y.end_date > m.last_day LIMIT 1))
              > m.day_before AS is_return
          FROM month AS m CROSS JOIN cell AS c),
        named AS (SELECT *, CASE WHEN all_before = 0 AND is_new THEN 'new'
            WHEN all_before = 0 AND is_return THEN 'back' WHEN all_before = 0 THEN 'late'
            WHEN all_after = 0 THEN 'gone'
            WHEN own_after > own_before THEN 'more' ELSE 'less' END AS kind,
            CASE WHEN own_before = 0 OR own_after = 0 THEN after - before
              WHEN EXISTS (SELECT 1 FROM judged AS o
                WHERE o.original_transaction_id = j.original_transaction_id AND o.month = j.month
                  AND o.currency = j.currency AND (o.after > j.after OR o.after = j.after
                    AND (o.product_id, COALESCE(o.storefront, ''))
                      < (j.product_id, COALESCE(j.storefront, '')))) THEN 0
              ELSE own_after - own_before END AS change
          FROM judged AS j WHERE before > 0 OR after > 0)
        SELECT month, product_id, storefront, currency, SUM(before),
          SUM(IIF(kind = 'new', change, 0)), SUM(IIF(kind = 'back', change, 0)),
          SUM(IIF(kind = 'late', change, 0)), SUM(IIF(kind = 'more', change, 0)),
          SUM(IIF(kind = 'less', change, 0)), SUM(IIF(kind = 'gone', change, 0)),
          SUM(after - before - change), SUM(after)
        FROM named GROUP BY 1, 2, 3, 4
        """)
    try compare(
      store,
      """
      SELECT month, product_id, storefront, currency, end_micros, end_reporting_micros
      FROM mrr_movement_monthly WHERE end_micros > 0
      """,
      with: """
        WITH \(Self.months)
        SELECT m.month, d.product_id, d.storefront, d.currency, d.mrr_micros, d.mrr_reporting_micros
        FROM month AS m JOIN mrr_daily AS d ON d.date_day = m.last_day WHERE d.mrr_micros > 0
        """)
  }

  @Test(arguments: OracleStore.allCases)
  func `exchange rates move what goes on, and nothing else`(_ store: OracleStore) throws {
    let shop = try store.shop()
    let kinds = [
      "new", "reactivated", "recovered", "expansion", "contraction", "churned", "product_change",
    ]
    let own = kinds.map { "\($0)_micros" }.joined(separator: " + ")
    let converted = kinds.map { "\($0)_reporting_micros" }.joined(separator: " + ")
    #expect(
      try shop.rows(
        """
        SELECT * FROM mrr_movement_monthly WHERE start_micros + \(own) <> end_micros
          OR start_reporting_micros + \(converted) + exchange_reporting_micros
            <> end_reporting_micros
          OR contraction_micros > 0 OR contraction_reporting_micros > 0
          OR expansion_micros < 0 OR expansion_reporting_micros < 0
          OR currency = (SELECT reporting_currency FROM audit_run)
            AND ABS(exchange_reporting_micros) > 1000
        """) == [], "\(store)")
    #expect(
      try shop.rows(
        """
        SELECT month, currency, SUM(product_change_micros) AS moved FROM mrr_movement_monthly
        GROUP BY month, currency HAVING moved <> 0
        """) == [], "\(store)")
    // Two levels of the same chain and currency at the same price differ by rates alone.
    let level = { (day: String) in
      """
      (SELECT original_transaction_id AS chain, currency, m.month AS month,
          SUM(mrr_micros) AS own, SUM(COALESCE(mrr_reporting_micros, 0)) AS converted
        FROM month AS m JOIN mrr_by_purchase ON first_date <= \(day) AND end_date > \(day)
        GROUP BY 1, 2, 3)
      """
    }
    try compare(
      store,
      """
      SELECT month, SUM(expansion_reporting_micros + contraction_reporting_micros)
        + SUM(exchange_reporting_micros) + SUM(product_change_reporting_micros)
      FROM mrr_movement_monthly GROUP BY month
      """,
      with: """
        WITH \(Self.months),
        chain AS (SELECT s.chain, s.month FROM \(level("m.day_before")) AS s
          JOIN \(level("m.last_day")) AS e ON e.chain = s.chain AND e.month = s.month
          GROUP BY 1, 2),
        change AS (SELECT month, SUM(sum) AS sum FROM (
          SELECT l.month, l.converted AS sum FROM \(level("m.last_day")) AS l
            JOIN chain USING (chain, month)
          UNION ALL SELECT l.month, -l.converted FROM \(level("m.day_before")) AS l
            JOIN chain USING (chain, month)) GROUP BY month)
        SELECT DISTINCT d.month, COALESCE(c.sum, 0) FROM mrr_movement_monthly AS d
        LEFT JOIN change AS c ON c.month = d.month
        """)
  }

  @Test(arguments: OracleStore.allCases)
  func `each period is begun by one thing, asked by one query for each`(_ store: OracleStore) throws
  {
    let events = [
      "started", "trial_started", "converted", "renewed", "recovered", "reactivated", "upgraded",
      "downgraded", "cancelled", "expired", "refunded",
    ]
    let found = events.map { event in
      "SELECT date_day, product_id, storefront, '\(event)' AS event, \(event) AS count"
        + " FROM subscription_movement_daily WHERE \(event) > 0"
    }.joined(separator: " UNION ALL ")
    try compare(store, found, with: Self.movements)
    let shop = try store.shop()
    #expect(
      try shop.rows(
        """
        SELECT SUM(started + converted + renewed + recovered + reactivated + upgraded + downgraded)
        FROM subscription_movement_daily
        """)
        == shop.rows(
          "SELECT count(1) FROM fct_revenue WHERE product_kind = 'auto_renewable_subscription'"))
  }

  @Test(arguments: OracleStore.allCases)
  func `what follows a lapse is a reactivation, and nothing else is`(_ store: OracleStore) throws {
    let shop = try store.shop()
    // A lapse is worked out from the rows and renewal states alone: RULES, what a lapse is.
    let lapses = """
      WITH row AS (SELECT purchase_key, original_transaction_id AS chain, purchased_at, period_kind,
          spell_number, is_billing_recovery, unixepoch(purchased_at) - unixepoch(MAX(CASE
            WHEN reversal_kind = 'upgrade' THEN MIN(expires_at, MAX(purchased_at, reversed_at))
            ELSE COALESCE(expires_at, purchased_at) END) OVER (PARTITION BY original_transaction_id
            ORDER BY purchased_at, expires_at, purchase_key
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS gap,
          (SELECT s.auto_renew_status FROM fct_renewal_state AS s
            WHERE s.original_transaction_id = r.original_transaction_id
              AND s.observed_at < r.purchased_at ORDER BY s.observed_at DESC LIMIT 1) AS renews
        FROM fct_revenue AS r WHERE product_kind = 'auto_renewable_subscription'),
      judged AS (SELECT *, gap > 60 * 86400 OR gap > 86400
          AND (period_kind IN ('promo', 'offer_code') OR renews IS 0) AS is_lapse FROM row)
      """
    #expect(
      try shop.rows(
        """
        \(lapses) SELECT purchase_key, is_lapse, spell_number FROM judged
        WHERE COALESCE(is_lapse, 0) <> (spell_number > COALESCE((SELECT MAX(b.spell_number)
            FROM judged AS b WHERE b.chain = judged.chain AND b.purchased_at < judged.purchased_at), 1))
          OR is_billing_recovery <> (COALESCE(gap > 0, 0) AND NOT is_lapse)
        """) == [], "\(store)")
    let returns = try shop.rows("\(lapses) SELECT SUM(is_lapse) FROM judged")
    #expect(returns != ["0"], "\(store): nobody came back")
    #expect(try shop.rows("SELECT SUM(reactivated) FROM subscription_movement_daily") == returns)
    #expect(try shop.rows("SELECT SUM(spells - 1) FROM dim_subscription") == returns)
  }

  private static let movements = """
    WITH row AS (SELECT * FROM fct_revenue WHERE product_kind = 'auto_renewable_subscription'),
    former AS (SELECT r.purchase_key, (SELECT f.purchase_key FROM row AS f
        WHERE f.original_transaction_id = r.original_transaction_id
          AND (f.purchased_at, f.expires_at, f.purchase_key)
            < (r.purchased_at, r.expires_at, r.purchase_key)
        ORDER BY f.purchased_at DESC, f.expires_at DESC, f.purchase_key DESC LIMIT 1) AS former_key
      FROM row AS r),
    begun AS (SELECT r.purchased_date AS day, r.product_id, r.storefront,
        CASE WHEN b.purchase_key IS NULL THEN 'started'
          WHEN b.spell_number < r.spell_number THEN 'reactivated'
          WHEN EXISTS (SELECT 1 FROM fct_conversion AS c WHERE c.offer_kind = 'trial'
            AND c.converted_purchase_key = r.purchase_key) THEN 'converted'
          WHEN b.reversal_kind = 'upgrade' THEN 'upgraded'
          WHEN b.product_id <> r.product_id THEN 'downgraded'
          WHEN r.is_billing_recovery THEN 'recovered' ELSE 'renewed' END AS event
      FROM row AS r JOIN former USING (purchase_key)
      LEFT JOIN row AS b ON b.purchase_key = former.former_key),
    cancelled AS (SELECT date(s.observed_at) AS day, r.product_id, r.storefront
      FROM fct_renewal_state AS s
      JOIN row AS r ON r.purchase_key = (SELECT q.purchase_key FROM row AS q
        WHERE q.original_transaction_id = s.original_transaction_id
          AND q.purchased_at <= s.observed_at
        ORDER BY q.purchased_at DESC, q.expires_at DESC, q.purchase_key DESC LIMIT 1)
      WHERE s.auto_renew_status = 0 AND COALESCE(s.expiration_intent, 0) NOT IN ('2', '4')
        AND COALESCE((SELECT p.auto_renew_status FROM fct_renewal_state AS p
          WHERE p.original_transaction_id = s.original_transaction_id
            AND p.observed_at < s.observed_at AND p.auto_renew_status IS NOT NULL
          ORDER BY p.observed_at DESC LIMIT 1), 1) = 1)
    SELECT day, product_id, storefront, event, count(*) FROM begun GROUP BY 1, 2, 3, 4
    UNION ALL SELECT started_date, offer_product_id, r.storefront, 'trial_started', count(*)
      FROM fct_conversion JOIN row AS r ON r.purchase_key = offer_purchase_key
      WHERE offer_kind = 'trial' GROUP BY 1, 2, 3
    UNION ALL SELECT day, product_id, storefront, 'cancelled', count(*) FROM cancelled
      GROUP BY 1, 2, 3
    UNION ALL SELECT date(access_ends_at), product_id, storefront, 'expired', count(*)
      FROM row AS r WHERE reversal_kind <> 'refund'
        AND access_ends_at <= (SELECT as_of FROM audit_run)
        AND NOT EXISTS (SELECT 1 FROM former AS f JOIN row AS n USING (purchase_key)
          WHERE f.former_key = r.purchase_key AND n.purchased_date <= date(r.access_ends_at))
      GROUP BY 1, 2, 3
    UNION ALL SELECT date(reversed_at), product_id, storefront, 'refunded', count(*)
      FROM row WHERE reversal_kind = 'refund' GROUP BY 1, 2, 3
    """

  @Test(arguments: OracleStore.allCases)
  func `retention counts the paid periods of each chain and product`(_ store: OracleStore) throws {
    try compare(
      store,
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
    try compare(
      store, "SELECT * FROM dim_customer",
      with: """
        SELECT f.customer_key, f.purchased_at, f.product_id, f.storefront, f.currency,
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
    try compare(
      store,
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
