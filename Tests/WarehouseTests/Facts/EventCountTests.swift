import Testing

/// App Analytics' counts beside those of the facts; each figure was computed by hand.
@Suite struct `App Analytics' counts beside the facts` {
  /// An instance of App Analytics, named by the day on which Apple made it.
  private func add(
    _ store: SmallStore, file: Int, report: String = "analytics_event", made: String,
    _ lines: [String]
  ) throws {
    let rows = lines.enumerated().map { number, line in
      "(\(file), \(number + 2), '\(report)', \(line), 0, 0)"
    }
    try store.change(
      """
      INSERT INTO audit_apple_report VALUES (\(file), '\(report)', '\(made)');
      INSERT INTO apple_report_line (source_file_id, source_line, report, event_date, product_id,
        apple_id, storefront, event, units, app, amount_milli, is_refund)
      VALUES \(rows.joined(separator: ",\n"));
      """)
  }

  /// A line of an instance; the app's number is 1001.
  private func line(
    _ day: String, _ event: String, _ units: Int, product: String? = "monthly",
    storefront: String = "USA"
  ) -> String {
    "'\(day)', \(product.map { "'\($0)'" } ?? "NULL"), '6001', '\(storefront)', '\(event)', "
      + "\(units), '1001'"
  }

  /// Two trials of January 10, and two paid subscriptions of January 12.
  ///
  /// Of the trials, `a` converts on the 17th, and `b` does not. Of the others, `c` renews in
  /// February, and nobody has looked at `d` since.
  private func store() throws -> SmallStore {
    let store = try SmallStore(asOf: "2021-03-01T00:00:00Z", completeThrough: "2021-02-28")
    try store.add([
      .init(chain: "a", from: "2021-01-10", to: "2021-01-17", paid: 0, period: "P1W"),
      .init(chain: "a", from: "2021-01-17", to: "2021-02-17", paid: 10_000, number: 1),
      .init(chain: "b", from: "2021-01-10", to: "2021-01-17", paid: 0, period: "P1W"),
      .init(chain: "c", from: "2021-01-12", to: "2021-02-12", paid: 10_000, number: 1),
      .init(chain: "c", from: "2021-02-12", to: "2021-03-12", paid: 10_000, number: 2),
      .init(chain: "d", from: "2021-01-12", to: "2021-02-12", paid: 10_000, number: 1),
    ])
    try store.convert(chain: "a", to: "2021-01-17")
    try store.change(
      """
      INSERT INTO fct_conversion (offer_purchase_key, original_transaction_id, offer_number,
        offer_kind, payment_mode, offer_product_id, started_at, started_date, ends_at,
        offer_periods, status, matures_at, is_mature, changed_run_id)
      SELECT purchase_key, 'b', 1, 'trial', 'free_trial', 'monthly', purchased_at, purchased_date,
        expires_at, 1, 'lapsed', expires_at, 1, 1
      FROM fct_revenue WHERE original_transaction_id = 'b'
      """)
    try store.leaveUnseen(chain: "d", end: "2021-02-12", seen: "2021-01-20", until: "2021-04-12")
    return store
  }

  private let query =
    "SELECT * FROM reconciliation_events_daily ORDER BY date_day, event, cause, storefront"

