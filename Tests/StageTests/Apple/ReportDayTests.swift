internal import TestSupport
internal import Testing

/// Apple's reports of several days with equal content.
struct ReportDayTests {
  private static let sales =
    "SKU\tProduct Type Identifier\tUnits\tBegin Date\tEnd Date\tCustomer Currency\t"
    + "Country Code\tApple Identifier\tCustomer Price\tSubscription\n"
  private static let stock =
    "App Name\tApp Apple ID\tSubscription Apple ID\tPromotional Offer ID\tCustomer Price\t"
    + "Customer Currency\tPreserved Pricing\tCountry\tActive Standard Price Subscriptions\n"
    + "Shop\t1000000001\t77\t \t9.99\tUSD\t\tUS\t20\n"

  private static func shop() throws -> Shop {
    let shop = try Shop(
      receipts: "in/*.ndjson", inputs: [#"apple_reports: ["apple/*-{date}.txt*"]"#])
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2024-05-01"))
    return shop
  }

  /// Adds the two reports of a day: nothing was sold, and 20 subscriptions are active.
  private static func add(_ day: String, to shop: Shop) throws {
    try shop.folder.write("apple/sales-2024-\(day).txt", sales)
    try shop.folder.write("apple/subscription-2024-\(day).txt", stock)
  }

  private static let days =
    "SELECT report, report_date FROM audit_apple_report ORDER BY report, report_date"
  private static let files = "SELECT count(1) FROM audit_file WHERE kind = 'apple_reports'"

  @Test func `equal reports of two days are two reports, in one run or in several`() throws {
    let nightly = try Self.shop()
    for day in ["05-01", "05-02"] {
      try Self.add(day, to: nightly)
      #expect(try nightly.run("paidline", "run", "pipeline.yaml").status == 0)
    }
    let once = try Self.shop()
    for day in ["05-01", "05-02"] { try Self.add(day, to: once) }
    #expect(try once.run("paidline", "run", "pipeline.yaml").status == 0)
    for shop in [nightly, once] {
      #expect(
        try shop.rows(Self.days) == [
          "sales|2024-05-01", "sales|2024-05-02", "subscription|2024-05-01",
          "subscription|2024-05-02",
        ])
      #expect(
        try shop.rows("SELECT event_date, units FROM apple_report_line ORDER BY 1")
          == ["2024-05-01|20", "2024-05-02|20"])
      #expect(try shop.rows(Self.files) == ["4"])
      #expect(
        try shop.run("paidline", "run", "pipeline.yaml", "-v").errors.contains("nothing to do"))
      #expect(try shop.run("paidline", "verify", "pipeline.yaml", "--full").status == 0)
    }
    #expect(try nightly.contentHash() == once.contentHash())
  }

  @Test func `a day without a report between others is told once, with the command`() throws {
    let shop = try Self.shop()
    for day in ["05-01", "05-02", "05-05"] { try Self.add(day, to: shop) }
    let run = try shop.run("paidline", "run", "pipeline.yaml")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.errors.contains("lack days between others: sales 2024-05-03 to 2024-05-04."),
      "\(run.errors)")
    #expect(
      run.errors.contains("paidline-fetch reports --from 2024-05-03 --through 2024-05-04"),
      "\(run.errors)")
    #expect(
      try shop.rows("SELECT severity, subject FROM audit_gate WHERE gate = 'missing_report_day'")
        == ["warn|sales 2024-05-03 to 2024-05-04"])
    for day in ["05-03", "05-04"] { try Self.add(day, to: shop) }
    let next = try shop.run("paidline", "run", "pipeline.yaml")
    #expect(!next.errors.contains("lack days"), "\(next.errors)")
  }

  @Test func `a copy of a day stays one report`() throws {
    let shop = try Self.shop()
    try Self.add("05-01", to: shop)
    // The same bytes under another name of the same day, and compressed.
    try shop.folder.write("apple/again-2024-05-01.txt", Self.sales)
    try shop.folder.write("apple/stock-2024-05-01.txt", Self.stock)
    try shop.folder.write("apple/sales-2024-05-01.txt.gz", bytes: gzip(Self.sales))
    try shop.folder.write("apple/subscription-2024-05-01.txt.gz", bytes: gzip(Self.stock))
    // A report with lines states its day, so a copy under another day is still the same file.
    let line = "pro\tIAY\t1\t04/30/2024\t04/30/2024\tUSD\tUS\t77\t9.99\tNew\n"
    for day in ["04-30", "05-02"] {
      try shop.folder.write("apple/sales-2024-\(day).txt", Self.sales + line)
    }
    #expect(try shop.run("paidline", "run", "pipeline.yaml").status == 0)
    #expect(
      try shop.rows(Self.days)
        == ["sales|2024-04-30", "sales|2024-05-01", "subscription|2024-05-01"])
    // The compressed files are other bytes: two days of Sales, one of them twice, and the stock.
    #expect(try shop.rows(Self.files) == ["5"])
    #expect(
      try shop.rows("SELECT report, event_date, units FROM apple_report_line ORDER BY 1")
        == ["sales|2024-04-30|1", "subscription|2024-05-01|20"])
  }
}
