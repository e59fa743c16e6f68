internal import Foundation
internal import TestSupport
internal import Testing

/// The name of an offer: the reference name of an offer code in the receipt, otherwise the
/// catalogue's name.
struct OfferNameTests {
  /// A purchase with an offer: a code with its reference name, or a promotional offer with its id.
  private static func offer(_ id: Int, _ field: String) -> String {
    Export.purchase(id, day: "2021-02-01", customer: "c-\(id)", price: nil).replacing(
      "\"quantity\":\"1\"", with: "\"quantity\":\"1\",\(field)")
  }

  private func shop() throws -> Shop {
    let shop = try Shop(more: "report: report.html")
    try shop.folder.write(
      "catalog.yaml",
      """
      products:
        - product_id: pro
          kind: auto_renewable_subscription
          offers:
            - {kind: promo, identifier: win50, name: "Win back, half price", currency: USD,
               price: "4.99", payment_mode: pay_up_front, number_of_periods: 1,
               subscription_period: P1M}
            - {kind: promo, identifier: plain, currency: USD, price: "5.99",
               payment_mode: pay_up_front, number_of_periods: 1, subscription_period: P1M}
      """)
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "pipeline.yaml", pipeline.replacing("inputs:\n", with: "inputs:\n  catalog: catalog.yaml\n"))
    try shop.folder.write(
      "in/a.ndjson",
      Self.offer(1001, "\"offer_code_ref_name\":\"SPRING21\"")
        + Self.offer(1002, "\"promotional_offer_id\":\"win50\"")
        + Self.offer(1003, "\"promotional_offer_id\":\"plain\"")
        + Export.purchase(1004, day: "2021-02-01", customer: "c-4"))
    #expect(try shop.run("paidline", "run").status == 0)
    return shop
  }

  @Test func `is in the facts and the views`() throws {
    let shop = try shop()
    for table in ["fct_revenue", "revenue"] {
      #expect(
        try shop.rows("SELECT transaction_id, offer_id, offer_name FROM \(table) ORDER BY 1")
          == [
            "1001|SPRING21|SPRING21", "1002|win50|Win back, half price", "1003|plain|NULL",
            "1004|NULL|NULL",
          ])
    }
    #expect(
      try shop.rows("SELECT offer_id, offer_name FROM offer_performance ORDER BY offer_id")
        == ["SPRING21|SPRING21", "plain|NULL", "win50|Win back, half price"])
  }

  @Test func `is in explanations and on the page`() throws {
    let shop = try shop()
    #expect(
      try shop.run("paidline", "explain", shop.pipeline, "1002").output
        .contains("Win back, half price"))
    let page = String(decoding: try shop.folder.bytes("report.html"), as: UTF8.self)
    #expect(page.contains("Win back, half price (win50)"))
    #expect(page.contains("<td>SPRING21</td>") || page.contains(">SPRING21<"))
  }

  @Test func `a name that the catalogue changes changes the facts, and no amount`() throws {
    let shop = try shop()
    let catalogue = String(decoding: try shop.folder.bytes("catalog.yaml"), as: UTF8.self)
    try shop.folder.write("catalog.yaml", catalogue.replacing("Win back, half price", with: "Half"))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(
      try shop.rows("SELECT offer_name, paid_milli FROM fct_revenue WHERE transaction_id = '1002'")
        == ["Half|4990"])
    #expect(try shop.rows("SELECT count(1) FROM audit_restatement") == ["0"])
  }
}
