internal import TestSupport
internal import Testing

/// Refunds of single items, commitments and bundles, which only signed transactions contain.
struct ItemRefundTests {
  private static func info(_ refunds: String) -> String {
    """
    {"descriptors":{"description":"all"},"items":[{"SKU":"video","price":5990,"refunds":[\(refunds)]},
    {"SKU":"radio","price":4000}]}
    """.replacing("\n", with: "")
  }

  @Test func `a refund of an item is an entry of its own, and the purchase goes on`() throws {
    let shop = try SignedShop(inputs: ["receipts: []"])
    // 1.99 on 20 January and, in a repeated notification, 0.50 on the same day.
    let refunds = """
      {"refundAmount":1990,"refundDate":\(SignedShop.milliseconds("2024-01-20T09:00:00Z")),\
      "refundReason":"OTHER","refundType":"CUSTOM"},
      {"refundAmount":500,"refundDate":\(SignedShop.milliseconds("2024-01-20T23:00:00Z"))},
      {"refundAmount":0,"refundDate":0}
      """.replacing("\n", with: "")
    try shop.write([
      try shop.token(
        3001, day: "2024-01-05",
        ["advancedCommerceInfo": Self.info(refunds), "appAccountToken": "\"ana\""])
    ])
    #expect(try shop.run() == Ending(status: 0, output: "", errors: ""))
    #expect(
      try shop.shop.rows(
        "SELECT reversal_kind, paid_milli, refunded_milli, access_ends_at FROM fct_revenue")
        == ["none|9990|2490|2024-02-05T10:00:00Z"])
    #expect(
      try shop.shop.rows(
        """
        SELECT entry_kind, entry_date, amount_milli, amount_basis FROM fct_revenue_entry ORDER BY 2
        """) == ["charge|2024-01-05|9990|paid", "refund|2024-01-20|-2490|apple_share"])
    // 9,990 - 2,490 = 7,500 on the purchase day, and the same sum over the days of the ledger.
    #expect(try shop.shop.rows("SELECT net_cohort_milli FROM revenue_daily") == ["7500"])
    #expect(
      try shop.shop.rows("SELECT gross_milli, net_cohort_milli FROM revenue_monthly")
        == ["9990|7500"])
    #expect(
      try shop.shop.rows("SELECT SUM(net_ledger_milli) FROM net_revenue_ledger_daily") == ["7500"])
    let explained = try shop.shop.run("paidline", "explain", "pipeline.yaml", "3001").output
    #expect(explained.contains("1.99 USD of video on 2024-01-20"))
  }

  @Test func `a refund of an item is the part in Apple's reports, and no difference`() throws {
    let shop = try SignedShop(
      inputs: ["receipts: []", "apple_reports: [\"apple/*-{date}.txt\"]"])
    let header = """
      Event Date\tSubscription Apple ID\tSubscription Offer Type\tCustomer Price\t\
      Customer Currency\tCountry\tSubscriber ID\tRefund\tPurchase Date\tUnits

      """
    let lines = [
      "2024-01-05": "2024-01-05\t77\t\t9.99\tUSD\tUS\t4711\t\t\t1\n",
      "2024-01-20": "2024-01-20\t77\t\t-1.99\tUSD\tUS\t4711\tYes\t2024-01-05\t0\n",
    ]
    for day in ["04", "05", "06", "19", "20", "21"].map({ "2024-01-\($0)" }) {
      try shop.shop.folder.write("apple/subscriber-\(day).txt", header + (lines[day] ?? ""))
      try shop.shop.folder.write(
        "apple/sales-\(day).txt",
        "SKU\tProduct Type Identifier\tUnits\tBegin Date\tEnd Date\tCustomer Currency\tCountry "
          + "Code\t"
          + "Apple Identifier\tCustomer Price\tSubscription\n"
          + (day == "2024-01-05"
            ? "pro\tIAY\t1\t01/05/2024\t01/05/2024\tUSD\tUS\t77\t9.99\tNew\n" : ""))
    }
    let item = """
      {"refundAmount":1990,"refundDate":\(SignedShop.milliseconds("2024-01-20T09:00:00Z"))}
      """
    try shop.write([
      try shop.token(3001, day: "2024-01-05", ["advancedCommerceInfo": Self.info(item)])
    ])
    #expect(try shop.run().status == 0)
    // 9.99 minus 1.99 on both sides.
    let causes = try shop.shop.rows(
      "SELECT cause, apple_milli, our_milli FROM audit_reconciliation ORDER BY cause")
    #expect(causes == ["equal|8000|8000"])
  }

  @Test func `the refund of the whole row later takes what the items left`() throws {
    let shop = try SignedShop(inputs: ["receipts: []"])
    let item = """
      {"refundAmount":1990,"refundDate":\(SignedShop.milliseconds("2024-01-20T09:00:00Z"))}
      """
    let whole = "\(SignedShop.milliseconds("2024-01-25T09:00:00Z"))"
    let later = "\(SignedShop.milliseconds("2024-01-26T09:00:00Z"))"
    try shop.write([
      try shop.token(3001, day: "2024-01-05", ["advancedCommerceInfo": Self.info(item)])
    ])
    #expect(try shop.run().status == 0)
    #expect(try shop.shop.rows("SELECT refunded_milli FROM fct_revenue") == ["1990"])
    let digest = try shop.shop.contentHash()
    try shop.write(
      [
        try shop.token(
          3001, day: "2024-01-05",
          [
            "advancedCommerceInfo": Self.info(item), "revocationDate": whole,
            "signedDate": later,
          ])
      ], file: "signed/b.ndjson")
    #expect(try shop.run() == Ending(status: 0, output: "", errors: ""))
    // The refund of the row is 9,990 - 1,990 = 8,000.
    #expect(
      try shop.shop.rows("SELECT entry_date, amount_milli FROM fct_revenue_entry ORDER BY 1") == [
        "2024-01-05|9990", "2024-01-20|-1990", "2024-01-25|-8000",
      ])
    #expect(
      try shop.shop.rows("SELECT reversal_kind, refunded_milli FROM fct_revenue")
        == ["refund|9990"])
    #expect(try shop.shop.contentHash() != digest)
    #expect(try shop.shop.run("paidline", "verify", "--full", "pipeline.yaml").status == 0)
  }

  @Test func `a refund that was undone is gone with the next signature`() throws {
    let shop = try SignedShop(inputs: ["receipts: []"])
    let item = """
      {"refundAmount":1990,"refundDate":\(SignedShop.milliseconds("2024-01-20T09:00:00Z"))}
      """
    let later = "\(SignedShop.milliseconds("2024-01-26T09:00:00Z"))"
    try shop.write([
      try shop.token(3001, day: "2024-01-05", ["advancedCommerceInfo": Self.info(item)]),
      try shop.token(
        3001, day: "2024-01-05", ["advancedCommerceInfo": Self.info(""), "signedDate": later]),
    ])
    #expect(try shop.run().status == 0)
    #expect(try shop.shop.rows("SELECT refunded_milli FROM fct_revenue") == ["NULL"])
    #expect(try shop.shop.rows("SELECT count(1) FROM fct_revenue_entry") == ["1"])
  }

  @Test func `a year paid by the month tells its plan and the end of the commitment`() throws {
    let shop = try SignedShop(inputs: ["receipts: []"])
    let end = SignedShop.milliseconds("2025-01-05T10:00:00Z")
    try shop.write([
      try shop.token(
        4001, day: "2024-01-05",
        [
          "billingPlanType": "\"MONTHLY\"", "appAccountToken": "\"ana\"",
          "commitmentInfo": """
          {"billingPeriodNumber":1,"totalBillingPeriods":12,"commitmentPrice":119880,\
          "commitmentExpiresDate":\(end)}
          """,
          "bundleProductId": "\"com.example.all\"",
        ]),
      try shop.token(4002, day: "2024-01-06", ["billingPlanType": "\"BILLED_UPFRONT\""]),
    ])
    #expect(try shop.run() == Ending(status: 0, output: "", errors: ""))
    #expect(
      try shop.shop.rows(
        """
        SELECT transaction_id, billing_plan, commitment_ends_at, covered_period, paid_milli
        FROM fct_revenue ORDER BY 1
        """) == [
          "4001|monthly|2025-01-05T10:00:00Z|P1M|9990", "4002|upfront|NULL|P1M|9990",
        ])
    let explained = try shop.shop.run("paidline", "explain", "pipeline.yaml", "4001").output
    #expect(explained.contains("bundleProductId com.example.all"))
  }

  @Test func `rows of which nothing names the store are counted as an assumption`() throws {
    let shop = try SignedShop()
    try shop.write([
      try shop.token(5001, day: "2024-01-05", ["environment": nil]),
      try shop.token(5002, day: "2024-01-05"),
    ])
    try shop.writeReceipts(
      Export.purchase(1001, day: "2024-01-05").replacing(
        "\"environment\":\"Production\",", with: ""))
    #expect(try shop.run().status == 0)
    #expect(
      try shop.shop.rows("SELECT kind, assumed_production FROM audit_file ORDER BY 1")
        == ["receipts|1", "signed|1"])
    let status = try shop.shop.run("paidline", "status", "pipeline.yaml").output
    #expect(status.contains("production, for 2 rows without an environment"))
  }
}
