internal import Foundation
internal import TestSupport
internal import Testing

/// Lines of the owner's catalogue that decide no purchase.
struct UselessLineTests {
  /// A shop in which `pro` is sold in the United States, at 9.99 and from March 1 on at 12.99 USD;
  /// Ana's renewals of March 10 and April 10 have no report.
  private static func shop(_ catalogue: String) throws -> Shop {
    let shop = try Shop(inputs: ["catalog: catalog.yaml"])
    try shop.folder.write("catalog.yaml", catalogue)
    var receipts = ""
    for number in 1...4 {
      receipts += Export.purchase(
        1000 + number, day: "2024-02-1\(number)", customer: "a\(number)", price: "9.99")
      receipts += Export.purchase(
        2000 + number, day: "2024-03-0\(number)", customer: "b\(number)", price: "12.99")
    }
    for (id, day) in [(1101, "2024-03-10"), (1201, "2024-04-10")] {
      receipts += Export.purchase(id, day: day, customer: "a1", price: nil, original: 1001)
    }
    try shop.folder.write("in/a.ndjson", receipts)
    return shop
  }

  @Test func `check names each line that decides nothing, and the nearest market or id`() throws {
    let shop = try Self.shop(
      """
      products:
        - product_id: pro
          price_changes:
            - {currency: USD, from: 2024-03-01, existing_subscribers: moved}
            - {currency: EUR, from: 2024-03-01, existing_subscribers: moved}
          prices:
            - {currency: USD, price: "9.99", from: 2023-01-01}
            - {currency: USD, price: "14.99", from: 2030-01-01}
            - {currency: USD, storefront: CAN, price: "9.99", from: 2023-01-01}
          offers:
            - {kind: offer_code, identifier: MAY, currency: USD, price: "1", payment_mode: pay_up_front}
        - product_id: por
          prices:
            - {currency: USD, price: "9.99", from: 2023-01-01}
        - product_id: lifetime
          prices:
            - {currency: USD, price: "99.99", from: 2023-01-01}

      """)
    #expect(try shop.run("paidline", "run").status == 0)
    // Line 8 is for the future, and line 16 for a product that nobody has bought so far.
    let ending = try shop.run("paidline", "check")
    #expect(ending.status == 0)
    let lines = ending.output.split(separator: "\n").filter { $0.contains("decides nothing") }
    #expect(
      lines.joined(separator: "\n") == """
        catalog.yaml:2: {currency: EUR, from: 2024-03-01, existing_subscribers: moved} of pro \
        decides nothing: no purchase of pro is in EUR; its purchases are in USD
        catalog.yaml:9: {currency: USD, price: "9.99", storefront: CAN, from: 2023-01-01} of pro \
        decides nothing: no purchase of pro in USD is in CAN; its purchases are in USA
        catalog.yaml:11: {kind: offer_code, identifier: "MAY", currency: USD} of pro decides \
        nothing: nobody redeemed the offer MAY of pro
        catalog.yaml:14: {currency: USD, price: "9.99", from: 2023-01-01} of por decides nothing: \
        no purchase is of the product por; did you mean pro?
        """)
    #expect(
      try shop.run("paidline", "check", "--json").output.contains("no purchase of pro is in EUR"))
  }

  private static let answers: [(line: String, reason: String?)] = [
    // Ana's renewal of March 10 is before the day of the line.
    (
      "from: 2024-03-15",
      "; your line from 2024-03-15 does not settle it: the price rose before that day"
    ),
    (
      "from: 2024-02-20, storefront: CAN",
      "; your line from 2024-02-20 does not settle it: it is about CAN alone"
    ),
    (
      "from: 2023-10-01",
      "; your line from 2023-10-01 does not settle it: the price rose more than 120 days after that day"
    ),
    // More than a year before: about another rise.
    ("from: 2022-10-01", nil),
  ]

  @Test(arguments: answers)
  func `a question about a rise says why the owner's line does not answer it`(
    line: String, reason: String?
  ) throws {
    let shop = try Self.shop(
      """
      products:
        - product_id: pro
          price_changes:
            - {currency: USD, \(line), existing_subscribers: moved}

      """)
    let ending = try shop.run("paidline", "run")
    #expect(ending.errors.contains("the price of pro rose from 9.99 USD to 12.99 USD"))
    #expect(ending.errors.contains("does not settle it") == (reason != nil), "\(ending.errors)")
    if let reason { #expect(ending.errors.contains(reason), "\(ending.errors)") }
  }
}
