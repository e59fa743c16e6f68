internal import TestSupport
internal import Testing

/// The advice on rows without an amount.
struct AdviceTests {
  private static let reporting = """
    reporting_currency: USD
    """

  /// A shop with four rows: Ana's purchase has a reported price; the price of `pro` in the USA rose
  /// before Ben's renewal; the storefront of Cid's purchase is unknown.
  private static func shop() throws -> Shop {
    let shop = try Shop(more: reporting)
    var receipts = ""
    for number in 1...4 {
      receipts += Export.purchase(
        1000 + number, day: "2024-01-0\(number)", customer: "a\(number)", price: "9.99")
      receipts += Export.purchase(
        2000 + number, day: "2024-03-0\(number)", customer: "b\(number)", price: "12.99")
    }
    // The renewal after the rise, of a customer who subscribed in January.
    receipts += Export.purchase(
      1101, day: "2024-04-01", customer: "a1", price: nil, original: 1001)
    for number in 1...3 {
      receipts += Export.purchase(
        3000 + number, day: "2024-03-0\(number)", customer: "c\(number)", price: nil
      ).replacing("\"storefront\":\"USA\",", with: "")
    }
    try shop.folder.write("in/a.ndjson", receipts)
    let ending = try shop.run("paidline", "run", "pipeline.yaml")
    #expect(ending.status == 0, "\(ending.errors)")
    return shop
  }

  @Test func `what would settle most money comes first, after the price list, with its line`()
    throws
  {
    let shop = try Self.shop()
    #expect(
      try shop.rows(
        """
        SELECT price_rule, paid_low_reporting_micros, paid_high_reporting_micros, is_high_estimated,
          count(1) FROM fct_revenue WHERE paid_milli IS NULL GROUP BY 1, 2, 3, 4 ORDER BY 1
        """) == ["previous_renewal|9990000|12990000|0|1", "unresolved|0|12990000|1|3"])
    let output = try shop.run("paidline", "status", "--advice", "pipeline.yaml").output
    let lines = output.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix("What would make unknown") })
    #expect(
      Array(lines[start...].prefix(7)) == [
        "What would make unknown amounts known, the most money first:",
        // 12.99 - 9.99 = 3.00
        "1. 1 row, up to 3.00 USD: App Store Connect knows the prices of every storefront and "
          + "offer",
        "   paidline-fetch prices   # after fetch.prices in the pipeline, Docs/fetching.md",
        // 3 × 12.99 = 38.97; 3 of 4 rows
        "2. 3 rows, up to 38.97 USD: 75.0 % of the rows without an amount lack a country",
        "   write storefront into each receipt record, or let the app send it in price reports; for "
          + "reports of one country, set values: {storefront: USA} in their entry of inputs.prices",
        "3. 1 row, up to 3.00 USD: the price of pro in USD rose, and nothing shows whether "
          + "subscribers kept the old price",
        "   paidline catalog add --product pro --currency USD --from 2024-03-01 "
          + "--existing-subscribers preserved   # or moved; the true day, if the price changed "
          + "before this one",
      ])
    #expect(
      try shop.run("paidline", "run", "--table", "pipeline.yaml").output.contains(
        "2. 3 rows, up to 38.97 USD"))
  }

  @Test func `a store without unknown amounts needs no advice`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2024-01-05"))
    #expect(try shop.run("paidline", "run", "pipeline.yaml").status == 0)
    #expect(
      try shop.run("paidline", "status", "--advice", "pipeline.yaml").output.contains(
        "No evidence is missing: every amount that can be known is known."))
    #expect(
      try !shop.run("paidline", "run", "--table", "pipeline.yaml").output.contains("What would"))
  }
}
