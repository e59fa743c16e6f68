import Testing

/// Views beside Apple's reports; each figure was computed by hand.
@Suite struct `Views beside Apple's reports` {
  @Test func `causes are added up over products and storefronts, and not over currencies`() throws {
    let store = try SmallStore(asOf: "2021-07-01T00:00:00Z", completeThrough: "2021-06-30")
    try store.change(
      """
      INSERT INTO audit_reconciliation VALUES
        ('2021-05', 'pro', 'USA', 'USD', 'equal', 3, 3, 29970, 29970),
        ('2021-05', 'plus', 'USA', 'USD', 'equal', 1, 1, 4990, 4990),
        ('2021-05', 'pro', 'USA', 'USD', 'price', 1, 1, 9990, 8990),
        ('2021-05', 'plus', 'ECU', 'USD', 'price', 1, 1, 4990, 5990),
        ('2021-05', 'plus', 'DEU', 'EUR', 'receipt_missing', 2, 0, 8000, 0),
        ('2021-05', 'game', 'USA', 'USD', 'other_products', 1, 0, 990, 0),
        ('2021-06', 'pro', 'USA', 'USD', 'price', 1, 1, 9990, 7990),
        ('2021-06', 'pro', 'USA', 'USD', 'refund', -1, 0, -9990, 0);
      """)
    #expect(
      try store.rows("SELECT * FROM reconciliation_by_cause ORDER BY month, currency, cause") == [
        "2021-05|EUR|receipt_missing|2|0|8000|0|8000",
        // 29,970 + 4,990 on both sides.
        "2021-05|USD|equal|4|4|34960|34960|0", "2021-05|USD|other_products|1|0|990|0|990",
        // 1,000 more at Apple in the USA, and 1,000 less in Ecuador.
        "2021-05|USD|price|2|2|14980|14980|0", "2021-06|USD|price|1|1|9990|7990|2000",
        "2021-06|USD|refund|-1|0|-9990|0|-9990",
      ])
    // By month it is the same difference, without the products of other apps.
    #expect(
      try store.rows(
        """
        SELECT month, currency, SUM(difference_milli) FROM reconciliation_monthly
        GROUP BY 1, 2 ORDER BY 1, 2
        """) == ["2021-05|EUR|8000", "2021-05|USD|0", "2021-06|USD|-7990"])
  }

  /// Subscriptions of `monthly`, and 100 of `yearly` from January 5 on.
  ///
  /// - `a`: paid from Jan 5 to Feb 5, and renewed.
  /// - `b`: a free trial from Jan 10 to Jan 17, which is not included.
  /// - `c`: of unknown amount, from Jan 12 to Feb 12.
  /// - `d`: paid from Jan 20 on, refunded on Jan 25.
  private static func store() throws -> SmallStore {
    let store = try SmallStore(asOf: "2021-03-01T00:00:00Z", completeThrough: "2021-02-28")
    let yearly = (1...100).map { number in
      SmallStore.Purchase(
        chain: "y\(number)", product: "yearly", from: "2021-01-05", to: "2022-01-05", paid: 60_000,
        period: "P1Y", number: 1)
    }
    try store.add(
      [
        .init(chain: "a", from: "2021-01-05", to: "2021-02-05", paid: 10_000, number: 1),
        .init(chain: "a", from: "2021-02-05", to: "2021-03-05", paid: 10_000, number: 2),
        .init(chain: "b", from: "2021-01-10", to: "2021-01-17", paid: 0, period: "P1W"),
        .init(chain: "c", from: "2021-01-12", to: "2021-02-12", paid: nil, number: 1),
        .init(
          chain: "d", from: "2021-01-20", to: "2021-02-20", paid: 10_000, number: 1,
          reversal: ("refund", "2021-01-25T09:00:00Z")),
      ] + yearly)
    return store
  }

  @Test func `Apple's count of subscriptions stands beside ours on days of a report`() throws {
    let store = try Self.store()
    try store.change(
      """
      INSERT INTO apple_report_line (source_file_id, source_line, report, event_date, product_id,
        storefront, units, amount_milli, is_refund)
      VALUES
        (1, 2, 'subscription', '2021-01-04', 'monthly', 'USA', 1, 0, 0),
        (2, 2, 'subscription', '2021-01-15', 'monthly', 'USA', 1, 0, 0),
        (2, 3, 'subscription', '2021-01-15', 'monthly', 'DEU', 1, 0, 0),
        (2, 4, 'subscription', '2021-01-15', NULL, 'USA', 7, 0, 0),
        (2, 5, 'subscription', '2021-01-15', 'yearly', 'USA', 101, 0, 0),
        (3, 2, 'subscription', '2021-01-22', 'monthly', 'USA', 4, 0, 0),
        (3, 3, 'subscription', '2021-01-22', 'yearly', 'USA', 99, 0, 0),
        (4, 2, 'subscription', '2021-01-25', 'monthly', 'USA', 2, 0, 0),
        (5, 2, 'subscription', '2021-02-05', 'monthly', 'USA', 2, 0, 0),
        (6, 2, 'subscription', '2021-02-12', 'monthly', 'USA', 2, 0, 0),
        (7, 2, 'subscriber', '2021-02-13', 'monthly', 'USA', 1, 10000, 0);
      """)
    #expect(
      try store.rows("SELECT * FROM reconciliation_subscriptions_daily ORDER BY 1, 2") == [
        "2021-01-04|monthly|1|0|1|0",
        // a and c. One of 101 is less than 1 %, one of 99 is more.
        "2021-01-15|monthly|2|2|0|1", "2021-01-15|yearly|101|100|1|1",
        // a, c and d.
        "2021-01-22|monthly|4|3|1|0", "2021-01-22|yearly|99|100|-1|0",
        // d ends on the day of its refund. a renews on February 5, and c ends on February 12.
        "2021-01-25|monthly|2|2|0|1", "2021-02-05|monthly|2|2|0|1",
        "2021-02-12|monthly|2|1|1|0",
      ])
  }
}
