internal import Amounts
internal import CivilTime
internal import Diagnostics
@testable internal import Pipeline
internal import PurchaseModel
internal import Testing

struct CatalogueReadingTests {
  private func read(_ text: String) throws(RunFailure) -> CatalogueText {
    try CatalogueText.read(path: "catalog.yaml", text: text)
  }

  private func refusal(_ text: String) -> String? {
    do throws(RunFailure) {
      _ = try read(text)
      return nil
    } catch {
      return error.status == .badConfiguration ? error.message : nil
    }
  }

  private static let full = """
    products:
      - product_id: pro.monthly
        kind: auto_renewable_subscription
        subscription_group: "20611001"
        subscription_period: P1M
        price_changes:
          - {currency: USD, from: 2021-05-01, existing_subscribers: preserved}
        prices:
          - {currency: USD, price: "12.99", from: 2021-05-01}
          - {currency: USD, price: 9.990, from: 2020-01-01}
        offers:
          - {kind: offer_code, identifier: SPRING21, currency: USD, price: "7.99",
             payment_mode: pay_as_you_go, number_of_periods: 2, subscription_period: P1M}
      - product_id: coins
    """

  @Test func `every key of a product is read`() throws {
    let catalogue = try read(Self.full)
    #expect(catalogue.products.map(\.productID) == ["pro.monthly", "coins"])
    let product = catalogue.products[0]
    #expect(product.kind == .autoRenewableSubscription)
    #expect(product.subscriptionGroupID == "20611001")
    #expect(product.subscriptionPeriod == Period(1, .month))
    #expect(product.priceChanges.map(\.existingSubscribers) == [.preserved])
    #expect(product.prices.map(\.price.rawValue) == [12_990, 9_990])
    let offer = try #require(product.offers.first)
    #expect(offer.kind == .offerCode)
    #expect(offer.price.rawValue == 7_990)
    #expect(offer.paymentMode == .payAsYouGo)
    #expect(offer.numberOfPeriods == 2)
    #expect(catalogue.texts == ["20611001", "SPRING21", "coins", "pro.monthly"])
  }

