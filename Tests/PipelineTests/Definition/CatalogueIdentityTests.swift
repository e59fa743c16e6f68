@testable internal import Pipeline
internal import Testing

/// The identity of a catalogue; if it changes, all facts are decided again.
struct CatalogueIdentityTests {
  private static let whole = """
    products:
      - product_id: pro.monthly
        kind: auto_renewable_subscription
        subscription_group: "20611001"
        subscription_period: P1M
        price_changes: [{currency: USD, from: 2021-09-13, existing_subscribers: preserved}]
        prices: [{currency: EUR, price: "9.99", from: 2020-02-03}]
        offers:
          - {kind: offer_code, identifier: SPRING21, currency: CAD, price: "7.49",
             payment_mode: pay_as_you_go, number_of_periods: 2, subscription_period: P3M}
    proceeds:
      commission: [{storefront: USA, from: 2019-05-06, percent: 30, reduced_percent: 15}]
      small_business: [{from: 2021-01-02, through: 2021-12-30}]
      taxes: [{storefront: DEU, from: 2018-07-08, percent: 19, included: true}]

    """

  private static func identity(_ text: String) throws -> String {
    try CatalogueText.read(path: "c.yaml", text: text).identity
  }

  @Test(arguments: [
    ("pro.monthly", "pro.yearly"), ("auto_renewable", "non_renewing"), ("20611001", "20611002"),
    ("_period: P1M", "_period: P1Y"), ("USD", "GBP"), ("2021-09-13", "2021-09-14"),
    ("preserved", "moved"), ("EUR", "CHF"), ("9.99", "9.98"), ("2020-02-03", "2020-02-04"),
    ("offer_code", "promo"), ("SPRING21", "SPRING22"), ("CAD", "AUD"), ("7.49", "7.48"),
    ("pay_as_you_go", "pay_up_front"), ("periods: 2", "periods: 3"), ("P3M", "P6M"),
    ("USA", "CAN"), ("2019-05-06", "2019-05-07"), ("percent: 30", "percent: 29"),
    ("reduced_percent: 15", "reduced_percent: 14"), ("2021-01-02", "2021-01-03"),
    ("2021-12-30", "2021-12-31"), ("DEU", "FRA"), ("2018-07-08", "2018-07-09"),
    ("percent: 19", "percent: 20"), ("included: true", "included: false"),
    ("number_of_periods: 2, ", ""), (", through: 2021-12-30", ""), ("storefront: DEU, ", ""),
    ("    subscription_group: \"20611001\"\n", ""),
  ])
  func `a catalogue that says something else is another`(old: String, new: String) throws {
    let changed = Self.whole.replacing(old, with: new)
    #expect(changed != Self.whole)
    #expect(try Self.identity(changed) != Self.identity(Self.whole))
  }

  @Test func `order and spelling of entries make no other catalogue`() throws {
    let moved = "# a comment\n\n" + Self.whole.replacing("\"9.99\"", with: "9.990")
    #expect(try Self.identity(moved) == Self.identity(Self.whole))
  }

  @Test func `a name cannot pass for the words around it`() throws {
    let one = "products: [{product_id: \"a 7:product 1:b\"}]"
    let two = "products: [{product_id: a}, {product_id: b}]"
    #expect(try Self.identity(one) != Self.identity(two))
    #expect(try Self.identity("products: [{product_id: a}]") == "7:product 1:a - - -")
  }
}
