import Testing

/// Sums of money with their bounds in the reporting currency; each figure was computed by hand.
///
/// In January all rows are in USD, and 1 USD is 0.50 EUR:
///
/// - `a`: 10 USD, of which an item of 2 USD was refunded: 5 EUR, and 4 EUR remain.
/// - `b`: a renewal of unknown amount, at most 12 USD: 0 to 6 EUR.
/// - `c`: a reactivation that its currency does not bound; estimated at 9 EUR at most.
/// - `d`: 10 USD, for which there is no rate.
/// - `e`: an unknown amount, at most 12 USD, which was refunded: 0 to 6 EUR, and 0 remains.
/// - `f`: coins for 4 USD: 2 EUR.
@Suite struct `Bounds of sums of money` {
  private static func store(reporting: String? = "EUR") throws -> SmallStore {
    let store = try SmallStore(
      asOf: "2021-02-20T00:00:00Z", completeThrough: "2021-02-19", reportingCurrency: reporting)
    try store.add([
      .init(chain: "a", from: "2021-01-05", to: "2021-02-05", paid: 10_000, number: 1),
      .init(chain: "b", from: "2020-12-05", to: "2021-01-05", paid: 10_000, number: 1),
      .init(chain: "b", from: "2021-01-05", to: "2021-02-05", paid: nil, number: 2),
      .init(chain: "c", from: "2021-01-05", to: "2021-02-05", paid: nil, spell: 2, number: 2),
      .init(chain: "d", from: "2021-01-05", to: "2021-02-05", paid: 10_000, number: 1),
      .init(
        chain: "e", from: "2021-01-05", to: "2021-02-05", paid: nil, number: 1,
        reversal: ("refund", "2021-01-20T10:00:00Z")),
      .init(chain: "f", product: "coins", from: "2021-01-05", paid: 4000),
    ])
    try store.change(
      """
      UPDATE fct_revenue SET refunded_milli = 2000 WHERE original_transaction_id = 'a';
      UPDATE fct_revenue SET paid_high_milli = 12000
      WHERE paid_milli IS NULL AND original_transaction_id <> 'c';
      """)
    guard reporting != nil else { return store }
    try store.change(
      """
      UPDATE fct_revenue SET paid_reporting_micros = paid_milli * 500,
        paid_low_reporting_micros = paid_low_milli * 500,
        paid_high_reporting_micros = paid_high_milli * 500,
        fx_rate_date = CASE WHEN paid_milli IS NOT NULL THEN purchased_date END
      WHERE original_transaction_id <> 'd';
      UPDATE fct_revenue SET paid_high_reporting_micros = 9000000, is_high_estimated = 1
      WHERE original_transaction_id = 'c';
      """)
    return store
  }

  private static let monthly = """
    SELECT product_id, gross_milli, net_cohort_milli, chargeable_rows, unresolved_rows,
      reporting_currency, gross_reporting_micros, gross_low_reporting_micros,
      gross_high_reporting_micros, net_cohort_reporting_micros, unconverted_rows, unbounded_rows,
      estimated_high_rows
    FROM revenue_monthly WHERE month = '2021-01' ORDER BY product_id
    """

