internal import Foundation
internal import TestSupport
internal import Testing

/// Price reports that name the country of an IP address as their storefront, with the real program.
struct StorefrontCurrencyTests {
  /// A shop with one purchase in the United States, its report, and further reports of 9.99 USD
  /// from the given storefronts.
  private static func shop(_ storefronts: [String]) throws -> Shop {
    let shop = try Shop()
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: [in/a.ndjson]
        prices: [in/prices.ndjson]
      customer_key_file: customer.key
      """)
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    try shop.folder.write(
      "in/prices.ndjson", storefronts.enumerated().map(report).joined() + others)
    return shop
  }

  /// 25 reports in euros from the Netherlands, of customers who really are there, and three in
  /// dollars from the United States.
  private static let others = [("NLD", "EUR", "8.99", 25), ("USA", "USD", "9.99", 3)].flatMap {
    place in
    (0..<place.3).map { number in
      """
      {"reported_at":"2021-02-01T11:00:00Z","customer_id":"\(place.0)-\(number)",\
      "product_id":"pro","storefront":"\(place.0)","currency":"\(place.1)","price":"\(place.2)"}

      """
    }
  }.joined()

  private static func report(_ number: Int, _ storefront: String) -> String {
    """
    {"reported_at":"2021-02-01T11:00:00Z","customer_id":"o-\(number)","product_id":"pro",\
    "storefront":"\(storefront)","currency":"USD","price":"9.99"}

    """
  }

  @Test func `reports of dollars from the Netherlands are told, and have no storefront`() throws {
    let shop = try Self.shop([String](repeating: "NLD", count: 20))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0)
    #expect(
      ending.errors.contains(
        "20 of 48 reports in in/prices.ndjson name a storefront in which the App Store does not use "
          + "their currency."), "\(ending.errors)")
    #expect(
      try shop.rows("SELECT count(1) FROM price_evidence WHERE verdict = 'wrong_place'") == ["20"])
    #expect(
      try shop.rows("SELECT gate, severity FROM audit_gate") == ["storefront_currency|warn"])
  }

  @Test func `nineteen wrong storefronts are not told, nor a thirtieth of all`() throws {
    let few = try Self.shop([String](repeating: "NLD", count: 19))
    #expect(try few.run("paidline", "run").status == 0)
    #expect(try few.rows("SELECT count(1) FROM audit_gate") == ["0"])
    // 20 of 700 are less than 3 %.
    let many = try Self.shop(
      [String](repeating: "NLD", count: 20) + [String](repeating: "USA", count: 680))
    #expect(try many.run("paidline", "run").status == 0)
    #expect(try many.rows("SELECT count(1) FROM audit_gate") == ["0"])
  }
}
