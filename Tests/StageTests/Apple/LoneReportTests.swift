internal import TestSupport
internal import Testing

/// One kind of Apple's reports without the others.
struct LoneReportTests {
  private static let sales =
    "SKU\tProduct Type Identifier\tUnits\tBegin Date\tEnd Date\tCustomer Currency\t"
    + "Country Code\tApple Identifier\tCustomer Price\tSubscription\tOrder Type\tPromo Code\n"

  /// A line of a Sales report; `day` is such as `05/01`.
  private static func sale(
    _ day: String, units: Int = 1, _ price: String, order: String = ""
  ) -> String {
    "pro\tIAY\t\(units)\t\(day)/2024\t\(day)/2024\tUSD\tUS\t77\t\(price)\tNew\t\(order)\t \n"
  }

  private static func shop(catalogue: String = "") throws -> Shop {
    let shop = try Shop(
      receipts: "in/*.ndjson",
      inputs: [#"apple_reports: ["apple/*-{date}.txt"]"#, "catalog: catalog.yaml"])
    try shop.folder.write(
      "catalog.yaml",
      """
      products:
        - product_id: pro
          kind: auto_renewable_subscription
          prices: [{currency: USD, price: "9.99", from: 2024-01-01}]
      \(catalogue)
      """)
    try shop.folder.write(
      "in/a.ndjson", Export.purchase(1001, day: "2024-05-02", price: nil))
    return shop
  }

  @Test func `a unit refunded below the price is a part, in Sales too`() throws {
    let shop = try Self.shop()
    try shop.folder.write("apple/sales-2024-05-02.txt", Self.sales + Self.sale("05/02", "9.99"))
    try shop.folder.write(
      "apple/sales-2024-05-03.txt",
      Self.sales + Self.sale("05/03", units: -1, "-3.33") + Self.sale("05/03", units: -1, "-9.99"))
    #expect(try shop.run("paidline", "run", "pipeline.yaml").status == 0)
    // Of 9.99, 3.33 went back after an upgrade. The refund of 9.99 is a whole one.
    #expect(
      try shop.rows("SELECT apple_refunds, apple_milli FROM reconciliation_upgrades") == ["1|3330"])
    #expect(
      try shop.rows("SELECT cause, apple_milli FROM audit_reconciliation ORDER BY cause")
        == ["equal|9990", "proration|-3330", "refund|-9990"])
  }

  @Test func `a run names the columns of App Analytics that it does not know`() throws {
    let shop = try Self.shop()
    for day in ["05-02", "05-03"] {
      try shop.folder.write(
        "apple/analytics_event-2024-\(day).txt",
        "Event Date\tApp Name\tApp Apple Identifier\tEvent Group\tEvent Name\t"
          + "Subscription Name\tSubscription Identifier\tTerritory\tAge Group\tCounts\n"
          + "2024-\(day)\tShop\t70\tx\tFree trial start activation\tPro\t77\tUS\t18-25\t2\n")
    }
    let ending = try shop.run("paidline", "run", "pipeline.yaml")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.errors.contains(
        "apple/analytics_event-2024-05-02.txt and 1 other file: App Analytics has columns that "
          + "this version does not know: age group. The counts are used as they stand"))
    // Once is enough.
    #expect(try !shop.run("paidline", "run", "pipeline.yaml").errors.contains("App Analytics"))
  }

  @Test func `a report of payments and an error answer do not stop a run`() throws {
    let shop = try Self.shop()
    let error = """
      {"errors":[{"id":"1","status":"500","code":"UNEXPECTED_ERROR","title":"An error",\
      "detail":"-"}]}

      """
    for day in ["05-01", "05-02", "05-03"] {
      try shop.folder.write(
        "apple/payment-2024-\(day).txt",
        "Payments (May, 2024),,,,\n,,,,\nRegion (Currency),Units Sold,Earned,Proceeds,\n"
          + "Australia (AUD),2,2.40,1.52,\(day)\n")
    }
    try shop.folder.write("apple/sales-2024-05-02.txt", error)
    let ending = try shop.run("paidline", "run", "pipeline.yaml")
    #expect(ending.status == 0, "\(ending.errors)")
    // The error answer comes first, although its name is the last.
    #expect(
      ending.errors.contains(
        "4 files are ignored, because they are not exports: apple/sales-2024-05-02.txt (an error "
          + "answer of App Store Connect; remove it, and fetch the report of that day again), "
          + "apple/payment-2024-05-01.txt (a report of payments)"),
      "\(ending.errors)")
    #expect(
      try shop.rows("SELECT status, count(1) FROM audit_file GROUP BY 1 ORDER BY 1")
        == ["ignored|4", "used|1"])
    // The report of the day, fetched again, is used.
    try shop.folder.write("apple/sales-2024-05-02.txt", Self.sales + Self.sale("05/02", "9.99"))
    #expect(try shop.run("paidline", "run", "pipeline.yaml").status == 0)
    #expect(try shop.rows("SELECT cause FROM audit_reconciliation") == ["equal"])
  }

  @Test func `Finance Detail alone is compared over its fiscal month`() throws {
    let shop = try Self.shop()
    try shop.folder.write(
      "in/b.ndjson",
      Export.purchase(1002, day: "2024-05-10", customer: "c-2", price: nil)
        + Export.purchase(1003, day: "2024-05-25", customer: "c-3", price: nil))
    try shop.folder.write(
      "apple/finance-2024-05-31.txt",
      "Vendor Name\tMe\nStart Date\t05/05/2024\nEnd Date\t06/01/2024\n"
        + "Transaction Date\tSettlement Date\tApple Identifier\tSKU\tProduct Type Identifier\t"
        + "Country of Sale\tQuantity\tPartner Share\tExtended Partner Share\t"
        + "Partner Share Currency\tCustomer Price\tCustomer Currency\tSale or Return\n"
        + "05/10/2024\t05/12/2024\t77\tpro\tIAY\tUSA\t1\t6.99\t6.99\tUSD\t9.99\tUSD\tS\n")
    #expect(try shop.run("paidline", "run", "pipeline.yaml").status == 0)
    // The charge of May 10 is equal. That of May 25 will be settled in the next fiscal month. The
    // purchase of May 2 belongs to the month before, whose report was not read.
    #expect(
      try shop.rows("SELECT cause, apple_units, our_units FROM audit_reconciliation ORDER BY cause")
        == ["equal|1|1", "settlement|0|1"])
    let ending = try shop.run("paidline", "reconcile", "pipeline.yaml", "--rows")
    #expect(
      ending.output.contains("reports of 28 days, 2024-05-05 to 2024-06-01"), "\(ending.output)")
    #expect(ending.output.contains("1003") && !ending.output.contains("1001"), "\(ending.output)")
  }
}
