internal import Testing

/// Movements and cohorts computed a second time, chain by chain in plain SQL.
///
/// Uses EXISTS in place of window functions. The only view that it uses is `mrr_by_purchase`, which
/// another test checks.
struct CohortOracleTests {
  @Test(arguments: OracleStore.allCases)
  func `revenue by kind asks of each purchase what the chain paid before`(_ store: OracleStore)
    throws
  {
    let earlier = """
      EXISTS (SELECT 1 FROM fct_revenue AS e
        WHERE e.original_transaction_id = r.original_transaction_id AND e.paid_number < r.paid_number
      """
    let new = "is_subscription AND NOT is_later"
    let sums = [
      ("paid_milli", new), ("paid_milli", "is_subscription AND is_later AND is_same_spell"),
      ("paid_milli", "is_subscription AND is_later AND NOT is_same_spell"),
      ("paid_milli", "NOT is_subscription"), ("paid_reporting_micros", new),
    ].map { amount, kind in
      "IIF(count(*) FILTER (WHERE \(kind)) = 0, 0, SUM(\(amount)) FILTER (WHERE \(kind)))"
    }
    try store.compare(
      """
      SELECT date_day, product_id, storefront, currency, new_milli, renewal_milli,
        reactivation_milli, one_time_milli, new_reporting_micros FROM revenue_by_kind_daily
      """,
      with: """
        SELECT purchased_date, product_id, storefront, currency,
          \(sums.joined(separator: ", "))
        FROM (SELECT r.*, product_kind = 'auto_renewable_subscription' AS is_subscription,
            \(earlier)) AS is_later,
            \(earlier) AND e.spell_number = r.spell_number) AS is_same_spell
          FROM fct_revenue AS r)
        GROUP BY 1, 2, 3, 4
        """)
  }

  @Test(arguments: OracleStore.allCases)
  func `ARPPU lists who paid first and divides then`(_ store: OracleStore) throws {
    try store.compare(
      "SELECT month, currency, paying_customers, net_milli, arppu_milli FROM arppu_monthly",
      with: """
        WITH month AS (SELECT DISTINCT strftime('%Y-%m', purchased_at) AS month, currency
          FROM fct_revenue),
        counted AS (SELECT month, currency,
          (SELECT count(*) FROM (SELECT DISTINCT COALESCE(customer_key, original_transaction_id)
            FROM fct_revenue AS r WHERE strftime('%Y-%m', r.purchased_at) = m.month
              AND r.currency IS m.currency AND r.paid_milli > 0)) AS payers,
          (SELECT SUM(IIF(r.reversal_kind = 'refund', 0 * paid_milli, paid_milli))
            FROM fct_revenue AS r
            WHERE strftime('%Y-%m', r.purchased_at) = m.month AND r.currency IS m.currency) AS net
          FROM month AS m)
        SELECT month, currency, payers, net, net / NULLIF(payers, 0) FROM counted
        """)
  }

