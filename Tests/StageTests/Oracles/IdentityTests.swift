import Testing

/// Figures of different views that must agree, on stores that no test wrote by hand.
struct IdentityTests {
  private static let movements = [
    "new", "reactivated", "recovered", "expansion", "contraction", "churned", "product_change",
    "unresolved", "not_seen",
  ]

  private static func sum(_ suffix: String, _ kinds: [String]) -> String {
    (["start"] + kinds).map { "\($0)_\(suffix)" }.joined(separator: " + ")
  }

  @Test(arguments: OracleStore.allCases)
  func `recurring revenue begins, moves and ends in every line`(_ store: OracleStore) throws {
    let place = "month, bundle_id, product_id, storefront, currency"
    try store.compare(
      """
      SELECT \(place), \(Self.sum("micros", Self.movements)),
        \(Self.sum("reporting_micros", Self.movements + ["exchange"]))
      FROM mrr_movement_monthly
      """,
      with: "SELECT \(place), end_micros, end_reporting_micros FROM mrr_movement_monthly")
  }

  @Test(arguments: OracleStore.allCases)
  func `a month begins as the month before ended, and ends as its last day`(_ store: OracleStore)
    throws
  {
    let sums = "SUM(start_micros), SUM(start_reporting_micros)"
    let ends = "SUM(end_micros), SUM(end_reporting_micros)"
    try store.compare(
      """
      SELECT month, currency, \(sums) FROM mrr_movement_monthly
      GROUP BY month, currency HAVING SUM(start_micros) > 0
      """,
      with: """
        SELECT c.next_month, m.currency, \(ends)
        FROM mrr_movement_monthly AS m JOIN completeness_monthly AS c ON c.month = m.month
        WHERE c.next_month <= (SELECT MAX(month) FROM completeness_monthly)
        GROUP BY c.next_month, m.currency HAVING SUM(end_micros) > 0
        """)
    try store.compare(
      """
      SELECT month, currency, \(ends) FROM mrr_movement_monthly
      GROUP BY month, currency HAVING SUM(end_micros) > 0
      """,
      with: """
        SELECT c.month, d.currency, SUM(d.mrr_micros), SUM(d.mrr_reporting_micros)
        FROM mrr_daily AS d JOIN completeness_monthly AS c ON c.last_day = d.date_day
        GROUP BY c.month, d.currency HAVING SUM(d.mrr_micros) > 0
        """)
  }

  @Test(arguments: OracleStore.allCases)
  func `subscriptions that ran, came and went are those that run, in every line`(
    _ store: OracleStore
  ) throws {
    let place = "date_day, bundle_id, product_id, storefront"
    try store.compare(
      """
      SELECT \(place), running_at_start + started + reactivated + returned + moved_in
        - moved_out - expired - not_seen - ended_by_refund FROM subscription_movement_daily
      """,
      with: "SELECT \(place), running_at_end FROM subscription_movement_daily")
    // Counted from the facts: the periods that have begun and not ended.
    try store.compare(
      "SELECT \(place), running_at_end FROM subscription_movement_daily WHERE running_at_end <> 0",
      with: """
        SELECT m.date_day, m.bundle_id, m.product_id, m.storefront, count(1)
        FROM subscription_movement_daily AS m
        JOIN fct_revenue AS r ON r.bundle_id IS m.bundle_id AND r.product_id = m.product_id
          AND r.storefront IS m.storefront AND r.purchased_date <= m.date_day
          AND (substr(r.access_ends_at, 1, 10) > m.date_day OR r.access_ends_at IS NULL)
        WHERE r.product_kind = 'auto_renewable_subscription' GROUP BY 1, 2, 3, 4
        """)
    try store.compare(
      """
      SELECT date_day, (SELECT SUM(running_change) FROM fct_subscription_event
        WHERE substr(event_at, 1, 10) <= date_day) AS running FROM dim_date WHERE running > 0
      """,
      with: """
        SELECT date_day, running_subscriptions FROM completeness_daily
        WHERE running_subscriptions > 0
        """)
  }

  /// A subscription has one period at a time, so that counting periods is counting subscriptions.
  @Test(arguments: OracleStore.allCases)
  func `no subscription runs twice at the end of a day`(_ store: OracleStore) throws {
    #expect(
      try store.shop().rows(
        """
        SELECT a.transaction_id, b.transaction_id FROM fct_revenue AS a JOIN fct_revenue AS b
          ON b.original_transaction_id = a.original_transaction_id
          AND b.purchase_key <> a.purchase_key AND b.purchased_date >= a.purchased_date
          AND b.purchased_date < substr(a.access_ends_at, 1, 10)
          AND b.purchased_date < substr(b.access_ends_at, 1, 10)
          AND b.reversal_kind <> 'refund'
        WHERE a.product_kind = 'auto_renewable_subscription'
        """) == [], "\(store)")
  }

  /// Counted from the facts: each chain once, however many of its purchases run.
  @Test(arguments: OracleStore.allCases)
  func `churn counts each running subscription once, and whether it still runs`(
    _ store: OracleStore
  ) throws {
    let running = """
      running (month, next_month, chain) AS (
        SELECT DISTINCT m.month, m.next_month, r.original_transaction_id
        FROM completeness_monthly AS m, fct_revenue AS r
        WHERE r.product_kind = 'auto_renewable_subscription'
          AND (r.paid_milli > 0 OR r.paid_milli IS NULL)
          AND r.purchased_date <= m.last_day AND substr(r.access_ends_at, 1, 10) > m.last_day)
      """
    try store.compare(
      """
      SELECT month, SUM(subscriptions_at_start),
        SUM(churned_subscriptions + not_seen_subscriptions) FROM churn_monthly GROUP BY month
      """,
      with: """
        WITH \(running)
        SELECT a.next_month, count(1), count(1) - count(b.chain)
        FROM running AS a
        LEFT JOIN running AS b ON b.month = a.next_month AND b.chain = a.chain
        WHERE a.next_month IN (SELECT month FROM completeness_monthly)
        GROUP BY a.next_month
        """)
  }

  @Test(arguments: OracleStore.allCases)
  func `offers of all kinds are those of each kind`(_ store: OracleStore) throws {
    try store.compare(
      """
      SELECT substr(cohort_date, 1, 7), offer_kind, SUM(offers), SUM(mature_offers), SUM(converted_any), SUM(mature_converted),
        SUM(pending), SUM(billing_retry), SUM(lapsed)
      FROM conversion_daily GROUP BY 1, 2
      """,
      with: """
        SELECT substr(started_date, 1, 7), offer_kind, count(1), SUM(is_mature), SUM(status = 'converted'),
          SUM(status = 'converted' AND is_mature), SUM(status = 'pending'),
          SUM(status = 'billing_retry'), SUM(status = 'lapsed')
        FROM fct_conversion GROUP BY 1, 2
        """)
  }
}
