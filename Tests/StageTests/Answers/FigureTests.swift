internal import Foundation
internal import TestSupport
internal import Testing

/// The commands that show which rows are behind a figure.
struct FigureTests {
  /// A shop with three customers of one product, with a price rise on 2021-02-15.
  ///
  /// - The price rose from 9.99 to 12.99 USD. Chain 1001: January 5 (reported at 9.99), February 5
  ///   and March 5, both without reports.
  /// - 2001 and 3001: bought on February 20 and 21, reported at 12.99; 3001 was refunded on March
  ///   5.
  private static func shop(subscribersAre effect: String) throws -> Shop {
    let shop = try Shop()
    try shop.folder.write(
      "catalog.yaml",
      """
      products:
        - product_id: pro
          subscription_period: P1M
          price_changes: [{currency: USD, from: 2021-02-15, existing_subscribers: \(effect)}]
      """)
    let pipeline = try String(contentsOfFile: shop.folder.path("pipeline.yaml"), encoding: .utf8)
    try shop.folder.write(
      "pipeline.yaml",
      pipeline.replacing("inputs:\n", with: "inputs:\n  catalog: catalog.yaml\n")
        + "\nreporting_currency: USD\n")
    let refunded = Export.purchase(3001, day: "2021-02-21", customer: "c-3", price: "12.99")
      .replacing(
        "\"quantity\":\"1\"",
        with: "\"quantity\":\"1\",\"cancellation_date\":\"2021-03-05 12:00:00 Etc/GMT\"")
    try shop.folder.write(
      "in/a.ndjson",
      Export.purchase(1001, day: "2021-01-05")
        + Export.purchase(1002, day: "2021-02-05", price: nil, original: 1001)
        + Export.purchase(1003, day: "2021-03-05", price: nil, original: 1001)
        + Export.purchase(2001, day: "2021-02-20", customer: "c-2", price: "12.99") + refunded)
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    return shop
  }