  @Test func `trials, conversions, starts and renewals are compared, cause by cause`() throws {
    let store = try store()
    try add(
      store, file: 1, made: "2021-02-20",
      [
        line("2021-01-10", "Free Trial Starts", 2),
        // Apple converts a on the evening of the 16th, Pacific time.
        line("2021-01-16", "Full Price from Free Trial", 1),
        line("2021-01-12", "Full price subscription start activation", 3),
        // c and d renew.
        line("2021-02-11", "Full Price Renewals", 2),
        line("2021-02-15", "Voluntary Churn from Full Price", 9),
        line("2021-02-15", "Full Price Renewals", 4, product: nil),
        line("2021-02-15", "Full Price Renewals", 5, product: "of another app"),
      ])
    #expect(
      try store.rows(query) == [
        "2021-01-10|monthly|USA|trial_started|equal|2|2|0",
        // c and d, and one of whom there is no receipt.
        "2021-01-12|monthly|USA|started|equal|2|2|0",
        "2021-01-12|monthly|USA|started|receipt_missing|1|0|1",
        "2021-01-16|monthly|USA|converted|day_boundary|1|0|1",
        "2021-01-17|monthly|USA|converted|day_boundary|0|1|-1",
        "2021-02-11|monthly|USA|renewed|day_boundary|1|0|1",
        "2021-02-11|monthly|USA|renewed|not_seen|1|0|1",
        "2021-02-12|monthly|USA|renewed|day_boundary|0|1|-1",
        "2021-02-15|of another app|USA|renewed|other_products|5|0|5",
        "2021-02-15|6001|USA|renewed|unmapped|4|0|4",
        "2021-02-15|monthly|USA|voluntary churn from full price|not_compared|9|0|9",
      ])
  }

  @Test func `the newest instance with a day counts, and a day may be missing or unfinished`()
    throws
  {
    let store = try store()
    // Made a day later, the first instance has no event of the 12th yet, and the second one has.
    try add(store, file: 1, made: "2021-01-13", [line("2021-01-10", "Free trial starts", 9)])
    try add(
      store, file: 2, made: "2021-01-14",
      [
        line("2021-01-10", "Free trial start activation", 1),
        line("2021-01-12", "Full price subscription starts", 1),
      ])
    try add(store, file: 3, made: "2021-02-14", [line("2021-02-13", "Full Price Renewals", 0)])
    #expect(
      try store.rows(query) == [
        "2021-01-10|monthly|USA|trial_started|equal|1|1|0",
        // Made on the 14th, the instance is complete for the 10th and 11th.
        "2021-01-10|monthly|USA|trial_started|unexplained|0|1|-1",
        "2021-01-12|monthly|USA|started|equal|1|1|0",
        "2021-01-12|monthly|USA|started|not_complete|0|1|-1",
        "2021-01-17|monthly|USA|converted|no_report|0|1|-1",
        "2021-02-12|monthly|USA|renewed|not_complete|0|1|-1",
      ])
  }

  @Test func `facts without a storefront explain what Apple counts somewhere`() throws {
    let store = try store()
    try store.change("UPDATE fct_revenue SET storefront = NULL WHERE purchased_date = '2021-01-12'")
    try add(
      store, file: 1, made: "2021-01-20",
      [
        line("2021-01-12", "Full Price Subscription Starts", 1),
        line("2021-01-12", "Full Price Subscription Starts", 2, storefront: "DEU"),
      ])
    #expect(
      try store.rows(query) == [
        "2021-01-12|monthly|USA|started|receipt_missing|1|0|1",
        "2021-01-12|monthly||started|storefront_unknown|0|2|-2",
        "2021-01-12|monthly|DEU|started|storefront_unknown|2|0|2",
      ])
  }

  @Test func `running subscriptions are compared at the end of each day`() throws {
    let store = try store()
    try add(
      store, file: 1, report: "analytics_state", made: "2021-01-18",
      [
        line("2021-01-12", "Free Trials", 3), line("2021-01-12", "Full Price", 2),
        line("2021-01-12", "Active plans all", 5),
        // The trials have ended, and a is paid for.
        line("2021-01-17", "Full price", 2), line("2021-01-17", "Paid offers", 1),
      ])
    #expect(
      try store.rows(query) == [
        "2021-01-12|monthly|USA|active_paid|equal|2|2|0",
        "2021-01-12|monthly|USA|active_trial|equal|2|2|0",
        "2021-01-12|monthly|USA|active_trial|receipt_missing|1|0|1",
        "2021-01-17|monthly|USA|active_paid|equal|3|3|0",
      ])
  }
}
