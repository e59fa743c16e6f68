internal import Foundation
internal import TestSupport
internal import Testing

/// Receipts that contradict each other must not prevent the publication of other facts.
struct StrangeReceiptTests {
  /// A response with these rows.
  private static func response(_ rows: [String], environment: String = "Production") -> String {
    """
    {"customer_id":"c-1","storefront":"USA","received_at":"2021-12-01T00:00:00Z","response":{\
    "status":0,"environment":"\(environment)","receipt":{"bundle_id":"com.example","in_app":[]},\
    "latest_receipt_info":[\(rows.joined(separator: ","))]}}

    """
  }

  /// A month of a subscription.
  private static func row(
    _ id: Int, item: String, from: String, until: String, product: String = "pro",
    original: Int = 1, more: String = ""
  ) -> String {
    """
    {"transaction_id":"\(id)","original_transaction_id":"\(original)",\
    "web_order_line_item_id":"\(item)","product_id":"\(product)","quantity":"1",\
    "purchase_date":"\(from) 00:00:00 Etc/GMT","expires_date":"\(until) 00:00:00 Etc/GMT",\
    "is_in_intro_offer_period":"false"\(more)}
    """
  }

  @Test func `a charge whose only id is another's can be what a renewal's price comes from`() throws
  {
    let shop = try Shop(more: "")
    try shop.folder.write(
      "in/r.ndjson",
      Self.response([
        Self.row(1, item: "w1", from: "2021-04-01", until: "2021-05-01"),
        Self.row(1, item: "w2", from: "2021-05-01", until: "2021-06-01"),
        Self.row(3, item: "w3", from: "2021-06-01", until: "2021-07-01"),
      ]) + Export.purchase(7, day: "2021-03-01", customer: "c-1"))
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 0, "\(ending.errors)")
    // The customer's phone reported 9.99 in March. The row of April uses it, and each later month
    // uses the month before.
    #expect(
      try shop.rows(
        """
        SELECT web_order_line_item_id, paid_milli, price_rule FROM fct_revenue
        WHERE original_transaction_id = '1' ORDER BY purchased_at
        """) == [
          "w1|9990|customer_report", "w2|9990|previous_renewal", "w3|9990|previous_renewal",
        ])
  }

  @Test(arguments: LongTests.seeds(2, long: 12))
  func `contradicting receipts do not stop the facts`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let months = (1...9).map { "2021-0\($0)-01" }
    let marks = [
      #","is_trial_period":"true""#, #","is_trial_period":"false""#, #","is_upgraded":"true""#,
      #","cancellation_date":"2021-03-05 00:00:00 Etc/GMT","cancellation_reason":"1""#,
      #","in_app_ownership_type":"FAMILY_SHARED""#, #","promotional_offer_id":"win""#,
      #","offer_code_ref_name":"SPRING""#, #","subscription_group_identifier":"g2""#, "", "", "",
    ]
    var lines = ""
    for _ in 0..<40 {
      let rows = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        let start = Int.random(in: 0..<8, using: &random)
        let original = Int.random(in: 1...4, using: &random)
        return Self.row(
          Int.random(in: 1...12, using: &random),
          item: "w\(Int.random(in: 1...14, using: &random))", from: months[start],
          until: months[min(8, start + Int.random(in: 0...3, using: &random))],
          product: ["pro", "plus"].randomElement(using: &random) ?? "pro", original: original,
          more: marks.randomElement(using: &random) ?? "")
      }
      let isSandbox = Int.random(in: 0..<8, using: &random) == 0
      lines += Self.response(rows, environment: isSandbox ? "Sandbox" : "Production")
    }
    for id in 1...6 { lines += Export.purchase(id, day: "2021-0\(id)-02", customer: "c-\(id)") }
    let shop = try Shop(gates: "{rejected_share: off}")
    try shop.folder.write("in/r.ndjson", lines)
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 0, "seed \(seed): \(ending.errors)")
  }

  @Test func `storefronts that are no country are told where they are the rule`() throws {
    let shop = try Shop()
    let lines = (1001...1004).map { Export.purchase($0, day: "2021-01-05", customer: "c-\($0)") }
    try shop.folder.write("in/a.ndjson", lines[0] + lines[1])
    let one = try shop.run("paidline", "run", shop.pipeline)
    #expect(one.status == 0)
    #expect(!one.errors.contains("storefront"), "\(one.errors)")
    try shop.folder.write(
      "in/b.ndjson", lines[2...].joined().replacing("\"USA\"", with: "\"143441-1,29\""))
    let all = try shop.run("paidline", "run", shop.pipeline)
    #expect(all.status == 0)
    #expect(all.errors.contains("2 of 2 records have a storefront that is no country"))
  }
}