  /// The last day of each month, and the last day of the month before.
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
    try store.compare(
      """
      SELECT month, product_id, storefront, subscriptions_at_start, churned_subscriptions,
        not_seen_subscriptions, churn_bp FROM churn_monthly
      """,
      with: """
        WITH \(Self.months), judged AS (SELECT m.month, r.product_id, r.storefront,
          NOT EXISTS (SELECT 1 FROM fct_revenue AS k
            WHERE k.original_transaction_id = r.original_transaction_id
              AND k.product_kind = r.product_kind AND COALESCE(k.paid_milli, 1) > 0
              AND k.purchased_date <= m.last_day AND date(k.access_ends_at) > m.last_day) AS is_gone,
          EXISTS (SELECT 1 FROM dim_subscription AS s
            WHERE s.original_transaction_id = r.original_transaction_id
              AND s.seen_through_at IS NOT NULL AND strftime('%Y-%m', s.expires_at) = m.month)
            AS is_unseen
        FROM month AS m JOIN fct_revenue AS r ON \(runs) m.day_before
          AND date(r.access_ends_at) > m.day_before
        WHERE NOT EXISTS (SELECT 1 FROM fct_revenue AS n
          WHERE n.original_transaction_id = r.original_transaction_id
            AND COALESCE(n.paid_milli, 1) > 0 AND n.product_kind = r.product_kind
            AND n.purchased_date <= m.day_before AND date(n.access_ends_at) > m.day_before
            AND (n.purchased_at, n.purchase_key) > (r.purchased_at, r.purchase_key)))
        SELECT month, product_id, storefront, count(*), SUM(is_gone AND NOT is_unseen),
          SUM(is_gone AND is_unseen), 10000 * SUM(is_gone AND NOT is_unseen)
            / NULLIF(count(*) - SUM(is_gone AND is_unseen), 0)
        FROM judged GROUP BY 1, 2, 3
        """)
  }

  /// All periods that recurring revenue consists of, whether or not their amount is known.
  private static let parts = """
    part AS MATERIALIZED (SELECT r.original_transaction_id, r.product_id, r.storefront,
        COALESCE(r.currency, '') AS currency, r.spell_number, r.purchased_date AS first_date,
        date(r.access_ends_at) AS end_date, COALESCE(x.mrr_micros, 0) AS mrr_micros,
        r.paid_milli IS NULL AS is_open, r.paid_reporting_micros IS NULL AS is_unrated
      FROM fct_revenue AS r LEFT JOIN mrr_by_purchase AS x USING (purchase_key)
      WHERE r.product_kind = 'auto_renewable_subscription' AND COALESCE(r.paid_milli, 1) > 0
        AND r.covered_period IS NOT NULL AND r.purchased_date < date(r.access_ends_at))
    """

  @Test(arguments: OracleStore.allCases)
  func `movements of MRR are judged chain by chain, and begin and end as mrr_daily does`(
    _ store: OracleStore
  ) throws {
    let total = { (sum: String, chain: String, day: String) in
      """
      (SELECT COALESCE(SUM(\(sum)), 0) FROM part AS x
        WHERE x.original_transaction_id = c.original_transaction_id \(chain)
          AND x.first_date <= \(day) AND x.end_date > \(day))
      """
    }
    let mrr = "x.mrr_micros"
    let own = """
      AND x.product_id = c.product_id AND x.storefront IS c.storefront AND x.currency = c.currency
      """
    let currency = "AND x.currency = c.currency"
    try store.compare(
      """
      SELECT month, product_id, storefront, currency, start_micros, new_micros, reactivated_micros,
        recovered_micros, expansion_micros, contraction_micros, churned_micros, not_seen_micros,
        unresolved_micros, product_change_micros, end_micros FROM mrr_movement_monthly
      """,
      with: """
        WITH \(Self.months), \(Self.parts),
        cell AS (SELECT DISTINCT original_transaction_id, product_id, storefront, currency
          FROM part),
        judged AS MATERIALIZED (SELECT m.month, c.*, \(total(mrr, own, "m.day_before")) AS before,
            \(total(mrr, own, "m.last_day")) AS after,
            \(total("1", own, "m.day_before")) + \(total("1", own, "m.last_day")) AS runs,
            \(total("1", "", "m.day_before")) AS all_before,
            \(total("1", "", "m.last_day")) AS all_after,
            \(total("x.is_open", "", "m.day_before"))
              + \(total("x.is_open", "", "m.last_day")) AS open,
            \(total(mrr, currency, "m.day_before")) AS own_before,
            \(total(mrr, currency, "m.last_day")) AS own_after,
            EXISTS (SELECT 1 FROM dim_subscription AS s
              WHERE s.original_transaction_id = c.original_transaction_id
                AND s.seen_through_at IS NOT NULL AND strftime('%Y-%m', s.expires_at) = m.month)
              AS is_unseen,
            (SELECT MIN(first_date) FROM part AS x
              WHERE x.original_transaction_id = c.original_transaction_id) > m.day_before AS is_new,
            (SELECT MIN(x.first_date) FROM part AS x
              WHERE x.original_transaction_id = c.original_transaction_id
                AND x.spell_number = (SELECT y.spell_number FROM part AS y
                  WHERE y.original_transaction_id = c.original_transaction_id
                    AND y.first_date <= m.last_day AND y.end_date > m.last_day LIMIT 1))
              > m.day_before AS is_return
          FROM month AS m CROSS JOIN cell AS c),
        named AS (SELECT *, CASE WHEN open > 0 THEN 'open'
            WHEN all_before = 0 AND is_new THEN 'new'
            WHEN all_before = 0 AND is_return THEN 'back' WHEN all_before = 0 THEN 'late'
            WHEN all_after = 0 AND is_unseen THEN 'unseen' WHEN all_after = 0 THEN 'gone'
            WHEN own_after > own_before THEN 'more' ELSE 'less' END AS kind,
            CASE WHEN open > 0 OR own_before = 0 OR own_after = 0 THEN after - before
              WHEN EXISTS (SELECT 1 FROM judged AS o
                WHERE o.original_transaction_id = j.original_transaction_id AND o.month = j.month
                  AND o.currency = j.currency AND (o.after > j.after OR o.after = j.after
                    AND (o.product_id, COALESCE(o.storefront, ''))
                      < (j.product_id, COALESCE(j.storefront, '')))) THEN 0
              ELSE own_after - own_before END AS change
          FROM judged AS j WHERE runs > 0)
        SELECT month, product_id, storefront, NULLIF(currency, ''), SUM(before),
          SUM(IIF(kind = 'new', change, 0)), SUM(IIF(kind = 'back', change, 0)),
          SUM(IIF(kind = 'late', change, 0)), SUM(IIF(kind = 'more', change, 0)),
          SUM(IIF(kind = 'less', change, 0)), SUM(IIF(kind = 'gone', change, 0)),
          SUM(IIF(kind = 'unseen', change, 0)), SUM(IIF(kind = 'open', change, 0)),
          SUM(after - before - change), SUM(after)
        FROM named GROUP BY 1, 2, 3, 4
        """)
    try store.compare(
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
      "new", "reactivated", "recovered", "expansion", "contraction", "churned", "not_seen",
      "unresolved", "product_change",
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
    // The recurring revenue of each chain on a day. At an equal price in one currency, it changes
    // only with the exchange rates.
    let level = { (day: String) in
      """
      (SELECT original_transaction_id AS chain, currency, m.month AS month,
          SUM(mrr_micros) AS own, SUM(COALESCE(mrr_reporting_micros, 0)) AS converted
        FROM month AS m JOIN mrr_by_purchase ON first_date <= \(day) AND end_date > \(day)
        GROUP BY 1, 2, 3)
      """
    }
    try store.compare(
      """
      SELECT month, SUM(expansion_reporting_micros + contraction_reporting_micros)
        + SUM(exchange_reporting_micros) + SUM(product_change_reporting_micros)
      FROM mrr_movement_monthly GROUP BY month
      """,
      with: """
        WITH \(Self.months), \(Self.parts),
        chain AS (SELECT s.chain, s.month FROM \(level("m.day_before")) AS s
          JOIN \(level("m.last_day")) AS e ON e.chain = s.chain AND e.month = s.month
          JOIN month AS m ON m.month = s.month
          -- Without a rate at either end, the change is unresolved.
          WHERE NOT EXISTS (SELECT 1 FROM part AS p
            WHERE p.original_transaction_id = s.chain AND p.is_unrated
              AND (p.first_date <= m.day_before AND p.end_date > m.day_before
                OR p.first_date <= m.last_day AND p.end_date > m.last_day))
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
      "downgraded", "cancelled", "expired", "refunded", "not_seen",
    ]
    let found = events.map { event in
      "SELECT date_day, product_id, storefront, '\(event)' AS event, \(event) AS count"
        + " FROM subscription_movement_daily WHERE \(event) > 0"
    }.joined(separator: " UNION ALL ")
    try store.compare(
      found, with: Self.movements)
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
    // Lapses are computed only from the rows and renewal states, as the rules define them.
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
    later AS (SELECT a.purchase_key AS key, b.purchased_date FROM row AS a JOIN row AS b
        ON b.original_transaction_id = a.original_transaction_id
          AND (b.purchased_at, b.expires_at, b.purchase_key)
            > (a.purchased_at, a.expires_at, a.purchase_key)
      WHERE b.access_ends_at > b.purchased_at),
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
    UNION ALL SELECT date(access_ends_at), product_id, storefront,
      CASE WHEN NOT EXISTS (SELECT 1 FROM later AS n WHERE n.key = r.purchase_key)
        AND EXISTS (SELECT 1 FROM dim_subscription AS s
          WHERE s.original_transaction_id = r.original_transaction_id
            AND s.seen_through_at IS NOT NULL) THEN 'not_seen' ELSE 'expired' END, count(*)
      FROM row AS r WHERE (reversal_kind <> 'refund' OR reversed_at > expires_at)
        AND access_ends_at > purchased_at AND access_ends_at <= (SELECT as_of FROM audit_run)
        AND NOT EXISTS (SELECT 1 FROM later AS n
          WHERE n.key = r.purchase_key AND n.purchased_date <= date(r.access_ends_at))
      GROUP BY 1, 2, 3, 4
    UNION ALL SELECT date(reversed_at), product_id, storefront, 'refunded', count(*)
      FROM row WHERE reversal_kind = 'refund' GROUP BY 1, 2, 3
    """
}
