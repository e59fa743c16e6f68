internal import Foundation
internal import TestSupport
internal import Testing

/// Price reports of purchases that no input knows, with the real program.
struct UnknownTransactionTests {
  /// A shop with one purchase, its report, and further reports with the given ids.
  private static func shop(_ ids: [String], prices: String = "[in/prices.ndjson]") throws -> Shop {
    let shop = try Shop()
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: [in/a.ndjson]
        prices: \(prices)
      customer_key_file: customer.key
      """)
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    try shop.folder.write("in/prices.ndjson", ids.enumerated().map(report).joined())
    return shop
  }

  private static func report(_ number: Int, _ id: String) -> String {
    """
    {"reported_at":"2021-02-01T11:00:00Z","customer_id":"o-\(number)","transaction_id":\(id),\
    "product_id":"pro","storefront":"CAN","currency":"USD","price":"4.99","os_name":"Android"}

    """
  }

  private static let amount = "SELECT paid_milli, price_rule, storefront FROM fct_revenue"

  @Test func `reports of Google Play are told, and decide nothing`() throws {
    let shop = try Self.shop((1...20).map { "\"GPA.3372-\($0)\"" })
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0)
    #expect(
      ending.errors.contains(
        "20 of 20 reports in in/prices.ndjson have a transaction id that no purchase of the inputs "
          + "has."), "\(ending.errors)")
    #expect(
      try shop.rows(
        "SELECT DISTINCT verdict FROM price_evidence WHERE customer_key IS NOT NULL "
          + "AND price_milli = 4990") == ["other_store"])
    #expect(try shop.rows(Self.amount) == ["9990|reported_with_purchase|USA"])
    #expect(
      try shop.rows("SELECT gate, severity FROM audit_gate") == ["unknown_transactions|warn"])
  }

  @Test func `nineteen unknown ids are not told, nor a twentieth of all`() throws {
    let few = try Self.shop((1...19).map { "\"GPA.3372-\($0)\"" })
    #expect(try few.run("paidline", "run").status == 0)
    #expect(try few.rows("SELECT count(1) FROM audit_gate") == ["0"])
    // 21 of 421 are less than a twentieth.
    let known = [String](repeating: "1001", count: 400)
    let many = try Self.shop((1...21).map { "\($0)" } + known)
    #expect(try many.run("paidline", "run").status == 0)
    #expect(
      try many.rows("SELECT count(1) FROM price_evidence WHERE verdict = 'other_store'") == ["21"])
    #expect(try many.rows("SELECT count(1) FROM audit_gate") == ["0"])
  }

  @Test func `a named platform counts them apart`() throws {
    let shop = try Self.shop(
      (1...20).map { "\"GPA.3372-\($0)\"" },
      prices: "[{files: in/prices.ndjson, keys: {platform: os_name}}]")
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try shop.rows("SELECT count(1) FROM price_evidence WHERE price_milli = 4990") == ["0"])
  }

  @Test func `an id that a spreadsheet rounded is told, and its report is used without it`() throws
  {
    let shop = try Self.shop(["\"1.8E+14\"", "180000123456789.0"])
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0)
    #expect(
      ending.errors.contains(
        "2 price reports with a transaction id that a spreadsheet has rounded"),
      "\(ending.errors)")
    #expect(
      try shop.rows("SELECT transaction_id, verdict FROM price_evidence WHERE price_milli = 4990")
        == ["NULL|believed", "NULL|believed"])
  }

  @Test func `an id that a later receipt has is no other store's any more`() throws {
    let shop = try Self.shop(["\"hash-7\""])
    #expect(try shop.run("paidline", "run").status == 0)
    let verdict = "SELECT verdict FROM price_evidence WHERE price_milli = 4990"
    #expect(try shop.rows(verdict) == ["other_store"])
    let text = try String(contentsOfFile: shop.folder.path("pipeline.yaml"), encoding: .utf8)
    try shop.folder.write("pipeline.yaml", text.replacing("[in/a.ndjson]", with: "[in/?.ndjson]"))
    try shop.folder.write(
      "in/b.ndjson",
      Export.purchase(1002, day: "2021-02-02", customer: "o-0", price: nil)
        .replacing("\"1002\"", with: "\"hash-7\""))
    #expect(try shop.run("paidline", "run").status == 0)
    // Its storefront contradicts the record around the purchase.
    #expect(try shop.rows(verdict) == ["contested_place"])
    #expect(try shop.run("paidline", "verify", "--full").status == 0)
  }
}
