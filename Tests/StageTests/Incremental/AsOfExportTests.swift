internal import TestSupport
internal import Testing

/// `--as-of` over a service's export, whose rows have the time of their last change.
struct AsOfExportTests {
  private static let header =
    "rc_last_seen_app_user_id_alias,product_identifier,store_transaction_id,"
    + "original_store_transaction_id,start_time,end_time,store,country,country_source,is_sandbox,"
    + "ownership_type,is_trial_period,refunded_at,purchased_currency,price_in_purchased_currency,"
    + "purchase_price_in_purchased_currency,renewal_number,product_duration,updated_at\n"

  private static func row(
    _ id: Int, of chain: Int, month: Int, number: Int, refund: (at: String, booked: String)? = nil,
    updated: String
  ) -> String {
    "c-\(chain),pro,\(id),\(chain),2024-0\(month)-02 10:00:00,2024-0\(month + 1)-02 10:00:00,"
      + "app_store,US,from_sdk,false,PURCHASED,false,\(refund?.at ?? ""),USD,"
      + "\(refund?.booked ?? "9.99"),9.99,\(number),P1M,\(updated)\n"
  }

  private static func rows(_ shop: Shop) throws -> [String] {
    try shop.rows(
      """
      SELECT transaction_id, paid_milli, reversal_kind, refunded_milli FROM fct_revenue ORDER BY 1
      """)
  }

  @Test func `a purchase that was refunded later stands, and is not refunded yet`() throws {
    let shop = try Shop(export: "{files: rc.csv, format: revenuecat_export}")
    try shop.folder.write(
      "rc.csv",
      Self.header
        + Self.row(1001, of: 1001, month: 3, number: 1, updated: "2024-03-02 10:00:00")
        // Refunded before and after the day, and in part.
        + Self.row(
          1002, of: 1001, month: 4, number: 2, refund: ("2024-04-05 10:00:00", "0"),
          updated: "2024-04-05 10:00:00")
        + Self.row(
          2001, of: 2001, month: 3, number: 1, refund: ("2024-05-20 10:00:00", "0"),
          updated: "2024-05-20 10:00:00")
        + Self.row(
          3001, of: 3001, month: 4, number: 1, refund: ("2024-05-21 10:00:00", "4.99"),
          updated: "2024-05-21 10:00:00")
        // Changed after the day for another reason, and bought after it.
        + Self.row(4001, of: 4001, month: 4, number: 1, updated: "2024-05-30 10:00:00")
        + Self.row(4002, of: 4001, month: 5, number: 2, updated: "2024-05-30 10:00:00"))
    let day = "2024-04-30T23:59:59Z"
    let ending = try shop.run("paidline", "run", "--as-of", day)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      try Self.rows(shop) == [
        "1001|9990|none|NULL", "1002|9990|refund|NULL", "2001|9990|none|NULL",
        "3001|9990|none|NULL", "4001|9990|none|NULL",
      ])
    #expect(try shop.rows("SELECT as_of FROM audit_run") == [day])
    #expect(
      try shop.rows("SELECT DISTINCT cause FROM service_comparison ORDER BY 1")
        == ["equal", "refund_in_price"])
    #expect(
      try FilterTests.filtered(shop, buckets: 2, asOf: day) == FilterTests.published(shop))
    // Without the day everything counts.
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(
      try Self.rows(shop).suffix(5) == [
        "1002|9990|refund|NULL", "2001|9990|refund|NULL", "3001|9990|refund|5000",
        "4001|9990|none|NULL", "4002|9990|none|NULL",
      ])
  }
}
