internal import Foundation
internal import TestSupport
internal import Testing

/// Price reports that arrive in an incremental run after the purchases to which they belong.
struct IncrementalReportTests {
  /// A shop with one purchase of each of twelve customers, and a folder for the app's reports.
  ///
  /// The last three customers have no reports yet.
  private func shop(gates: String = "{}") throws -> Shop {
    let shop = try Shop(
      gates: gates, receipts: "in/*.ndjson", inputs: [#"prices: ["prices/*.ndjson"]"#])
    // Seven accounts share one id, which makes it a placeholder.
    let shared = (2001...2007).map { Export.purchase($0, day: "2021-02-01", customer: "guest") }
    try shop.folder.write(
      "in/a.ndjson",
      (1001...1012).map {
        Export.purchase($0, day: "2021-02-01", customer: "c-\($0)", price: $0 < 1010 ? "9.99" : nil)
      }.joined() + shared.joined())
    try shop.folder.write("prices/a.ndjson", report(of: 1001, "pro", "9.99"))
    return shop
  }

  private func report(
    of id: Int?, _ product: String, _ price: String, customer: String? = nil
  ) -> String {
    let named = id.map { "\"transaction_id\":\"\($0)\"," } ?? ""
    let sender = customer.map { "\"customer_id\":\"\($0)\"," } ?? ""
    return """
      {\(named)\(sender)"product_id":"\(product)","currency":"USD","price":\(price),\
      "reported_at":"2021-02-03T10:00:05Z"}

      """
  }

  private func requireEnd(_ shop: Shop, _ arguments: String...) throws {
    let ending = try shop.run("paidline", arguments: ["run"] + arguments)
    #expect(ending.status == 0, "\(ending.errors)")
  }

  @Test(arguments: [nil, "guest", "c-1003"])
  func `a report of another product than its purchase's is evidence, whoever sends it`(
    _ customer: String?
  ) throws {
    let shop = try shop()
    try requireEnd(shop)
    let before = try #require(Int(shop.rows("SELECT count(*) FROM price_evidence")[0]))
    try shop.folder.write("prices/b.ndjson", report(of: 1003, "other", "5.99", customer: customer))
    try requireEnd(shop, "--audit-slice", "0")
    #expect(
      try shop.rows(
        "SELECT product_id, count(*) FROM price_evidence GROUP BY 1 ORDER BY 1")
        == ["other|1", "pro|\(before)"])
    let incremental = try shop.contentHash()

    let once = try self.shop()
    try once.folder.write("prices/b.ndjson", report(of: 1003, "other", "5.99", customer: customer))
    try requireEnd(once)
    #expect(try incremental == once.contentHash())
  }

  // 17 reports of 9.99 are known: nine with purchases of their own customers, seven of the guests,
  // and one other. The report of 999 is one of eighteen, although it is the only new report.
  @Test func `one phone that counts in cents stops no run`() throws {
    let shop = try shop(gates: "{price_unit: stop}")
    try requireEnd(shop)
    try shop.folder.write("prices/b.ndjson", report(of: 1010, "pro", "999"))
    try requireEnd(shop, "--audit-slice", "0")
    #expect(
      try shop.rows("SELECT verdict, count(*) FROM price_evidence GROUP BY 1 ORDER BY 1")
        .contains("unit_error|1"))
  }

  @Test func `prices that all are in cents stop the run that brings them`() throws {
    let shop = try shop(gates: "{price_unit: stop}")
    try requireEnd(shop)
    try shop.folder.write(
      "prices/b.ndjson", (1004...1008).map { report(of: $0, "pro", "999") }.joined())
    let ending = try shop.run("paidline", arguments: ["run", "--audit-slice", "0"])
    #expect(ending.status == 65, "\(ending.errors)")
    #expect(ending.errors.contains("prices/b.ndjson"), "\(ending.errors)")
  }
}
