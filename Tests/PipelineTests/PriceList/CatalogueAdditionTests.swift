internal import Diagnostics
@testable internal import Pipeline
internal import TestSupport
internal import Testing

/// Lines that `paidline catalog add` writes into catalogues of several layouts.
struct CatalogueAdditionTests {
  private static let change = CatalogueLine(
    productID: "pro.monthly", bundleID: nil, list: .priceChanges,
    members: [
      .init("currency", "USD"), .init("from", "2024-05-18"),
      .init("existing_subscribers", "preserved"),
    ])
  private static let price = CatalogueLine(
    productID: "pro.monthly", bundleID: nil, list: .prices,
    members: [.init("currency", "USD"), .init("price", "12.99"), .init("from", "2024-05-18")])

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var before: String
    var line = CatalogueAdditionTests.change
    var after: String
    /// The number of the new line.
    var number: Int
    var testDescription: String { name }
  }

  private static let cases = [
    Case(
      name: "a file without content", before: "# ours\n",
      after: """
        # ours
        products:
          - product_id: "pro.monthly"
            price_changes:
              - {currency: USD, from: 2024-05-18, existing_subscribers: preserved}

        """, number: 5),
    Case(
      name: "the template, whose products are all comments",
      before: "products:\n#  - product_id: a\n\n# promo_codes:\n",
      after: """
        products:
          - product_id: "pro.monthly"
            price_changes:
              - {currency: USD, from: 2024-05-18, existing_subscribers: preserved}
        #  - product_id: a

        # promo_codes:

        """, number: 4),
    Case(
      name: "an empty list", before: "products: []\n",
      after: """
        products:
          - product_id: "pro.monthly"
            price_changes:
              - {currency: USD, from: 2024-05-18, existing_subscribers: preserved}

        """, number: 4),
    Case(
      name: "a product without the list, before another one",
      before: """
        products:
          - product_id: pro.monthly   # the flagship
            kind: auto_renewable_subscription

          # the big one
          - product_id: pro.yearly
        rebased: []

        """,
      after: """
        products:
          - product_id: pro.monthly   # the flagship
            kind: auto_renewable_subscription
            price_changes:
              - {currency: USD, from: 2024-05-18, existing_subscribers: preserved}

          # the big one
          - product_id: pro.yearly
        rebased: []

        """, number: 5),
    Case(
      name: "a list at the indentation of its key",
      before: """
        products:
        - product_id: pro.monthly
          prices:
          - {currency: USD, price: "9.99", from: 2020-01-01}   # the first
          # until the rise
          kind: auto_renewable_subscription

        """, line: price,
      after: """
        products:
        - product_id: pro.monthly
          prices:
          - {currency: USD, price: "9.99", from: 2020-01-01}   # the first
          - {currency: USD, price: "12.99", from: 2024-05-18}
          # until the rise
          kind: auto_renewable_subscription

        """, number: 5),
    Case(
      name: "a list in brackets, and Windows line ends",
      before: "products:\r\n  - product_id: pro.monthly\r\n"
        + "    prices: [{currency: EUR, price: \"9.99\", from: 2020-01-01}]\r\n",
      line: price,
      after: "products:\r\n  - product_id: pro.monthly\r\n"
        + "    prices: [{currency: EUR, price: \"9.99\", from: 2020-01-01}, "
        + "{currency: USD, price: \"12.99\", from: 2024-05-18}]\r\n", number: 3),
  ]

  @Test(arguments: cases)
  func `a line is added where it belongs, and all other lines stay`(_ example: Case) throws {
    let folder = try TemporaryFolder()
    try folder.write("catalog.yaml", example.before)
    let path = folder.path("catalog.yaml")
    let place = try CatalogueAddition.add(example.line, to: path)
    #expect(String(decoding: try folder.bytes("catalog.yaml"), as: UTF8.self) == example.after)
    #expect(place.text == "\(path):\(example.number)")
  }

  @Test func `a line that the catalogue has already is refused with its place`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("catalog.yaml")
    _ = try CatalogueAddition.add(Self.change, to: path)
    let once = try folder.bytes("catalog.yaml")
    let refused = try #require(throws: RunFailure.self) {
      try CatalogueAddition.add(Self.change, to: path)
    }
    #expect(
      refused.message.contains(
        "price_changes to be the only entry for its currency, storefront and day"))
    #expect(try folder.bytes("catalog.yaml") == once)
  }

  @Test func `a form that cannot be continued leaves the file and prints the block`() throws {
    let folder = try TemporaryFolder()
    let text = "products: [{product_id: pro.monthly}]\n"
    try folder.write("catalog.yaml", text)
    let refused = try #require(throws: RunFailure.self) {
      try CatalogueAddition.add(Self.change, to: folder.path("catalog.yaml"))
    }
    #expect(refused.message.contains("write it below products: yourself:\n  - product_id: "))
    #expect(String(decoding: try folder.bytes("catalog.yaml"), as: UTF8.self) == text)
  }

  @Test func `a command can be pasted into a shell`() {
    var line = Self.change
    line.productID = "pro 'monthly'"
    line.bundleID = "com.example.pro"
    line.members[1] = .init("from", nil)
    #expect(
      line.command(pipeline: "my shop/pipeline.yaml")
        == "paidline catalog add 'my shop/pipeline.yaml' --product 'pro '\\''monthly'\\''' "
        + "--bundle-id com.example.pro --currency USD --from DAY --existing-subscribers preserved")
  }
}
