internal import TestSupport
internal import Testing

/// Every view that counts subscription events has the sums of `subscription_event`.
struct EventOracleTests {
  /// The events in memory, because the queries read them often.
  private static let events = """
    event AS MATERIALIZED (SELECT * FROM subscription_event),
    begun AS MATERIALIZED (SELECT * FROM event WHERE is_beginning),
    payable AS MATERIALIZED (SELECT * FROM begun WHERE paid_number IS NOT NULL)
    """

  private static let months = """
    month AS (SELECT month, MAX(date_day) AS last_day,
      date(month || '-01', '-1 day') AS day_before FROM dim_date GROUP BY month)
    """

  @Test(arguments: OracleStore.allCases)
  func `events are those that plain SQL finds in the other facts`(_ store: OracleStore) throws {
    try store.compare(
      """
      SELECT purchase_key, event_number, event, event_at, is_beginning, former_product_id,
        running_change FROM fct_subscription_event
      """, with: EventOracle.query)
  }

  @Test(arguments: OracleStore.allCases)
  func `events partition the history of each subscription`(_ store: OracleStore) throws {
    let shop = try store.shop()
    #expect(
      try shop.rows(
        """
        SELECT r.transaction_id, count(e.event) FROM fct_revenue AS r
        LEFT JOIN subscription_event AS e ON e.purchase_key = r.purchase_key AND e.is_beginning
        GROUP BY r.purchase_key
        HAVING count(e.event) <> (r.product_kind = 'auto_renewable_subscription')
        """) == [], "\(store): a period is not begun by one event")
    #expect(
      try shop.rows(
        """
        SELECT purchase_key, count(1) FROM subscription_event
        WHERE event IN ('lapsed', 'interrupted', 'not_seen')
          OR event IN ('refunded', 'revoked') AND event_at = access_ends_at
        GROUP BY purchase_key HAVING count(1) > 1
        """) == [], "\(store): a period ends twice")
    #expect(
      try shop.rows(
        """
        SELECT original_transaction_id FROM subscription_event
        GROUP BY original_transaction_id
        HAVING SUM(event = 'new' OR event = 'trial_started' AND is_beginning) <> 1
          OR SUM(event = 'reactivated') <> MAX(spell_number) - 1
          OR SUM(event = 'lapsed') > MAX(spell_number)
        """) == [], "\(store): a chain does not begin once and once in each spell")
    #expect(
      try shop.rows(
        """
        WITH \(Self.events)
        SELECT b.purchase_key FROM begun AS b WHERE b.event = 'reactivated' AND NOT EXISTS (
          SELECT 1 FROM event AS e
          WHERE e.original_transaction_id = b.original_transaction_id
            AND e.spell_number = b.spell_number - 1 AND e.event_at <= b.event_at
            AND e.event IN ('lapsed', 'refunded', 'revoked'))
        """) == [], "\(store): a return follows no end")
    #expect(
      try shop.rows(
        """
        SELECT s.original_transaction_id FROM dim_subscription AS s
        JOIN subscription_event AS e ON e.original_transaction_id = s.original_transaction_id
        GROUP BY s.original_transaction_id
        HAVING s.spells <> 1 + SUM(e.event = 'reactivated')
          OR s.paid_count <> SUM(e.is_beginning AND e.paid_number IS NOT NULL)
        """) == [], "\(store): dim_subscription counts otherwise")
    let kinds = try shop.rows("SELECT DISTINCT event FROM subscription_event")
    let named = [
      "trial_started", "new", "converted", "renewed", "recovered", "reactivated", "upgraded",
      "downgraded", "crossgraded", "refunded", "revoked", "lapsed", "interrupted", "cancelled",
      "not_seen", "moved",
    ]
    #expect(Set(kinds).subtracting(named) == [])
    if store == .sample { #expect(Set(named).subtracting(kinds) == ["revoked"]) }
  }

  @Test(arguments: OracleStore.allCases)
  func `revenue by kind is the money of first, returning and other periods`(_ store: OracleStore)
    throws
  {
    try store.compare(
      """
      SELECT date_day, product_id, storefront, currency, COALESCE(new_milli, 0),
        COALESCE(renewal_milli, 0), COALESCE(reactivation_milli, 0) FROM revenue_by_kind_daily
      WHERE new_milli > 0 OR renewal_milli > 0 OR reactivation_milli > 0
      """,
      with: """
        WITH \(Self.events),
        first AS (SELECT original_transaction_id, spell_number, MIN(paid_number) AS paid_number
          FROM payable GROUP BY 1, 2),
        named AS (SELECT b.*, CASE WHEN b.paid_number = 1 THEN 'new'
            WHEN b.paid_number = f.paid_number THEN 'reactivation' ELSE 'renewal' END AS kind
          FROM begun AS b JOIN first AS f USING (original_transaction_id, spell_number))
        SELECT event_date, product_id, storefront, currency,
          COALESCE(SUM(amount_milli) FILTER (WHERE kind = 'new'), 0),
          COALESCE(SUM(amount_milli) FILTER (WHERE kind = 'renewal'), 0),
          COALESCE(SUM(amount_milli) FILTER (WHERE kind = 'reactivation'), 0)
        FROM named GROUP BY 1, 2, 3, 4 HAVING SUM(amount_milli) > 0
        """)
  }

  @Test(arguments: OracleStore.allCases)
  func `the ledger has the money of beginnings and refunds`(_ store: OracleStore) throws {
    let shop = try store.shop()
    let ledger = { (kinds: String) in
      """
      SELECT e.entry_date, r.product_id, e.currency, SUM(e.amount_milli)
      FROM fct_revenue_entry AS e JOIN fct_revenue AS r USING (purchase_key)
      WHERE r.product_kind = 'auto_renewable_subscription' AND \(kinds)
      GROUP BY 1, 2, 3
      """
    }
    let money = { (kinds: String) in
      """
      SELECT event_date, product_id, currency, SUM(amount_milli) FROM subscription_event
      WHERE amount_milli <> 0 AND \(kinds) GROUP BY 1, 2, 3
      """
    }
    #expect(
      try shop.rows(ledger("e.entry_kind = 'charge'")).sorted()
        == shop.rows(money("is_beginning")).sorted(), "\(store)")
    #expect(
      try shop.rows(ledger("e.entry_kind = 'refund' AND r.reversal_kind = 'refund'")).sorted()
        == shop.rows(money("event = 'refunded'")).sorted(), "\(store)")
  }

  @Test(arguments: OracleStore.allCases)
  func `trials begin and convert as often as events say`(_ store: OracleStore) throws {
    try store.compare(
      "SELECT cohort_date, offer_product_id, SUM(trials) FROM trial_conversion GROUP BY 1, 2",
      with: """
        SELECT event_date, product_id, count(1) FROM subscription_event
        WHERE event = 'trial_started' GROUP BY 1, 2
        """)
    let shop = try store.shop()
    #expect(
      try shop.rows("SELECT SUM(converted_any) FROM trial_conversion")
        == shop.rows(
          """
          WITH \(Self.events)
          SELECT count(1) FROM event AS t WHERE t.event = 'trial_started' AND EXISTS (
            SELECT 1 FROM event AS c WHERE c.event = 'converted'
              AND c.original_transaction_id = t.original_transaction_id AND c.event_at > t.event_at
              AND NOT EXISTS (SELECT 1 FROM event AS n WHERE n.event = 'trial_started'
                AND n.original_transaction_id = t.original_transaction_id
                AND n.event_at > t.event_at AND n.event_at < c.event_at))
          """), "\(store)")
  }

  @Test(arguments: OracleStore.allCases)
  func `retention and renewals count the events that go on`(_ store: OracleStore) throws {
    try store.compare(
      "SELECT * FROM (SELECT product_id, period_number, SUM(retained) AS n FROM retention_cohort"
        + " GROUP BY 1, 2) WHERE n > 0",
      with: """
        WITH \(Self.events),
        place AS (SELECT *, MIN(spell_number) OVER (PARTITION BY original_transaction_id,
            product_id) AS first_spell, ROW_NUMBER() OVER (PARTITION BY original_transaction_id,
            product_id, spell_number ORDER BY paid_number) AS number
          FROM payable)
        SELECT product_id, number, count(1) FROM place WHERE spell_number = first_spell
        GROUP BY 1, 2
        """)
    try store.compare(
      "SELECT product_id, paid_number, SUM(renewed_rows) FROM renewal_rate GROUP BY 1, 2",
      with: """
        WITH \(Self.events)
        SELECT p.product_id, p.paid_number, count(n.purchase_key) FROM payable AS p
        LEFT JOIN payable AS n ON n.original_transaction_id = p.original_transaction_id
          AND n.paid_number = p.paid_number + 1 AND n.spell_number = p.spell_number
          AND n.product_id = p.product_id AND unixepoch((SELECT expires_at FROM fct_revenue AS r
            WHERE r.purchase_key = p.purchase_key)) + 60 * 86400
            <= unixepoch((SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1))
        GROUP BY 1, 2
        """)
  }

  @Test(arguments: OracleStore.allCases)
  func `churn is what ran by the events and ended by one`(_ store: OracleStore) throws {
    let running = { (day: String) in
      "COALESCE(b.amount_milli, 1) > 0 AND b.event_date <= \(day) AND date(b.access_ends_at) > \(day)"
    }
    let lost = """
      WITH \(Self.events), \(Self.months),
      lost AS (SELECT DISTINCT m.month, m.day_before, m.last_day, b.original_transaction_id AS chain
        FROM month AS m JOIN begun AS b ON \(running("m.day_before"))
        WHERE NOT EXISTS (SELECT 1 FROM begun AS b
          WHERE b.original_transaction_id = chain AND \(running("m.last_day")))),
      churned AS (SELECT * FROM lost WHERE NOT EXISTS (SELECT 1 FROM event AS e
        WHERE e.original_transaction_id = chain AND e.event = 'not_seen'
          AND substr(e.event_date, 1, 7) = month))
      """
    let shop = try store.shop()
    #expect(
      try shop.rows(
        """
        SELECT month, SUM(churned_subscriptions) AS n FROM churn_monthly GROUP BY 1 HAVING n > 0
        ORDER BY 1
        """) == shop.rows("\(lost) SELECT month, count(1) FROM churned GROUP BY 1 ORDER BY 1"))
    // A lost subscription has an end event, or continues with a free period.
    #expect(
      try shop.rows(
        """
        \(lost) SELECT month, chain FROM lost AS l WHERE NOT EXISTS (SELECT 1 FROM event AS e
          WHERE e.original_transaction_id = l.chain AND e.event_date > l.day_before
            AND e.event_date <= l.last_day
            AND (e.event IN ('lapsed', 'interrupted', 'refunded', 'revoked', 'not_seen')
              OR e.is_beginning AND e.amount_milli = 0))
        """) == [], "\(store): lost without an end")
  }

  @Test(arguments: OracleStore.allCases)
  func `MRR comes with the first payment, a return or a recovery, and goes with an end`(
    _ store: OracleStore
  ) throws {
    let levels = """
      WITH \(Self.events), \(Self.months),
      recurring AS MATERIALIZED (SELECT b.*, COALESCE(m.mrr_micros, 0) AS mrr_micros,
          date(b.access_ends_at) AS end_date, b.amount_milli IS NULL AS is_open
        FROM begun AS b JOIN fct_revenue AS f USING (purchase_key)
        LEFT JOIN mrr_by_purchase AS m USING (purchase_key)
        WHERE COALESCE(b.amount_milli, 1) > 0 AND f.covered_period IS NOT NULL
          AND b.event_date < date(b.access_ends_at)),
      first AS (SELECT original_transaction_id AS chain, substr(MIN(event_date), 1, 7) AS month
        FROM recurring GROUP BY 1),
      level AS MATERIALIZED (SELECT m.month, r.original_transaction_id AS chain,
          SUM(IIF(r.event_date <= m.day_before AND r.end_date > m.day_before, mrr_micros, 0))
            AS before,
          SUM(IIF(r.event_date <= m.last_day AND r.end_date > m.last_day, mrr_micros, 0)) AS after,
          SUM(r.event_date <= m.day_before AND r.end_date > m.day_before) AS ran,
          SUM(r.event_date <= m.last_day AND r.end_date > m.last_day) AS runs,
          SUM(is_open AND (r.event_date <= m.day_before AND r.end_date > m.day_before
            OR r.event_date <= m.last_day AND r.end_date > m.last_day)) AS open,
          MAX(IIF(r.event_date <= m.last_day AND r.end_date > m.last_day, spell_number, 0)) AS spell
        FROM month AS m JOIN recurring AS r ON r.event_date <= m.last_day
          AND r.end_date > m.day_before GROUP BY 1, 2),
      named AS (SELECT l.*, CASE WHEN open > 0 THEN 'unresolved'
          WHEN runs = 0 AND EXISTS (SELECT 1 FROM event AS e
            WHERE e.original_transaction_id = l.chain AND e.event = 'not_seen'
              AND substr(e.event_date, 1, 7) = l.month) THEN 'not_seen'
          WHEN runs = 0 THEN 'churned' WHEN ran > 0 THEN 'goes on'
          WHEN f.month = l.month THEN 'new'
          WHEN (SELECT substr(MIN(r.event_date), 1, 7) FROM recurring AS r
            WHERE r.original_transaction_id = l.chain AND r.spell_number = l.spell) = l.month
          THEN 'reactivated' ELSE 'recovered' END AS kind
        FROM level AS l JOIN first AS f USING (chain))
      """
    try store.compare(
      """
      SELECT month, SUM(new_micros), SUM(reactivated_micros), SUM(recovered_micros),
        SUM(churned_micros), SUM(not_seen_micros), SUM(unresolved_micros) FROM mrr_movement_monthly GROUP BY 1
      """,
      with: """
        \(levels) SELECT month, SUM(IIF(kind = 'new', after, 0)),
          SUM(IIF(kind = 'reactivated', after, 0)), SUM(IIF(kind = 'recovered', after, 0)),
          -SUM(IIF(kind = 'churned', before, 0)), -SUM(IIF(kind = 'not_seen', before, 0)),
          SUM(IIF(kind = 'unresolved', after - before, 0))
        FROM named WHERE ran + runs > 0 GROUP BY 1
        """)
    // A reactivation has the event of its spell; a loss has an end event, or a period without
    // revenue.
    #expect(
      try store.shop().rows(
        """
        \(levels) SELECT month, chain, kind FROM named AS n
        WHERE kind = 'reactivated' AND NOT EXISTS (SELECT 1 FROM event AS e
            WHERE e.original_transaction_id = n.chain AND e.spell_number = n.spell
              AND e.event = 'reactivated')
          OR kind = 'churned' AND before > 0 AND NOT EXISTS (SELECT 1 FROM event AS e
            WHERE e.original_transaction_id = n.chain AND substr(e.event_date, 1, 7) = n.month
              AND (e.event IN ('lapsed', 'interrupted', 'refunded', 'revoked')
                OR e.is_beginning AND COALESCE(e.amount_milli, 0) = 0))
        """) == [], "\(store)")
  }

  @Test(arguments: OracleStore.allCases)
  func `flows between products are the events that change the product`(_ store: OracleStore) throws
  {
    let shop = try store.shop()
    #expect(
      try shop.rows(
        """
        SELECT month, from_product_id, to_product_id, upgrades, downgrades, crossgrades
        FROM product_flow_monthly ORDER BY 1, 2, 3
        """)
        == shop.rows(
          """
          WITH \(Self.events),
          change AS (SELECT substr(b.event_date, 1, 7) AS month,
              (SELECT f.product_id FROM begun AS f
                WHERE f.original_transaction_id = b.original_transaction_id
                  AND f.event_at < b.event_at ORDER BY f.event_at DESC LIMIT 1) AS former,
              b.product_id, b.event
            FROM event AS b WHERE b.event IN ('upgraded', 'downgraded', 'crossgraded'))
          SELECT month, former, product_id, SUM(event = 'upgraded'), SUM(event = 'downgraded'),
            SUM(event = 'crossgraded')
          FROM change WHERE former <> product_id GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
          """), "\(store)")
  }
}
