internal import Foundation
internal import TestSupport
internal import Testing

/// Impossible prices in reports, webhooks, decoded payloads and signed transactions.
struct ImpossibleAmountTests {
  private static func report(_ id: Int, _ price: String, _ currency: String) -> String {
    """
    {"reported_at":"2024-05-01T10:00:05Z","customer_id":"c-\(id)","transaction_id":"\(id)",\
    "product_id":"pro","storefront":"JPN","currency":"\(currency)","price":\(price)}

    """
  }

  @Test func `they are counted and told once, with the rows, and no amount comes from them`() throws
  {
    let shop = try SignedShop(
      inputs: [
        "prices: [in/p.json, {files: in/w.json, format: revenuecat_webhook}]"
      ])
    try shop.writeReceipts(
      (1...4).map {
        Export.purchase($0, day: "2024-05-01", customer: "c-\($0)", price: nil)
          .replacing("\"USA\"", with: "\"JPN\"")
      }.joined())
    // Yen have no decimals: 500.5 is impossible, and 500.0 is 500. ZZZ has never been a currency.
    try shop.shop.folder.write(
      "in/p.json",
      Self.report(1, "500.5", "JPY") + Self.report(2, "9.99", "ZZZ")
        + Self.report(3, "500.0", "JPY"))
    try shop.shop.folder.write(
      "in/w.json",
      """
      {"type":"INITIAL_PURCHASE","app_user_id":"c-4","store":"APP_STORE","product_id":"pro",\
      "transaction_id":"4","environment":"PRODUCTION","price":3,"currency":"JPY",\
      "price_in_purchased_currency":500.25,"country_code":"JP","purchased_at_ms":1714557605000}

      """)
    let yen = ["price": "500500", "currency": "\"JPY\"", "storefront": "\"JPN\""]
    try shop.write([
      try shop.token(5, day: "2024-05-01", yen), SignedShop.payload(6, day: "2024-05-01", yen),
    ])
    let ending = try shop.run()
    #expect(ending.status == 0)
    #expect(
      ending.errors.contains("5 prices in in/p.json and 2 more files cannot be"),
      "\(ending.errors)")
    #expect(
      try shop.shop.rows("SELECT DISTINCT paid_milli, currency FROM fct_revenue")
        == ["500000|JPY"])
    #expect(
      try shop.shop.rows("SELECT count(1) FROM fct_revenue WHERE price_status = 'exact'")
        == ["0"])
    // The queries in the message return the rows: four reported prices, and the price that Apple
    // signed.
    let statements = ending.errors.split(separator: "\n").filter { $0.hasPrefix("  SELECT") }
    #expect(statements.count == 2)
    #expect(try statements.map { try shop.shop.rows(String($0)).count } == [4, 1])
    #expect(try !shop.run("-v").errors.contains("cannot be"))
  }
}
