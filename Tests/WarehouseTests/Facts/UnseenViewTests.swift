import Testing

/// Views about subscriptions whose end nobody has seen; each figure was computed by hand.
///
/// Four subscriptions to monthly for 10 USD in January 2021, all from the 10th on:
///
/// - `a` and `b` renew on February 10 and March 10.
/// - `c` was seen after its end on February 10: it churned.
/// - `u` was last seen on January 20: nobody knows. It counts from February 10 until May 12.
@Suite struct `Ends that nobody has seen` {
  private static func store(_ currency: String? = "USD") throws -> SmallStore {
    let store = try SmallStore(
      asOf: "2021-04-01T00:00:00Z", completeThrough: "2021-03-31", reportingCurrency: currency)
    var rows: [SmallStore.Purchase] = []
    for chain in ["a", "b", "c", "u"] {
      rows.append(
        .init(chain: chain, from: "2021-01-10", to: "2021-02-10", paid: 10_000, number: 1))
    }
    for chain in ["a", "b"] {
      rows += [
        .init(chain: chain, from: "2021-02-10", to: "2021-03-10", paid: 10_000, number: 2),
        .init(chain: chain, from: "2021-03-10", to: "2021-04-10", paid: 10_000, number: 3),
      ]
    }
    try store.add(rows)
    try store.change(
      """
      UPDATE fct_revenue SET paid_reporting_micros = paid_milli * 1000,
        paid_low_reporting_micros = paid_milli * 1000,
        paid_high_reporting_micros = paid_milli * 1000, fx_rate_date = purchased_date
      """)
    try store.leaveUnseen(chain: "u", end: "2021-02-10", seen: "2021-01-20", until: "2021-05-12")
    return store
  }

  @Test func `they are no churn, and in no rate`() throws {
    // February: of three that somebody has looked at, one left. March: a and b stay.
    #expect(
      try Self.store().rows(
        """
        SELECT month, subscriptions_at_start, churned_subscriptions, churn_bp, is_complete,
          not_seen_subscriptions FROM churn_monthly ORDER BY 1
        """) == ["2021-02|4|1|3333|0|1", "2021-03|2|0|0|0|0", "2021-04|2|0|0|0|0"])
  }

  @Test func `they are beside the active ones, and in the high bound of recurring revenue`() throws
  {
    let days = "WHERE date_day IN ('2021-02-09', '2021-02-10', '2021-03-31') ORDER BY 1"
    let store = try Self.store()
    #expect(
      try store.rows(
        "SELECT date_day, active_subscriptions, not_seen_subscriptions, is_complete"
          + " FROM active_subscriptions_daily \(days)") == [
          "2021-02-09|4|0|1", "2021-02-10|2|1|0", "2021-03-31|2|1|0",
        ])
    #expect(
      try store.rows(
        """
        SELECT date_day, mrr_reporting_micros, mrr_low_reporting_micros, mrr_high_reporting_micros,
          unbounded_subscriptions, not_seen_subscriptions FROM mrr_daily \(days)
        """) == [
          "2021-02-09|40000000|40000000|40000000|0|0",
          "2021-02-10|20000000|20000000|30000000|0|1",
          "2021-03-31|20000000|20000000|30000000|0|1",
        ])
  }

  @Test func `recurring revenue moves by them in a column of their own`() throws {
    #expect(
      try Self.store().rows(
        """
        SELECT month, start_micros, churned_micros, not_seen_micros, end_micros,
          churned_reporting_micros, not_seen_reporting_micros FROM mrr_movement_monthly ORDER BY 1
        """) == [
          "2021-01|0|0|0|40000000|0|0",
          "2021-02|40000000|-10000000|-10000000|20000000|-10000000|-10000000",
          "2021-03|20000000|0|0|20000000|0|0", "2021-04|20000000|0|0|20000000|0|0",
        ])
  }

  @Test func `retention has them in neither side of its rate`() throws {
    #expect(
      try Self.store().rows(
        """
        SELECT period_number, subscriptions, retained, could_reach, not_seen, is_complete
        FROM retention_cohort ORDER BY 1
        """) == ["1|4|4|4|0|1", "2|4|2|3|1|0", "3|4|2|3|1|0"])
  }

  @Test func `a day is complete if they are at most one of a hundred`() throws {
    let store = try SmallStore(asOf: "2021-04-01T00:00:00Z", completeThrough: "2021-03-31")
    // 98 run from January to April and two end on February 10. One of these was seen: of the 99
    // others one is not, which is more than 1 %.
    var rows = (1...98).map {
      SmallStore.Purchase(
        chain: "r\($0)", from: "2021-01-10", to: "2021-04-10", paid: 10_000, period: "P3M",
        number: 1)
    }
    for chain in ["c", "u"] {
      rows.append(
        .init(chain: chain, from: "2021-01-10", to: "2021-02-10", paid: 10_000, number: 1))
    }
    try store.add(rows)
    try store.leaveUnseen(chain: "u", end: "2021-02-10", seen: "2021-01-20", until: "2021-03-12")
    let query = """
      SELECT date_day, running_subscriptions, not_seen_subscriptions, is_complete
      FROM completeness_daily
      WHERE date_day IN ('2021-02-09', '2021-02-10', '2021-03-11', '2021-03-12', '2021-04-01')
      """
    #expect(
      try store.rows(query) == [
        "2021-02-09|100|0|1", "2021-02-10|98|1|0", "2021-03-11|98|1|0", "2021-03-12|98|0|1",
        "2021-04-01|98|0|0",
      ])
    #expect(
      try store.rows("SELECT month, is_complete FROM completeness_monthly") == [
        "2021-01|1", "2021-02|0", "2021-03|0", "2021-04|0",
      ])
    // With one more subscription it is one of a hundred.
    try store.add([
      .init(
        chain: "r99", from: "2021-01-10", to: "2021-04-10", paid: 10_000, period: "P3M", number: 1)
    ])
    #expect(
      try store.rows("SELECT month, is_complete FROM completeness_monthly") == [
        "2021-01|1", "2021-02|1", "2021-03|1", "2021-04|0",
      ])
  }

  @Test func `a running subscription of unknown amount is neither new nor churned`() throws {
    let store = try SmallStore(asOf: "2021-05-01T00:00:00Z", completeThrough: "2021-04-30")
    try store.add([
      .init(chain: "k", from: "2021-01-10", to: "2021-02-10", paid: 10_000, number: 1),
      .init(chain: "k", from: "2021-02-10", to: "2021-03-10", paid: nil, number: 2),
      .init(chain: "k", from: "2021-03-10", to: "2021-04-10", paid: 12_000, number: 3),
    ])
    #expect(
      try store.rows(
        """
        SELECT month, SUM(start_micros), SUM(new_micros), SUM(expansion_micros),
          SUM(churned_micros), SUM(unresolved_micros), SUM(unresolved_subscriptions), SUM(end_micros)
        FROM mrr_movement_monthly GROUP BY 1 ORDER BY 1
        """) == [
          "2021-01|0|10000000|0|0|0|0|10000000", "2021-02|10000000|0|0|0|-10000000|1|0",
          "2021-03|0|0|0|0|12000000|0|12000000", "2021-04|12000000|0|0|-12000000|0|0|0",
        ])
  }
}