  private func json(_ shop: Shop, _ arguments: [String]) throws -> [String: Any] {
    let file = shop.folder.path(UUID().uuidString)
    _ = FileManager.default.createFile(atPath: file, contents: nil)
    let process = try shop.start("paidline", arguments, output: try Shop.writing(file))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let data = try Data(contentsOf: URL(fileURLWithPath: file))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func lines(_ object: [String: Any], _ key: String, _ columns: [String]) throws
    -> [String]
  {
    let rows = try #require(object[key] as? [[String: Any]])
    return rows.map { row in
      columns.map { column in
        let value = row[column] ?? "?"
        return value is NSNull ? "NULL" : "\(value)"
      }.joined(separator: "|")
    }
  }

  @Test func `a day shows its figures, the rows behind them and what came back`() throws {
    let shop = try Self.shop(subscribersAre: "preserved")
    // On March 5 chain 1001 paid 9.99, and a charge of 12.99 was refunded: −3.00 in the ledger.
    let day = try json(shop, ["explain", shop.pipeline, "--day", "2021-03-05", "--json"])
    #expect(
      try lines(day, "revenue_daily", ["product_id", "currency", "gross_milli"])
        == ["pro|USD|9990"])
    #expect(
      try lines(day, "purchases", ["transaction_id", "paid_milli", "price_rule", "source"])
        == ["1003|9990|previous_renewal|in/a.ndjson:3"])
    #expect(
      try lines(
        day, "net_revenue_ledger_daily", ["charges_milli", "refunds_milli", "net_ledger_milli"])
        == ["9990|-12990|-3000"])
    #expect(
      try lines(day, "money_back", ["transaction_id", "entry_kind", "amount_milli"])
        == ["3001|refund|-12990"])

    let text = try shop.run("paidline", "explain", shop.pipeline, "--day", "2021-03-05")
    #expect(text.output.hasPrefix("2021-03-05, UTC\n\nFigures by purchase day (revenue_daily):\n"))
    #expect(text.output.contains("\npro         USD          9.99   -12.99       -3.00 "))
  }

  @Test func `a day in a shop without a reporting currency speaks of no rates`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-03-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let text = try shop.run("paidline", "explain", shop.pipeline, "--day", "2021-03-05").output
    #expect(text.contains("net cohort\n"), "\(text)")
    #expect(!text.contains("unconverted"))
  }

  @Test func `a day without rows says so, and what there is`() throws {
    let shop = try Self.shop(subscribersAre: "preserved")
    let ending = try shop.run(
      "paidline", "explain", shop.pipeline, "--day", "2021-01-06", "--product", "pro")
    #expect(ending.status == 0)
    #expect(
      ending.output == """
        2021-01-06: no purchase or refund of pro; purchases are \
        published from 2021-01-05 to 2021-03-05.

        """)
  }

  @Test func `a chain shows its purchases in order`() throws {
    let shop = try Self.shop(subscribersAre: "moved")
    let chain = try json(shop, ["explain", shop.pipeline, "--chain", "1001", "--json"])
    // There are no other reports before February 15. So a price has no reference, and its amount is
    // derived, not exact.
    #expect(
      try lines(
        chain, "purchases", ["transaction_id", "renewal_number", "paid_milli", "price_status"])
        == ["1001|1|9990|derived", "1002|2|9990|derived", "1003|3|12990|derived"])
    #expect(try lines(chain, "subscription", ["current_product_id", "paid_count"]) == ["pro|3"])
    #expect(
      try lines(chain, "entries", ["entry_date", "amount_reporting_micros"])
        == ["2021-01-05|9990000", "2021-02-05|9990000", "2021-03-05|12990000"])
  }

  @Test(arguments: [
    (["--day", "2021-03-05", "--product", "pri"], 66, "did you mean \"pro\"?"),
    (["--chain", "1002"], 66, "1002 is a transaction of the chain 1001: use --chain 1001"),
    (["--chain", "9"], 66, "9 is not an original_transaction_id of a published purchase"),
    (["--day", "2021-02-30"], 64, "The value '2021-02-30' is invalid"),
    (["--product", "pro", "1001"], 64, "--product needs --day."),
    (["1001", "--day", "2021-03-05"], 64, "Name one thing"),
    ([], 64, "Name one thing: a transaction id, --day, --chain or --customer."),
    (["--day", "2021-03-05", "--as-of", "2021-03-05"], 64, "--as-of needs a transaction id"),
  ])
  func `a question that has no answer is refused`(
    _ arguments: [String], status: Int32, message: String
  ) throws {
    let shop = try Self.shop(subscribersAre: "moved")
    let errors = shop.folder.path("errors")
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    let process = try shop.start(
      "paidline", ["explain", shop.pipeline] + arguments, errors: try Shop.writing(errors))
    process.waitUntilExit()
    #expect(process.terminationStatus == status)
    let text = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(text.contains(message), "\(text)")
  }

  @Test func `policies that book the same purchases otherwise are compared`() throws {
    // The effect is preserved. The policy history has 9.99 in March; the policy as_current has the
    // newest price, 12.99, for both renewals. January 5 was reported at 9.99, so it is 9.99 under
    // every policy.
    let shop = try Self.shop(subscribersAre: "preserved")
    let before = try Data(contentsOf: URL(fileURLWithPath: shop.folder.path("var/state.db")))
    let found = try json(shop, ["compare-policies", shop.pipeline, "--rows", "--json"])
    let sums = [
      "month", "currency", "history_milli", "as_purchased_milli", "as_current_milli",
      "as_purchased_difference_milli", "as_current_difference_milli", "differing_rows",
    ]
    #expect(
      try lines(found, "months", sums) == [
        // 9.99 + 12.99 + 12.99 = 35.97 and 3 × 12.99 = 38.97
        "2021-02|USD|35970|35970|38970|0|3000|1",
        "2021-03|USD|9990|9990|12990|0|3000|1",
      ])
    // 9.99 + 35.97 + 9.99 = 55.95
    #expect(
      try lines(found, "totals", Array(sums.dropFirst()))
        == ["USD|55950|55950|61950|0|6000|2"])
    #expect(
      try lines(found, "rows", ["transaction_id", "history_milli", "as_current_milli"])
        == ["1002|9990|12990", "1003|9990|12990"])
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: shop.folder.path("var/state.db"))) == before)
  }

  @Test func `a price that moved everybody shows against as_purchased`() throws {
    let shop = try Self.shop(subscribersAre: "moved")
    let found = try json(shop, ["compare-policies", shop.pipeline, "--rows", "--json"])
    #expect(
      try lines(
        found, "months",
        ["month", "history_milli", "as_purchased_difference_milli", "as_current_difference_milli"]
      ) == ["2021-02|35970|0|3000", "2021-03|12990|-3000|0"])
    let text = try shop.run("paidline", "compare-policies", shop.pipeline)
    #expect(text.output.contains("\n2021-03  pro         USD         12.99 "))
    let other = try shop.run("paidline", "compare-policies", shop.pipeline, "--product", "pri")
    #expect(other.status == 66)
    let same = try shop.run(
      "paidline", "compare-policies", shop.pipeline, "--as-of", "2021-01-31")
    #expect(
      same.output
        == "All renewal policies give the same revenue for every month, product and currency "
        + "(1 in all). The pipeline uses history.\n")
  }

  @Test func `the highest price of three units is rounded once`() throws {
    let shop = try Shop(inputs: ["rates: rates.csv"], more: "reporting_currency: USD")
    try shop.folder.write(
      "rates.csv",
      "Date,USD,JPY,\n" + (1...4).map { "2024-03-0\(5 - $0),1.0771,130.01,\n" }.joined())
    let japan = (1...3).map {
      Export.purchase(1000 + $0, day: "2024-03-0\($0)", customer: "a\($0)", price: "1000")
        .replacing("USD", with: "JPY").replacing("USA", with: "JPN")
    }
    let unplaced = Export.purchase(2001, day: "2024-03-04", customer: "b", price: nil)
      .replacing("\"storefront\":\"USA\",", with: "")
      .replacing("\"quantity\":\"1\"", with: "\"quantity\":\"3\"")
    try shop.folder.write("in/a.ndjson", (japan + [unplaced]).joined())
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    // 3,000 yen are 3,000 / 130.01 × 1.0771 = 24.85424198 dollars; a unit is 8.28474733.
    #expect(
      try shop.rows(
        """
        SELECT paid_high_reporting_micros, is_high_estimated FROM fct_revenue
        WHERE transaction_id = '2001'
        """) == ["24854242|1"])
  }
}