  @Test func `a renamed product names the id under which it is sold now`() throws {
    let text = try read("products: [{product_id: pro.old, same_as: pro.new}]")
    #expect(text.products[0].sameAs == "pro.new")
    var symbols = SymbolTable()
    for name in text.texts { _ = symbols.intern(name) }
    #expect(text.catalogue(in: symbols).products.values.map(\.naming.sameAs) == ["pro.new"])
    #expect(
      refusal("products:\n  - product_id: pro\n    same_as: pro")?.contains(
        "catalog.yaml:3") == true)
  }

  @Test func `names become symbols, and prices stand by currency and day`() throws {
    let text = try read(Self.full)
    var symbols = SymbolTable()
    for name in text.texts { _ = symbols.intern(name) }
    let catalogue = text.catalogue(in: symbols)
    let product = ProductID(try #require(symbols.symbol("pro.monthly")))
    let prices = try #require(catalogue.products[product]).prices
    #expect(prices.map(\.from.text) == ["2020-01-01", "2021-05-01"])
    #expect(prices.map(\.price.rawValue) == [9_990, 12_990])
    let code = OfferID(try #require(symbols.symbol("SPRING21")))
    #expect(catalogue.hasOfferCode(code, of: product))
  }

  @Test func `a price or a change may be one storefront's`() throws {
    // There is also a price for all storefronts of the currency, from the same day.
    let catalogue = try read(
      """
      products:
      - product_id: p
        prices:
        - {currency: EUR, price: "9.99", from: 2023-05-01}
        - {currency: EUR, price: "10.99", from: 2023-05-01, storefront: FRA}
        price_changes:
        - {currency: EUR, from: 2023-05-01, existing_subscribers: moved}
        - {currency: EUR, from: 2023-05-01, existing_subscribers: preserved, storefront: fra}
      """)
    let product = catalogue.products[0]
    #expect(product.prices.map(\.storefront?.code) == [nil, "FRA"])
    #expect(product.priceChanges.map(\.storefront?.code) == [nil, "FRA"])
    #expect(product.priceChanges.map(\.existingSubscribers) == [.moved, .preserved])
  }

  @Test(arguments: [
    ("\"12.99\"", 12_990), ("12.99", 12_990), ("0.29", 290), ("1.1", 1_100), ("120", 120_000),
    ("'0'", 0), ("1.250", 1_250), ("450359962.370", 450_359_962_370),
  ])
  func `a price is taken from its digits, quoted or not`(_ price: String, _ milli: Int64) throws {
    let catalogue = try read(
      "products: [{product_id: p, prices: [{currency: KWD, price: \(price), from: 2020-01-01}]}]")
    #expect(catalogue.products[0].prices[0].price == Milliunits(milli))
  }

  @Test(arguments: ["12.9999", "1e3", "-1", "\"12,99\"", ".inf", "0x10", "1_000", "free"])
  func `a price that is not exact is refused`(_ price: String) throws {
    let message = try #require(
      refusal(
        "products:\n- product_id: p\n  prices:\n  - {currency: USD, price: \(price), from: "
          + "2020-01-01}"
      ))
    #expect(message.hasPrefix("catalog.yaml:4: expected products[1].prices[1].price to be a price"))
  }

  @Test(arguments: [
    ("products: [{product_id: p, prise: []}]", "did you mean \"prices\"?"),
    ("products: [{kind: consumable}]", "expected products[1].product_id to be a product's id"),
    ("products: [{product_id: p}, {product_id: p}]", "a product not listed before, found \"p\""),
    ("products: [{product_id: p, kind: subscription}]", "found \"subscription\""),
    ("products: [{product_id: p, subscription_period: 1M}]", "an ISO 8601 period such as P1M"),
    (
      "products: [{product_id: p, prices: [{currency: USD, price: 1, from: 2021-02-30}]}]",
      "a day such as 2021-05-01, found \"2021-02-30\""
    ),
    (
      """
      products: [{product_id: p, prices: [{currency: USD, price: 1, from: 2021-01-01}, \
      {currency: usd, price: 2, from: 2021-01-01}]}]
      """, "the only entry for its currency, storefront and day, found \"USD 2021-01-01\""
    ),
    (
      """
      products: [{product_id: p, price_changes: [ \
      {currency: EUR, storefront: FRA, from: 2021-01-01, existing_subscribers: moved}, \
      {currency: EUR, storefront: fra, from: 2021-01-01, existing_subscribers: preserved}]}]
      """, "storefront and day, found \"EUR FRA 2021-01-01\""
    ),
    (
      """
      products: [{product_id: p, prices: [ \
      {currency: EUR, price: 1, from: 2021-01-01, storefront: Atlantis}]}]
      """, "a storefront by its country's code, such as FRA, found \"Atlantis\""
    ),
    (
      "promo_codes: [{product_id: p, from: 2021-05-02, to: 2021-05-01}]",
      "the day of the key from, or a later day, found \"2021-05-01\""
    ),
    (
      "rebased: [{currency: HUF, from: 2021-05-02, factor: 50}]",
      "the number of old units in one new unit: 10, 100, 1000 or 0.1, 0.01, 0.001, found \"50\""
    ),
    (
      """
      rebased: [{currency: HUF, from: 2021-05-02, factor: 10}, \
      {currency: HUF, from: 2021-05-02, factor: 100}]
      """, "the only line for its currency and day"
    ),
    ("products: [{product_id: \"a\\x01b\"}]", "found \"a\\u{1}b\""),
  ])
  func `a wrong catalogue is refused with what was expected`(_ text: String, _ ending: String)
    throws
  {
    let message = try #require(refusal(text))
    #expect(message.hasPrefix("catalog.yaml:1: "))
    #expect(message.contains(ending))
  }

  @Test func `promo codes and rebased currencies stand beside the products`() throws {
    let catalogue = try read(
      """
      products: [{product_id: pro}]
      promo_codes:
        - {product_id: pro, from: 2021-05-01, to: 2021-05-31}
        - {product_id: coins, from: 2021-06-01}
      rebased:
        - {currency: HUF, from: 2022-01-01, factor: 0.001}
        - {currency: HUF, from: 2021-01-01, factor: 100}
      """)
    #expect(catalogue.products.map(\.productID) == ["pro", "coins"])
    #expect(
      catalogue.products.map { $0.promoCodes.map(\.from.text) } == [["2021-05-01"], ["2021-06-01"]])
    #expect(
      catalogue.products.map { $0.promoCodes.map { $0.to?.text } } == [["2021-05-31"], [nil]])
    #expect(catalogue.rebased.map(\.factor.text) == ["100", "0.001"])
    // By a factor of 100, 1,290 HUF are 12.90; by a factor of 0.001, 12.90 are 12,900.
    #expect(catalogue.rebased[0].factor.rebased(Milliunits(1_290_000)) == Milliunits(12_900))
    #expect(catalogue.rebased[1].factor.rebased(Milliunits(12_900)) == Milliunits(12_900_000))
    #expect(catalogue.rebased[0].factor.rebased(Milliunits(12_345)) == nil)
  }

  @Test func `an empty list of products is a catalogue`() throws {
    #expect(try read("products: []\n").products.isEmpty)
  }
}
