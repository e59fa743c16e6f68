import Testing

/// Movements and cohorts of five customers; each figure was computed by hand.
///
/// - `a`, USA: a week's trial of monthly on Jan 10, 10 USD on Jan 17 and Feb 17, 12 USD on Mar 17;
///   ends on Apr 17. Coins for 5 USD on Feb 2.
/// - `b`, DEU: yearly for 120 EUR from Feb 1 on.
/// - `c`, USA: monthly for 10 USD on Jan 5 and Feb 5; on Feb 10 upgraded to yearly for 60 USD.
/// - `d`, USA: monthly for 10 USD on Jan 3; lapses; again on May 1 and Jun 1, refunded on Jun 3.
@Suite struct `Movements and cohorts` {
  private static func store() throws -> SmallStore {
    let store = try SmallStore(asOf: "2021-06-20T00:00:00Z", completeThrough: "2021-06-19")
    try store.add([
      .init(chain: "a", from: "2021-01-10", to: "2021-01-17", paid: 0, period: "P1W"),
      .init(chain: "a", from: "2021-01-17", to: "2021-02-17", paid: 10_000, number: 1),
      .init(chain: "a", from: "2021-02-17", to: "2021-03-17", paid: 10_000, number: 2),
      .init(chain: "a", from: "2021-03-17", to: "2021-04-17", paid: 12_000, number: 3),
      .init(chain: "a", product: "coins", from: "2021-02-02", paid: 5000),
      .init(
        chain: "b", product: "yearly", from: "2021-02-01", to: "2022-02-01", paid: 120_000,
        period: "P1Y", number: 1, currency: "EUR", storefront: "DEU"),
      .init(chain: "c", from: "2021-01-05", to: "2021-02-05", paid: 10_000, number: 1),
      .init(
        chain: "c", from: "2021-02-05", to: "2021-03-05", paid: 10_000, number: 2,
        reversal: ("upgrade", "2021-02-10T10:00:00Z")),
      .init(
        chain: "c", product: "yearly", from: "2021-02-10", to: "2022-02-10", paid: 60_000,
        period: "P1Y", number: 3),
      .init(chain: "d", from: "2021-01-03", to: "2021-02-03", paid: 10_000, number: 1),
      .init(chain: "d", from: "2021-05-01", to: "2021-06-01", paid: 10_000, spell: 2, number: 2),
      .init(
        chain: "d", from: "2021-06-01", to: "2021-07-01", paid: 10_000, spell: 2, number: 3,
        reversal: ("refund", "2021-06-03T09:00:00Z")),
    ])
    try store.convert(chain: "a", to: "2021-01-17")
    try store.include(chain: "a", on: "2021-01-10", renews: true)
    try store.include(chain: "a", on: "2021-04-01", renews: false)
    // After a failed payment, the end is not a decision of the customer.
    try store.include(chain: "d", on: "2021-02-10", renews: false, intent: "2")
    return store
  }

