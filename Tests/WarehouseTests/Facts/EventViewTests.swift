import Testing

/// The events of four chains, and refunds that receipts do not show, computed by hand.
@Suite struct `Events and refunds` {
  @Test func `each period is begun by one event, and its end is named`() throws {
    let store = try SmallStore(asOf: "2021-06-20T00:00:00Z", completeThrough: "2021-06-19")
    try store.add([
      // A trial that converts to the yearly plan, which Apple refunds on its third day.
      .init(chain: "a", from: "2021-01-10", to: "2021-01-17", paid: 0, period: "P1W"),
      .init(
        chain: "a", product: "yearly", from: "2021-01-17", to: "2022-01-17", paid: 60_000,
        period: "P1Y", number: 1, reversal: ("refund", "2021-01-20T09:00:00Z")),
      // Two months, the second refunded two weeks after its end; then another spell.
      .init(chain: "b", from: "2021-01-05", to: "2021-02-05", paid: 10_000, number: 1),
      .init(
        chain: "b", from: "2021-02-05", to: "2021-03-05", paid: 10_000, number: 2,
        reversal: ("refund", "2021-03-20T09:00:00Z")),
      .init(chain: "b", from: "2021-06-01", to: "2021-07-01", paid: 10_000, spell: 2, number: 3),
      // A trial that Apple revokes.
      .init(
        chain: "c", from: "2021-02-01", to: "2021-02-08", paid: 0, period: "P1W",
        reversal: ("refund", "2021-02-03T09:00:00Z")),
      // A month of unknown amount, then a month of 10 after a gap of five days.
      .init(chain: "d", from: "2021-03-01", to: "2021-04-01", number: 1),
      .init(chain: "d", from: "2021-04-06", to: "2021-05-06", paid: 10_000, number: 2),
    ])
    try store.convert(chain: "a", to: "2021-01-17")
    let found = try store.rows(
      """
      SELECT original_transaction_id, event_date, event, is_beginning, former_product_id,
        amount_milli FROM subscription_event
      ORDER BY 1, event_at, is_beginning DESC, event, purchase_key
      """)
    #expect(
      found == [
        // A trial without a row in fct_conversion is `new`; only the trial of a has such a row.
        "a|2021-01-10|trial_started|1|-|0", "a|2021-01-17|converted|1|monthly|60000",
        "a|2021-01-17|downgraded|0|monthly|0", "a|2021-01-17|moved|0|-|0",
        "a|2021-01-17|moved|0|monthly|0", "a|2021-01-20|refunded|0|monthly|-60000",
        "b|2021-01-05|new|1|-|10000", "b|2021-02-05|renewed|1|-|10000",
        "b|2021-03-05|lapsed|0|-|0", "b|2021-03-20|refunded|0|-|-10000",
        "b|2021-06-01|reactivated|1|-|10000", "c|2021-02-01|new|1|-|0",
        "c|2021-02-03|revoked|0|-|0", "d|2021-03-01|new|1|-|-", "d|2021-04-01|interrupted|0|-|0",
        "d|2021-04-06|renewed|1|-|10000", "d|2021-05-06|interrupted|0|-|0",
      ])
    #expect(
      try store.rows(
        """
        SELECT SUM(started), SUM(trial_started), SUM(converted), SUM(renewed), SUM(reactivated),
          SUM(downgraded), SUM(expired), SUM(refunded) FROM subscription_movement_daily
        """) == ["4|1|1|2|1|0|3|3"])
    #expect(
      try store.rows(
        "SELECT month, from_product_id, to_product_id, changes FROM product_flow_monthly")
        == ["2021-01|monthly|yearly|1"])
  }

  @Test func `what runs at the end of a day is what ran before, and what came and went`() throws {
    let store = try SmallStore(asOf: "2021-06-20T00:00:00Z", completeThrough: "2021-06-19")
    try store.add([
      // From a month to a year, which is refunded; then a month after a gap of 40 days.
      .init(chain: "a", from: "2021-01-01", to: "2021-02-01", paid: 10_000, number: 1),
      .init(
        chain: "a", product: "yearly", from: "2021-02-01", to: "2022-02-01", paid: 60_000,
        period: "P1Y", number: 2, reversal: ("refund", "2021-02-05T09:00:00Z")),
      .init(chain: "a", from: "2021-03-17", to: "2021-04-17", paid: 10_000, number: 3),
      // Refunded before it began: it never ran.
      .init(
        chain: "b", from: "2021-02-01", to: "2021-03-01", paid: 10_000, number: 1,
        reversal: ("refund", "2021-01-31T09:00:00Z")),
      .init(chain: "c", from: "2021-01-01", to: "2021-02-01", paid: 10_000, number: 1),
    ])
    #expect(
      try store.rows(
        """
        SELECT date_day, product_id, running_at_start, started, reactivated, returned, moved_in,
          moved_out, expired, not_seen, ended_by_refund, running_at_end
        FROM subscription_movement_daily ORDER BY 1, 2
        """) == [
          "2021-01-01|monthly|0|2|0|0|0|0|0|0|0|2", "2021-01-31|monthly|2|0|0|0|0|0|0|0|0|2",
          // a moves, c lapses, and b begins and does not run.
          "2021-02-01|monthly|2|0|0|0|0|1|1|0|0|0", "2021-02-01|yearly|0|0|0|0|1|0|0|0|0|1",
          "2021-02-05|yearly|1|0|0|0|0|0|0|0|1|0", "2021-03-17|monthly|0|0|0|1|0|0|0|0|0|1",
          "2021-04-17|monthly|1|0|0|0|0|0|1|0|0|0",
        ])
  }

  /// Two purchases of coins on February 2; one of them is refunded on the day in `refunded`, if
  /// any.
  private func coins(refunded: String? = nil) throws -> SmallStore {
    let store = try SmallStore(asOf: "2021-06-20T00:00:00Z", completeThrough: "2021-06-19")
    try store.add([
      .init(chain: "a", product: "coins", from: "2021-02-02", paid: 5000),
      .init(
        chain: "b", product: "coins", from: "2021-02-02", paid: 5000,
        reversal: refunded.map { ("refund", "\($0)T09:00:00Z") }),
    ])
    return store
  }

  private let rate = "SELECT cohort_date, paid_rows, refunded_rows, refund_bp FROM refund_rate"

  @Test func `refunds of finished consumables are not known from receipts`() throws {
    #expect(try coins().rows(rate) == ["2021-02-02|2|-|-"])
    #expect(try coins(refunded: "2021-03-01").rows(rate) == ["2021-02-02|2|-|-"])
  }

  @Test func `Apple's reports of ninety days tell them`() throws {
    // 90 days after February 2 is May 3.
    let none = try coins()
    try none.report(from: "2021-02-02", to: "2021-05-03", refunds: [])
    #expect(try none.rows(rate) == ["2021-02-02|2|0|0"])
    let known = try coins(refunded: "2021-03-01")
    try known.report(from: "2021-02-02", to: "2021-05-03", refunds: ["2021-03-01"])
    #expect(try known.rows(rate) == ["2021-02-02|2|1|5000"])
    // A refund in Apple's report that no receipt shows may belong to any earlier purchase.
    let hidden = try coins()
    try hidden.report(from: "2021-02-02", to: "2021-05-03", refunds: ["2021-03-01"])
    #expect(try hidden.rows(rate) == ["2021-02-02|2|-|-"])
    let later = try coins()
    try later.report(from: "2021-02-02", to: "2021-05-03", refunds: ["2021-05-20"])
    #expect(try later.rows(rate) == ["2021-02-02|2|0|0"])
  }

  @Test(arguments: ["2021-02-02", "2021-03-15", "2021-05-03"])
  func `a day without a report leaves them unknown`(_ missing: String) throws {
    let store = try coins()
    try store.report(from: "2021-02-02", to: "2021-05-03", without: missing, refunds: [])
    #expect(try store.rows(rate) == ["2021-02-02|2|-|-"])
  }

  @Test func `a day whose report has no line is a day without refunds`() throws {
    let store = try coins()
    try store.report(from: "2021-02-02", to: "2021-05-03", without: "2021-03-15", refunds: [])
    try store.reportNothing(on: "2021-03-15")
    #expect(try store.rows(rate) == ["2021-02-02|2|0|0"])
  }

  @Test func `the ledger and MRR bound what has no amount`() throws {
    let store = try SmallStore(
      asOf: "2021-03-10T00:00:00Z", completeThrough: "2021-03-09", reportingCurrency: "USD")
    try store.add([
      .init(chain: "a", from: "2021-03-01", to: "2021-04-01", paid: 10_000, number: 1),
      .init(
        chain: "b", from: "2021-03-01", to: "2021-04-01", number: 1,
        reversal: ("refund", "2021-03-05T09:00:00Z")),
    ])
    // SmallStore does not convert currencies: b has no bound, a has no rate, and neither has an
    // entry.
    #expect(
      try store.rows(
        """
        SELECT date_day, charges_milli, refunds_milli, net_ledger_milli, charges_reporting_micros,
          refunds_reporting_micros, net_ledger_reporting_micros, chargeable_rows, unresolved_rows,
          net_low_reporting_micros, net_high_reporting_micros, unbounded_rows
        FROM net_revenue_ledger_daily ORDER BY 1
        """) == ["2021-03-01|-|0|-|-|0|-|1|1|0|0|1", "2021-03-05|0|-|-|0|-|-|0|1|0|0|1"])
    #expect(
      try store.rows(
        """
        SELECT date_day, mrr_micros, unresolved_subscriptions, unbounded_subscriptions FROM mrr_daily
        WHERE date_day IN ('2021-03-04', '2021-03-05') ORDER BY 1
        """) == ["2021-03-04|10000000|1|2", "2021-03-05|10000000|0|1"])
  }
}
