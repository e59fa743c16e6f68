internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import Testing

@testable internal import Pipeline

/// Fetched price lists, and the owner's files that override them.
struct PriceListTests {
  private static func file(_ path: String, _ lines: String, _ more: String = "") throws
    -> CatalogueText
  {
    try CatalogueText.read(
      path: path, text: "\(more)products:\n  - product_id: pro\n    prices:\n\(lines)")
  }

  private static func steps(_ lines: String) throws -> [String] {
    let steps = PriceListSteps(try file("f.yaml", lines).products[0])
    return steps.prices.map {
      "\($0.storefront?.code ?? "all") \($0.from == .beginning ? "always" : $0.from.text) "
        + "\($0.price.rawValue)\($0.isFetched ? "" : " ours")"
    } + steps.changes.map { "\($0.from.text) \($0.existingSubscribers.rawValue)" }
  }

  @Test func `the old price says whether its subscribers keep it`() throws {
    #expect(
      try Self.steps(
        """
              - {storefront: USA, currency: USD, price: 2.99, from: 2025-03-03, first_seen: 2025-01-01}
              - {storefront: USA, currency: USD, price: 0.99, preserved: true, first_seen: 2025-01-01}
              - {storefront: USA, currency: USD, price: 3.99, from: 2025-06-01, first_seen: 2025-05-20}
        """) == [
          "USA always 990", "USA 2025-03-03 2990", "USA 2025-06-01 3990",
          "2025-03-03 preserved", "2025-06-01 moved",
        ])
  }

  @Test func `a withdrawn price never was, a replaced first price keeps its days`() throws {
    #expect(
      try Self.steps(
        """
              - {storefront: USA, currency: USD, price: 1.99, first_seen: 2025-01-01, last_seen: 2025-02-01}
              - {storefront: USA, currency: USD, price: 9.99, from: 2025-04-01, first_seen: 2025-01-01, last_seen: 2025-01-09}
              - {storefront: USA, currency: USD, price: 2.99, first_seen: 2025-02-02}
        """) == ["USA always 1990", "USA 2025-02-02 2990", "2025-02-02 moved"])
  }

  @Test
  func `a manual price stands before automatic ones for its days, and instalments do not count`()
    throws
  {
    #expect(
      try Self.steps(
        """
              - {storefront: USA, currency: USD, price: 5, automatic: true, first_seen: 2025-01-01}
              - {storefront: USA, currency: USD, price: 3, from: 2025-02-01, to: 2025-03-01, first_seen: 2025-01-01}
              - {storefront: USA, currency: USD, price: 1, billing_plan: monthly, first_seen: 2025-01-01}
        """) == [
          "USA always 5000", "USA 2025-02-01 3000", "USA 2025-03-01 5000", "2025-02-01 moved",
          "2025-03-01 moved",
        ])
  }

  /// The days and prices of a product's offers, as `from – to price`; `to` is the first day after.
  private static func offers(_ lines: String, prices: String = "") throws -> [String] {
    let text = "products:\n  - product_id: pro\n" + prices + "    offers:\n" + lines
    let product = try CatalogueText.read(path: "f.yaml", text: text).products[0]
    return PricedOffer.all(of: product).map {
      "\($0.days.from?.text ?? "always") – \($0.days.to?.text ?? "open") \($0.offer.price.rawValue)"
    }
  }

  @Test func `an offer holds on its own days, and until its next price`() throws {
    let start =
      "      - {kind: introductory, storefront: USA, currency: USD, payment_mode: pay_up_front"
    #expect(
      try Self.offers(
        """
        \(start), price: 1, to: 2025-01-31, first_seen: 2025-06-01}
        \(start), price: 2, from: 2025-02-01, to: 2025-04-30, first_seen: 2025-06-01}
        \(start), price: 3, from: 2025-04-15, first_seen: 2025-06-01}
        """) == [
          "always – 2025-02-01 1000", "2025-02-01 – 2025-04-15 2000", "2025-04-15 – open 3000",
        ])
  }

  @Test func `an offer without a first day is as old as the regular price beside it`() throws {
    let start = "      - {kind: promo, identifier: win50, currency: USD, payment_mode: pay_up_front"
    #expect(
      try Self.offers(
        """
        \(start), storefront: USA, price: 4.99, first_seen: 2025-06-01, last_seen: 2025-07-01}
        \(start), storefront: USA, price: 3.99, first_seen: 2025-07-02}
        \(start), storefront: ECU, price: 2.99, first_seen: 2025-06-01}
        \(start), price: 1.99, from: 2025-02-01, to: 2025-02-28}

        """,
        prices: """
              prices:
                - {storefront: USA, currency: USD, price: 9.99, preserved: true, first_seen: 2025-06-01}
                - {storefront: USA, currency: USD, price: 12.99, from: 2025-03-03, first_seen: 2025-06-01}
                - {storefront: ECU, currency: USD, price: 5.99, first_seen: 2025-06-01}

          """) == [
          "2025-03-03 – 2025-07-02 4990", "2025-07-02 – open 3990", "always – open 2990",
          "2025-02-01 – 2025-03-01 1990",
        ])
  }

  @Test func `a line without an app is of the only app that is used`() throws {
    let line = try CatalogueText.read(path: "c.yaml", text: "products:\n  - product_id: pro\n")
    let used = try CatalogueText.layered([line], apps: ["com.example.shop"])
    #expect(used.products.map(\.bundleID) == ["com.example.shop"])
    let any = try CatalogueText.layered([line], apps: ["com.example.shop", "com.example.two"])
    #expect(any.products.map(\.bundleID) == [nil])
  }

  @Test func `a later file wins line by line`() throws {
    let fetched = try Self.file(
      "fetched.yaml",
      """
            - {storefront: USA, currency: USD, price: 9.99, first_seen: 2025-01-01}
            - {storefront: USA, currency: USD, price: 12.99, from: 2025-03-03, first_seen: 2025-01-01}
            - {storefront: FRA, currency: EUR, price: 10.99, first_seen: 2025-01-01}
      """, "asked_on: 2025-04-01\n")
    let ours = try Self.file(
      "ours.yaml",
      """
            - {storefront: USA, currency: USD, price: 13.99, from: 2025-03-03}
            - {currency: EUR, price: 8.99, from: 2024-01-01}
      """)
    let layered = try CatalogueText.layered([fetched, ours], apps: [])
    let steps = PriceListSteps(layered.products[0])
    #expect(
      steps.prices.map {
        "\($0.storefront?.code ?? "all") \($0.price.rawValue)\($0.isFetched ? "" : " ours")"
      } == ["FRA 10990", "all 8990 ours", "USA 9990", "USA 13990 ours"])
    #expect(
      CatalogueContradictions.find(ours.products[0], against: fetched.products[0]) == [
        "ours.yaml:4: pro 13.99 USD from 2025-03-03; App Store Connect has 12.99 USD (USA)",
        "ours.yaml:5: pro 8.99 EUR from 2024-01-01; App Store Connect has 10.99 EUR (FRA)",
      ])
  }

  @Test func `facts that differ are named, with the one that is used`() throws {
    func file(_ path: String, _ facts: String, asked: Bool) throws -> CatalogueText {
      let product = "products:\n  - {product_id: pro, \(facts)}\n"
      return try CatalogueText.read(
        path: path, text: (asked ? "asked_on: 2025-04-01\n" : "") + product)
    }
    let fetched = try file(
      "fetched.yaml", "name: Pro, subscription_period: P1Y, apple_id: 1500000001", asked: true)
    let ours = try file("ours.yaml", "subscription_period: P1M, apple_id: 1500000001", asked: false)
    let start = "ours.yaml:2: pro subscription_period is P1M; App Store Connect has P1Y. "
    let reason = " is used, because it is in the file that inputs.catalog lists later"
    #expect(
      try CatalogueContradictions.find([fetched, ours], apps: []) == [start + "P1M" + reason])
    #expect(
      try CatalogueContradictions.find([ours, fetched], apps: []) == [start + "P1Y" + reason])
    #expect(try CatalogueContradictions.find([ours], apps: []).isEmpty)
  }

  @Test func `two apps with one product id have lines of their own`() throws {
    let text = """
      asked_on: 2025-04-01
      products:
        - {product_id: pro, bundle_id: com.example.one}
        - {product_id: pro, bundle_id: com.example.two}
      """
    let list = try CatalogueText.read(path: "fetched.yaml", text: text)
    let both = try CatalogueText.layered([list], apps: [])
    #expect(both.products.map(\.bundleID) == ["com.example.one", "com.example.two"])
    let unnamed = try CatalogueText.read(
      path: "ours.yaml", text: "products:\n  - {product_id: pro, kind: consumable}\n")
    let refusal = #expect(throws: RunFailure.self) {
      try CatalogueText.layered([list, unnamed], apps: [])
    }
    #expect(refusal?.message.contains("ours.yaml:2: two apps sell the product pro") == true)
    let one = try CatalogueText.layered([list], apps: ["com.example.two"])
    #expect(one.products.map(\.bundleID) == ["com.example.two"])
  }

  @Test func `lines that contradict themselves are refused with their place`() throws {
    for (line, word) in [
      ("{currency: USD, price: 1, first_seen: 2025-02-01, last_seen: 2025-01-01}", "last_seen"),
      ("{currency: USD, price: 1, from: 2025-01-01, last_seen: 2025-01-01}", "first_seen"),
      ("{currency: USD, price: 1}", "from"),
      ("{currency: USD, price: 1, from: 2025-01-01, preserved: perhaps}", "preserved"),
      ("{currency: USD, price: 1, from: 2025-01-01, billing_plan: daily}", "billing_plan"),
    ] {
      let failure = #expect(throws: RunFailure.self) {
        try Self.file("c.yaml", "      - \(line)")
      }
      #expect(failure.map { "\($0)".contains("c.yaml:4") && "\($0)".contains(word) } == true)
    }
  }
}