  @Test func `MRR moves by what each chain did, and the movements sum to the change`() throws {
    let rows = try Self.store().rows(
      """
      SELECT month, product_id, currency, start_micros / 1000, new_micros / 1000,
        reactivated_micros / 1000, expansion_micros / 1000, contraction_micros / 1000,
        churned_micros / 1000, product_change_micros / 1000, end_micros / 1000, is_complete
      FROM mrr_movement_monthly ORDER BY 1, 2, 3
      """)
    #expect(
      rows == [
        // a, c and d pay 10 each.
        "2021-01|monthly|USD|0|30000|0|0|0|0|0|30000|1",
        // d has ended. c changes from 10 per month to 60 per year, which is 5 per month: 5 less.
        "2021-02|monthly|USD|30000|0|0|0|0|-10000|-10000|10000|1",
        "2021-02|yearly|EUR|0|10000|0|0|0|0|0|10000|1",
        "2021-02|yearly|USD|0|0|0|0|-5000|0|10000|5000|1",
        // a renews at 12.
        "2021-03|monthly|USD|10000|0|0|2000|0|0|0|12000|1",
        "2021-03|yearly|EUR|10000|0|0|0|0|0|0|10000|1",
        "2021-03|yearly|USD|5000|0|0|0|0|0|0|5000|1",
        "2021-04|monthly|USD|12000|0|0|0|0|-12000|0|0|1",
        "2021-04|yearly|EUR|10000|0|0|0|0|0|0|10000|1",
        "2021-04|yearly|USD|5000|0|0|0|0|0|0|5000|1",
        // d is back.
        "2021-05|monthly|USD|0|0|10000|0|0|0|0|10000|1",
        "2021-05|yearly|EUR|10000|0|0|0|0|0|0|10000|1",
        "2021-05|yearly|USD|5000|0|0|0|0|0|0|5000|1",
        "2021-06|monthly|USD|10000|0|0|0|0|-10000|0|0|0",
        "2021-06|yearly|EUR|10000|0|0|0|0|0|0|10000|0",
        "2021-06|yearly|USD|5000|0|0|0|0|0|0|5000|0",
      ])
  }

  @Test func `churn is what ran when the month began and runs no more at its end`() throws {
    #expect(
      try Self.store().rows(
        "SELECT * FROM churn_monthly WHERE product_id = 'monthly' ORDER BY month") == [
          "2021-02|-|monthly|USA|3|1|3333|1|0", "2021-03|-|monthly|USA|1|0|0|1|0",
          "2021-04|-|monthly|USA|1|1|10000|1|0", "2021-06|-|monthly|USA|1|1|10000|0|0",
        ])
    #expect(
      try Self.store().rows(
        "SELECT storefront, SUM(churned_subscriptions), count(1) FROM churn_monthly"
          + " WHERE product_id = 'yearly' GROUP BY 1") == ["DEU|0|4", "USA|0|4"])
  }

  @Test func `each period is begun by one thing, and what ended is told on its day`() throws {
    let columns = [
      "started", "trial_started", "converted", "renewed", "recovered", "reactivated", "upgraded",
      "downgraded", "cancelled", "expired", "refunded",
    ]
    let store = try Self.store()
    var found: [String] = []
    for column in columns {
      found += try store.rows(
        """
        SELECT date_day, product_id, '\(column)', \(column) FROM subscription_movement_daily
        WHERE \(column) > 0 ORDER BY 1, 2
        """)
    }
    #expect(
      found == [
        "2021-01-03|monthly|started|1", "2021-01-05|monthly|started|1",
        "2021-01-10|monthly|started|1", "2021-02-01|yearly|started|1",
        "2021-01-10|monthly|trial_started|1", "2021-01-17|monthly|converted|1",
        "2021-02-05|monthly|renewed|1", "2021-02-17|monthly|renewed|1",
        "2021-03-17|monthly|renewed|1", "2021-06-01|monthly|renewed|1",
        "2021-05-01|monthly|reactivated|1", "2021-02-10|yearly|upgraded|1",
        "2021-04-01|monthly|cancelled|1", "2021-02-03|monthly|expired|1",
        "2021-04-17|monthly|expired|1", "2021-06-03|monthly|refunded|1",
      ])
  }

  @Test func `retention counts paid periods of the product without a lapse`() throws {
    // January: a has three paid periods; c has two before the change of product, d one before the
    // lapse.
    #expect(
      try Self.store().rows("SELECT * FROM retention_cohort ORDER BY 1, 3, 4, 5") == [
        "2021-01|-|monthly|USA|1|3|3|1|3|0", "2021-01|-|monthly|USA|2|3|2|1|3|0",
        "2021-01|-|monthly|USA|3|3|1|1|3|0", "2021-02|-|yearly|DEU|1|1|1|1|1|0",
        "2021-02|-|yearly|USA|1|1|1|1|1|0",
      ])
  }

  @Test func `a cohort that can still renew is not complete`() throws {
    let store = try SmallStore(asOf: "2021-06-20T00:00:00Z", completeThrough: "2021-06-19")
    try store.add([
      .init(chain: "a", from: "2021-03-01", to: "2021-04-01", paid: 10_000, number: 1),
      .init(chain: "b", from: "2021-04-01", to: "2021-05-01", paid: 10_000, number: 1),
      .init(chain: "b", from: "2021-05-01", to: "2021-06-01", paid: 10_000, number: 2),
      .init(chain: "c", from: "2021-04-10", to: "2021-05-10", paid: nil, number: 1),
    ])
    // a ended 80 days ago. c may still be charged until July 9. The third period of b is not due
    // yet.
    #expect(
      try store.rows(
        """
        SELECT cohort_month, period_number, subscriptions, retained, is_complete
        FROM retention_cohort ORDER BY 1, 2
        """) == ["2021-03|1|1|1|1", "2021-03|2|1|0|1", "2021-04|1|2|2|1", "2021-04|2|2|1|0"])
  }

  @Test func `lifetime value grows from month to month, per customer and per payer`() throws {
    #expect(
      try Self.store().rows(
        """
        SELECT cohort_month, product_id, currency, months_since, customers, paying_customers,
          net_milli, net_in_month_milli, is_complete
        FROM ltv_cohort WHERE storefront = 'USA' ORDER BY months_since
        """) == [
          "2021-01|monthly|USD|0|3|3|30000|30000|1",
          // a paid 10, and 5 for coins; c paid 10 and 60.
          "2021-01|monthly|USD|1|3|3|115000|85000|1",
          "2021-01|monthly|USD|2|3|3|127000|12000|1", "2021-01|monthly|USD|3|3|3|127000|0|1",
          "2021-01|monthly|USD|4|3|3|137000|10000|1", "2021-01|monthly|USD|5|3|3|137000|0|0",
        ])
    #expect(
      try Self.store().rows(
        """
        SELECT cohort_month, product_id, currency, customers, paying_customers, net_milli
        FROM ltv_cohort WHERE storefront = 'DEU' AND months_since = 4
        """) == ["2021-02|yearly|EUR|1|1|120000"])
  }

  @Test func `ARPPU divides net revenue by those who paid`() throws {
    #expect(
      try Self.store().rows(
        """
        SELECT month, currency, paying_customers, gross_milli, net_milli, arppu_milli,
          chargeable_rows, unresolved_rows, is_complete
        FROM arppu_monthly ORDER BY 1, 2
        """) == [
          "2021-01|USD|3|30000|30000|10000|3|0|1", "2021-02|EUR|1|120000|120000|120000|1|0|1",
          "2021-02|USD|2|85000|85000|42500|4|0|1", "2021-03|USD|1|12000|12000|12000|1|0|1",
          "2021-05|USD|1|10000|10000|10000|1|0|1",
          // The only row of June was refunded.
          "2021-06|USD|1|10000|0|0|1|0|0",
        ])
  }

  @Test func `revenue is new, a renewal, a reactivation or single`() throws {
    #expect(
      try Self.store().rows(
        """
        SELECT substr(date_day, 1, 7), currency, SUM(new_milli), SUM(renewal_milli),
          SUM(reactivation_milli), SUM(one_time_milli), SUM(new_reporting_micros)
        FROM revenue_by_kind_daily GROUP BY 1, 2 ORDER BY 1, 2
        """) == [
          "2021-01|USD|30000|0|0|0|-", "2021-02|EUR|120000|0|0|0|-",
          "2021-02|USD|0|80000|0|5000|-", "2021-03|USD|0|12000|0|0|-",
          "2021-05|USD|0|0|10000|0|-", "2021-06|USD|0|10000|0|0|-",
        ])
  }

  @Test func `a subscription in the currency of another country is neither new nor churned`() throws
  {
    let store = try SmallStore(asOf: "2021-04-20T00:00:00Z", completeThrough: "2021-04-19")
    try store.add([
      .init(chain: "m", from: "2021-01-20", to: "2021-02-20", paid: 10_000, number: 1),
      .init(
        chain: "m", from: "2021-02-20", to: "2021-03-20", paid: 9000, number: 2, currency: "EUR",
        storefront: "DEU"),
    ])
    #expect(
      try store.rows(
        """
        SELECT month, currency, new_micros, expansion_micros, contraction_micros, churned_micros
        FROM mrr_movement_monthly ORDER BY 1, 2
        """) == [
          "2021-01|USD|10000000|0|0|0", "2021-02|EUR|0|9000000|0|0",
          "2021-02|USD|0|0|-10000000|0", "2021-03|EUR|0|0|0|-9000000",
        ])
  }

  @Test func `a payment that comes late is recovered, and no reactivation`() throws {
    let store = try SmallStore(asOf: "2021-04-20T00:00:00Z", completeThrough: "2021-04-19")
    try store.add([
      .init(chain: "r", from: "2021-01-20", to: "2021-02-20", paid: 10_000, number: 1),
      .init(chain: "r", from: "2021-03-05", to: "2021-04-05", paid: 10_000, number: 2),
    ])
    #expect(
      try store.rows(
        """
        SELECT month, new_micros, reactivated_micros, recovered_micros, churned_micros
        FROM mrr_movement_monthly ORDER BY 1
        """) == [
          "2021-01|10000000|0|0|0", "2021-02|0|0|0|-10000000", "2021-03|0|0|10000000|0",
          "2021-04|0|0|0|-10000000",
        ])
  }

  @Test func `refunds of consumables are unknown, as receipts forget them`() throws {
    let store = try SmallStore(asOf: "2021-04-20T00:00:00Z", completeThrough: "2021-04-19")
    try store.add([
      .init(chain: "k", product: "coins", from: "2021-01-05", paid: 990),
      .init(
        chain: "s", from: "2021-01-05", to: "2021-02-05", paid: 9990, number: 1,
        reversal: ("refund", "2021-01-20T10:00:00Z")),
    ])
    #expect(
      try store.rows(
        """
        SELECT product_id, paid_rows, COALESCE(refunded_rows, 'unknown'),
          COALESCE(refund_bp, 'unknown') FROM refund_rate ORDER BY 1
        """) == ["coins|1|unknown|unknown", "monthly|1|1|10000"])
  }
}
