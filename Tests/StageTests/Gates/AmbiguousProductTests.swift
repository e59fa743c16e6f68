internal import Foundation
internal import TestSupport
internal import Testing

/// Two apps that sell the same product id, with the real program.
struct AmbiguousProductTests {
  private static func shop() throws -> Shop {
    let shop = try Shop(more: "bundle_ids: [com.example, com.other]")
    let other = Export.purchase(2001, day: "2021-02-01", customer: "ben", price: "4.99")
      .replacing("com.example", with: "com.other")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01") + other)
    return shop
  }

  private static let amounts =
    "SELECT bundle_id, transaction_id, paid_milli FROM fct_revenue ORDER BY 2"

  @Test func `each app has its own price`() throws {
    let shop = try Self.shop()
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0 && ending.errors == "", "\(ending.errors)")
    #expect(
      try shop.rows(Self.amounts) == ["com.example|1001|9990", "com.other|2001|4990"])
    #expect(
      try shop.rows(
        "SELECT bundle_id, product_id, price_milli FROM dim_product_price ORDER BY 1")
        == ["com.example|pro|9990", "com.other|pro|4990"])
  }

  @Test func `a second app that appears in a run changes the products of the first`() throws {
    let shop = try Self.shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try shop.rows("SELECT bundle_id FROM dim_product") == ["com.example"])
    try shop.folder.write(
      "in/b.ndjson",
      Export.purchase(2001, day: "2021-02-02", customer: "ben", price: "4.99")
        .replacing("com.example", with: "com.other"))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(
      try shop.rows(Self.amounts) == ["com.example|1001|9990", "com.other|2001|4990"])
    #expect(try shop.run("paidline", "verify", "--full").status == 0)
  }

  @Test func `a price change without an app is that of the app whose price rises`() throws {
    let shop = try Shop(
      inputs: ["catalog: catalog.yaml"], more: "bundle_ids: [com.example, com.other]")
    try shop.folder.write(
      "catalog.yaml",
      """
      products:
        - product_id: pro
          price_changes:
            - {currency: USD, from: 2024-02-20, existing_subscribers: moved}

      """)
    // The price of com.example rises from 9.99 to 12.99 on February 25; that of com.other stays.
    var receipts = ""
    for number in 1...4 {
      receipts += Export.purchase(
        1000 + number, day: "2024-01-0\(number)", customer: "a\(number)", price: "9.99")
      receipts += Export.purchase(
        2000 + number, day: "2024-02-2\(number + 4)", customer: "b\(number)", price: "12.99")
      for (id, day) in [(3000, "01"), (4000, "02")] {
        receipts += Export.purchase(
          id + number, day: "2024-\(day)-1\(number)", customer: "c\(id + number)", price: "4.99"
        ).replacing("com.example", with: "com.other")
      }
    }
    receipts += Export.purchase(1101, day: "2024-03-01", customer: "a1", price: nil, original: 1001)
    try shop.folder.write("in/a.ndjson", receipts)
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0)
    let amount = "SELECT paid_milli, price_status FROM fct_revenue WHERE transaction_id = '1101'"
    #expect(try shop.rows(amount) == ["12990|derived"])
    let void =
      "the catalogue's lines of pro are not used: several apps sell the id, and the lines have no "
      + "bundle_id. (A price change still counts for an app whose price rises within 30 days after "
      + "it.)"
    for text in try [
      ending.errors, shop.run("paidline", "status").output, shop.run("paidline", "check").output,
    ] {
      #expect(text.contains(void), "\(text)")
    }
    #expect(try FilterTests.filtered(shop, buckets: 2) == FilterTests.published(shop))
  }

  @Test func `a report of unknown app is named with the remedy`() throws {
    let shop = try Self.shop()
    try shop.folder.write(
      "in/b.ndjson",
      """
      {"received_at":"2021-02-03T10:00:00Z","price_report":{"product_id":"pro","currency":"USD",\
      "price":"9.99","reported_at":"2021-02-03T10:00:05Z"},"response":{"status":0,\
      "environment":"Production","receipt":{"bundle_id":"com.example","in_app":[]}}}

      """)
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0)
    #expect(
      ending.errors.contains(
        "several apps sell pro, and nothing shows the app of 1 price report, so these reports "
          + "decide no amount. Add bundle_id to the reports, or name the app of a whole file: "
          + "values: {bundle_id: com.example.app}."), "\(ending.errors)")
    #expect(
      try shop.rows("SELECT gate, subject, found FROM audit_gate")
        == ["ambiguous_product|pro|1 price report of unknown app"])
  }
}