  @Test func `a month lies between its bounds, and the net is less the refunded item`() throws {
    // At most 5 of a, 6 of b, 9 of c and 6 of e. The net in USD is 8 of a and 10 of d.
    #expect(
      try Self.store().rows(Self.monthly) == [
        "coins|4000|4000|1|0|EUR|2000000|2000000|2000000|2000000|0|0|0",
        "monthly|20000|18000|5|3|EUR|5000000|5000000|26000000|4000000|1|1|1",
      ])
    #expect(
      try Self.store(reporting: nil).rows(Self.monthly) == [
        "coins|4000|4000|1|0|-|-|-|-|-|1|-|0", "monthly|20000|18000|5|3|-|-|-|-|-|2|-|0",
      ])
  }

  private static let arppu = """
    SELECT paying_customers, possible_paying_customers, gross_milli, net_milli, reporting_currency,
      gross_reporting_micros, gross_low_reporting_micros, gross_high_reporting_micros,
      net_reporting_micros, net_low_reporting_micros, net_high_reporting_micros, unconverted_rows,
      unbounded_rows, estimated_high_rows
    FROM arppu_monthly WHERE month = '2021-01'
    """

  @Test func `what paying customers bring lies between bounds, too`() throws {
    // a, d and f paid; b, c and e may have. Gross: 5 of a and 2 of f; at most 21 of b, c and e.
    // Net: 4 of a and 2 of f; at most 15 of b and c.
    #expect(
      try Self.store().rows(Self.arppu) == [
        "3|6|24000|22000|EUR|7000000|7000000|28000000|6000000|6000000|21000000|1|1|1"
      ])
    #expect(
      try Self.store(reporting: nil).rows(Self.arppu)
        == ["3|6|24000|22000|-|-|-|-|-|-|-|3|-|0"])
  }

  @Test func `a month without a known amount brings nothing that is known`() throws {
    let store = try SmallStore(
      asOf: "2021-03-10T00:00:00Z", completeThrough: "2021-03-09", reportingCurrency: "EUR")
    try store.add([.init(chain: "b", from: "2021-01-05", to: "2021-02-05", number: 1)])
    #expect(try store.rows(Self.arppu) == ["0|1|-|-|EUR|-|0|0|-|0|0|0|1|0"])
  }

  private static let kinds = """
    SELECT product_id, new_milli, renewal_milli, reactivation_milli, one_time_milli,
      new_reporting_micros, renewal_reporting_micros, new_low_reporting_micros, new_high_reporting_micros,
      renewal_low_reporting_micros, renewal_high_reporting_micros,
      reactivation_low_reporting_micros, reactivation_high_reporting_micros,
      one_time_low_reporting_micros, one_time_high_reporting_micros, unbounded_rows,
      estimated_high_rows
    FROM revenue_by_kind_daily WHERE date_day = '2021-01-05' ORDER BY product_id
    """

  @Test func `each kind of revenue has bounds of its own`() throws {
    // New: 5 of a, at most 6 of e, and d, which has no rate. Renewal: b. Reactivation: c.
    // Nothing is known of b and c; nobody renewed coins.
    #expect(
      try Self.store().rows(Self.kinds) == [
        "coins|0|0|0|4000|0|0|0|0|0|0|0|0|2000000|2000000|0|0",
        "monthly|20000|-|-|0|5000000|-|5000000|11000000|0|6000000|0|9000000|0|0|1|1",
      ])
    #expect(
      try Self.store(reporting: nil).rows(Self.kinds) == [
        "coins|0|0|0|4000|-|-|-|-|-|-|-|-|-|-|-|0",
        "monthly|20000|-|-|0|-|-|-|-|-|-|-|-|-|-|-|0",
      ])
  }

  @Test func `an offer of two rows has the bounds of both, and of its conversion`() throws {
    let store = try SmallStore(
      asOf: "2021-06-20T00:00:00Z", completeThrough: "2021-06-19", reportingCurrency: "EUR")
    try store.add([
      .init(chain: "o", from: "2021-01-05", to: "2021-02-05", paid: 1000, number: 1),
      .init(chain: "o", from: "2021-02-05", to: "2021-03-05", paid: nil, number: 2),
      .init(chain: "o", from: "2021-03-05", to: "2021-04-05", paid: nil, number: 3),
      .init(chain: "p", from: "2021-01-05", to: "2021-02-05", paid: 1000, number: 1),
      .init(chain: "p", from: "2021-02-05", to: "2021-03-05", paid: 1000, number: 2),
      .init(chain: "p", from: "2021-03-05", to: "2021-04-05", paid: 10_000, number: 3),
    ])
    try store.change(
      """
      UPDATE fct_revenue SET paid_high_milli = 2000
      WHERE original_transaction_id = 'o' AND paid_number = 2;
      UPDATE fct_revenue SET period_kind = 'intro' WHERE paid_number < 3;
      UPDATE fct_revenue SET paid_reporting_micros = paid_milli * 500, paid_low_reporting_micros = paid_low_milli * 500,
        paid_high_reporting_micros = paid_high_milli * 500,
        fx_rate_date = CASE WHEN paid_milli IS NOT NULL THEN purchased_date END;
      INSERT INTO fct_conversion (offer_purchase_key, original_transaction_id, offer_number,
        offer_kind, payment_mode, offer_product_id, storefront, currency, started_at, started_date,
        ends_at, offer_periods, offer_paid_milli, status, converted_at, converted_purchase_key,
        converted_paid_milli, matures_at, is_mature, changed_run_id)
      SELECT a.purchase_key, a.original_transaction_id, 1, 'intro', 'pay_as_you_go', a.product_id,
        'USA', 'USD', a.purchased_at, a.purchased_date, b.purchased_at, 2,
        CASE a.original_transaction_id WHEN 'p' THEN 2000 END, 'converted', b.purchased_at,
        b.purchase_key, b.paid_milli, b.expires_at, 1, 1
      FROM fct_revenue AS a JOIN fct_revenue AS b USING (original_transaction_id)
      WHERE a.paid_number = 1 AND b.paid_number = 3;
      """)
    // The offer of p is 1.00 EUR. That of o is 0.50 EUR and at most 1.00 EUR more, and nothing
    // bounds its conversion. The conversion of p is 5.00 EUR.
    #expect(
      try store.rows(
        """
        SELECT offers, offer_paid_milli, converted_paid_milli, unresolved_rows, reporting_currency,
          offer_paid_reporting_micros, offer_paid_low_reporting_micros,
          offer_paid_high_reporting_micros, converted_paid_reporting_micros,
          converted_paid_low_reporting_micros, converted_paid_high_reporting_micros,
          unconverted_rows, unbounded_rows, estimated_high_rows
        FROM offer_performance
        """) == [
          "2|2000|10000|2|EUR|1000000|1500000|2500000|5000000|5000000|5000000|0|1|0"
        ])
  }
}
