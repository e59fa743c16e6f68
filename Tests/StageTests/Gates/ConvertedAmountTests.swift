internal import Foundation
internal import TestSupport
internal import Testing

/// Amounts that were converted from another currency, with the real program.
struct ConvertedAmountTests {
  /// A shop with one purchase and the given amounts in euros, one report each.
  private static func shop(_ amounts: [String], entry: String = "") throws -> Shop {
    let shop = try Shop()
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: [in/a.ndjson]
        prices: [{files: in/prices.ndjson\(entry)}]
      customer_key_file: customer.key
      """)
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    let lines = amounts.enumerated().map { number, amount in
      """
      {"reported_at":"2021-02-01T11:00:00Z","customer_id":"o-\(number)","product_id":"plus",\
      "storefront":"DEU","currency":"EUR","price":"\(amount)"}

      """
    }
    try shop.folder.write("in/prices.ndjson", lines.joined())
    return shop
  }

  /// Twenty amounts, of which the given number end in 1 and the others in 9.
  private static func amounts(converted: Int) -> [String] {
    (0..<20).map { "\(5 + $0).\($0 < converted ? "61" : "99")" }
  }

  @Test func `more than a quarter of converted amounts stop the run, which tells how to go on`()
    throws
  {
    let shop = try Self.shop(Self.amounts(converted: 6))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    #expect(
      ending.errors.contains(
        "6 of 20 different amounts in price end in other digits than 0, 5 and 9, such as 5.61 EUR, "
          + "6.61 EUR, 7.61 EUR."), "\(ending.errors)")
    #expect(ending.errors.contains("write amounts: local in the entry"), "\(ending.errors)")
  }

  @Test func `a quarter, and fewer than twenty amounts, stop nothing`() throws {
    #expect(try Self.shop(Self.amounts(converted: 5)).run("paidline", "run").status == 0)
    let few = Array(Self.amounts(converted: 19).prefix(19))
    #expect(try Self.shop(few).run("paidline", "run").status == 0)
  }

  @Test func `twice 0.99 is 1.98, and not converted`() throws {
    let shop = try Self.shop([])
    let numbers = 1001...1020
    let receipts = numbers.map {
      Export.purchase($0, day: "2021-02-01", customer: "o-\($0)", price: nil)
        .replacingOccurrences(of: "\"quantity\":\"1\"", with: "\"quantity\":\"2\"")
    }
    try shop.folder.write("in/a.ndjson", receipts.joined())
    let charges = numbers.map {
      """
      {"reported_at":"2021-02-01T11:00:00Z","customer_id":"o-\($0)","product_id":"pro",\
      "transaction_id":"\($0)","storefront":"USA","currency":"USD","price":"\($0 - 1000).98"}

      """
    }
    try shop.folder.write("in/prices.ndjson", charges.joined())
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
  }

  @Test func `an entry may say that its amounts are local`() throws {
    let shop = try Self.shop(Self.amounts(converted: 20), entry: ", amounts: local")
    #expect(try shop.run("paidline", "run").status == 0)
    let wrong = try Self.shop([], entry: ", amounts: euro")
    #expect(try wrong.run("paidline", "run").status == 78)
  }
}
