import PaidAmounts
import PurchaseModel
import Testing
import TestSupport

/// One story a row: what the row comes to, worked out by hand.
struct RuleCase: Sendable, CustomTestStringConvertible {
  var story: String
  var row: String
  var expected: String
  var tell: @Sendable (inout StoreBuilder) -> Void
  var testDescription: String { story }
}

struct RuleTests {
  @Test(arguments: freeCases + namingCases + chainCases + customerCases + historyCases + listCases)
  func `a row is priced by the first rule that applies`(_ given: RuleCase) throws {
    let story = try Story(given.tell)
    #expect(try story.line(given.row) == given.expected)
  }
}

private let freeCases = [
  RuleCase(
    story: "a trial is free even when the app reports the full price with it", row: "a",
    expected: "0.00 USD zero_by_rule free_trial"
  ) { store in
    store.record(
      at: "2022-01-01",
      latest: [
        StoreRow("a", item: "i", bought: "2022-01-01", until: "2022-01-08", trial: true)
      ])
    store.report(at: "2022-01-01", naming: "a", price: "9.99")
  },
  RuleCase(
    story: "both flags true, as since 2024, is still a free trial; no currency is known", row: "a",
    expected: "0.00 zero_by_rule free_trial"
  ) { store in
    store.record(
      at: "2024-06-01",
      latest: [
        StoreRow(
          "a", item: "i", bought: "2024-06-01", until: "2024-06-08", trial: true, intro: true)
      ])
  },
  RuleCase(
    story: "an offer code under the trial flag is a free offer", row: "a",
    expected: "0.00 zero_by_rule free_offer"
  ) { store in
    store.record(
      at: "2022-01-01",
      latest: [
        StoreRow(
          "a", item: "i", bought: "2022-01-01", until: "2022-02-01", trial: true, code: "SPRING")
      ])
  },
  RuleCase(
    story: "two products under one line item are a conflict, whatever names it", row: "a",
    expected: "[0.00, ?] USD conflict conflict"
  ) { store in
    store.record(
      at: "2022-01-01",
      inApp: [StoreRow("a", item: "i", product: "pro", bought: "2022-01-01", until: "2022-02-01")],
      latest: [
        StoreRow("a", item: "i", product: "plus", bought: "2022-01-01", until: "2022-02-01")
      ])
    store.report(at: "2022-01-01", naming: "a", product: "pro", price: "9.99")
    store.report(at: "2022-01-01", naming: "a", product: "plus", price: "9.99")
  },
]

private let namingCases = [
  RuleCase(
    story: "a report that names the row, confirmed by another customer, is exact", row: "a1",
    expected: "9.99 USD exact reported_with_purchase"
  ) { store in
    store.months("a", customer: "ann", from: ["2022-01-01"])
    store.report(at: "2022-01-01", customer: "ann", naming: "a1", price: "9.99")
    store.report(at: "2022-01-02", customer: "bob", price: "9.99")
  },
  RuleCase(
    story: "the same without anybody to compare with is derived", row: "a1",
    expected: "9.99 USD derived reported_with_purchase"
  ) { store in
    store.months("a", customer: "ann", from: ["2022-01-01"])
    store.report(at: "2022-01-01", customer: "ann", naming: "a1", price: "9.99")
  },
  RuleCase(
    story: "the catalogue's list price is enough of a reference to be exact", row: "a1",
    expected: "9.99 USD exact reported_with_purchase"
  ) { store in
    store.product("pro", prices: [("USD", "9.99", "2020-01-01")])
    store.months("a", customer: "ann", from: ["2022-01-01"])
    store.report(at: "2022-01-01", customer: "ann", naming: "a1", price: "9.99")
  },
  RuleCase(
    story: "three of a consumable cost three times 0.99 = 2.97", row: "a",
    expected: "2.97 USD exact reported_with_purchase"
  ) { store in
    store.record(
      at: "2022-01-01",
      inApp: [StoreRow("a", product: "coins", bought: "2022-01-01", quantity: 3)])
    store.report(at: "2022-01-01", customer: "ann", naming: "a", product: "coins", price: "0.99")
    store.report(at: "2022-01-02", customer: "bob", product: "coins", price: "0.99")
  },
  RuleCase(
    story: "yen have no decimals: 1200 JPY", row: "a1",
    expected: "1200 JPY exact reported_with_purchase"
  ) { store in
    store.months("a", customer: "ann", storefront: "JPN", from: ["2022-01-01"])
    store.report(
      at: "2022-01-01", customer: "ann", naming: "a1", storefront: "JPN", currency: "JPY",
      price: "1200")
    store.votes("1200", by: ["bob"], at: "2022-01-02", storefront: "JPN", currency: "JPY")
  },
  RuleCase(
    story: "dinars have three: 2.990 KWD", row: "a1",
    expected: "2.990 KWD exact reported_with_purchase"
  ) { store in
    store.months("a", customer: "ann", from: ["2022-01-01"])
    store.report(
      at: "2022-01-01", customer: "ann", naming: "a1", currency: "KWD", price: "2.99")
    store.votes("2.99", by: ["bob"], at: "2022-01-02", currency: "KWD")
  },
  RuleCase(
    story: "a report may name any alias of the purchase, here the id inside in_app", row: "a1",
    expected: "9.99 USD exact reported_with_purchase"
  ) { store in
    store.record(
      at: "2022-01-01", customer: "ann",
      inApp: [
        StoreRow("twin", of: "a", item: "i", bought: "2022-01-01", until: "2022-02-01")
      ],
      latest: [StoreRow("a1", of: "a", item: "i", bought: "2022-01-01", until: "2022-02-01")])
    store.report(at: "2022-01-01", customer: "ann", naming: "twin", price: "9.99")
    store.report(at: "2022-01-02", customer: "bob", price: "9.99")
  },
  RuleCase(
    story: "a report of another product names nothing", row: "a1",
    expected: "[0.00, ?] unresolved unresolved"
  ) { store in
    store.months("a", from: ["2022-01-01"])
    store.report(at: "2022-01-01", naming: "a1", product: "plus", price: "9.99")
  },
  RuleCase(
    story: "of two naming reports of one customer the one made nearest to the purchase counts",
    row: "a1", expected: "9.99 USD exact reported_with_purchase"
  ) { store in
    store.months("a", customer: "ann", from: ["2022-01-01"])
    store.report(at: "2022-08-01", customer: "ann", naming: "a1", price: "12.99")
    store.report(at: "2022-01-02", customer: "ann", naming: "a1", price: "9.99")
    store.report(at: "2022-01-03", customer: "bob", price: "9.99")
  },
  RuleCase(
    story: "two customers outvote one who names the same row with another price", row: "a1",
    expected: "9.99 USD exact reported_with_purchase"
  ) { store in
    store.months("a", customer: "ann", from: ["2022-01-01"])
    store.report(at: "2022-01-01", customer: "eve", naming: "a1", price: "12.99")
    store.report(at: "2022-01-02", customer: "ann", naming: "a1", price: "9.99")
    store.report(at: "2022-01-03", customer: "bob", naming: "a1", price: "9.99")
  },
  RuleCase(
    story: "one against one is settled by nearness and claims no exactness", row: "a1",
    expected: "9.99 USD derived reported_with_purchase"
  ) { store in
    store.months("a", customer: "ann", from: ["2022-01-01"])
    store.report(at: "2022-01-02", customer: "eve", naming: "a1", price: "12.99")
    store.report(at: "2022-01-01", customer: "ann", naming: "a1", price: "9.99")
    store.votes("9.99", by: ["bob", "cid"], at: "2022-01-03")
  },
  RuleCase(
    story: "a report for an intro row counts only with an introductory price", row: "a",
    expected: "[0.00, 9.99] USD unresolved unresolved"
  ) { store in
    store.product("pro", period: "P1M")
    store.record(
      at: "2022-01-01",
      latest: [
        StoreRow(
          "a", item: "i", bought: "2022-01-01", until: "2022-02-01", trial: false, intro: true)
      ])
    store.report(at: "2022-01-01", naming: "a", price: "9.99")
  },
  RuleCase(
    story: "an introductory price up front pays for all three months at once", row: "a",
    expected: "4.99 USD exact reported_with_purchase"
  ) { store in
    store.record(
      at: "2022-01-01",
      latest: [
        StoreRow(
          "a", item: "i", bought: "2022-01-01", until: "2022-04-01", trial: false, intro: true)
      ])
    store.report(
      at: "2022-01-01", customer: "ann", naming: "a", price: "9.99",
      offers: [StoreOffer(price: "4.99", mode: .payUpFront, count: 3)])
    store.votes("9.99", by: ["bob"], at: "2022-01-02")
  },
  RuleCase(
    story: "a paid intro row never takes a free trial's price", row: "a",
    expected: "[0.00, 9.99] USD unresolved unresolved"
  ) { store in
    store.product("pro", period: "P1M")
    store.record(
      at: "2022-01-01",
      latest: [
        StoreRow(
          "a", item: "i", bought: "2022-01-01", until: "2022-02-01", trial: false, intro: true)
      ])
    store.report(
      at: "2022-01-01", naming: "a", price: "9.99",
      offers: [StoreOffer(price: "0", mode: .freeTrial)])
  },
  RuleCase(
    story: "a promotional row takes the discount of its own id", row: "a",
    expected: "3.99 USD exact reported_with_purchase"
  ) { store in
    store.record(
      at: "2022-01-01",
      latest: [
        StoreRow(
          "a", item: "i", bought: "2022-01-01", until: "2022-02-01", trial: false, intro: false,
          promo: "win60")
      ])
    store.report(
      at: "2022-01-01", customer: "ann", naming: "a", price: "9.99",
      offers: [StoreOffer("win50", price: "4.99"), StoreOffer("win60", price: "3.99")])
    store.votes("9.99", by: ["bob"], at: "2022-01-02")
  },
  RuleCase(
    story: "an offer code is found under its reference name", row: "a",
    expected: "2.99 USD exact reported_with_purchase"
  ) { store in
    store.record(
      at: "2022-01-01",
      latest: [
        StoreRow(
          "a", item: "i", bought: "2022-01-01", until: "2022-02-01", trial: false, intro: false,
          code: "SPRING")
      ])
    store.report(
      at: "2022-01-01", customer: "ann", naming: "a", price: "9.99",
      offers: [StoreOffer("SPRING", price: "2.99")])
    store.votes("9.99", by: ["bob"], at: "2022-01-02")
  },
  RuleCase(
    story: "a lone liar within a third and three times the price is what the rule accepts",
    row: "a1", expected: "3.33 USD exact reported_with_purchase"
  ) { store in
    store.months("a", customer: "eve", from: ["2022-01-01"])
    store.report(at: "2022-01-01", customer: "eve", naming: "a1", price: "3.33")
    store.votes("9.99", by: ["bob", "cid", "dan"], at: "2022-01-01")
  },
  RuleCase(
    story: "a milliunit below a third is not believed; the price in force is booked", row: "a1",
    expected: "9.99 USD inferred price_history"
  ) { store in
    store.months("a", customer: "eve", from: ["2022-01-01"])
    store.report(at: "2022-01-01", customer: "eve", naming: "a1", price: "3.329")
    store.votes("9.99", by: ["bob", "cid", "dan"], at: "2022-01-01")
  },
]

private let introRows = [
  StoreRow(
    "a1", of: "a", item: "i1", bought: "2022-01-01", until: "2022-02-01", trial: false,
    intro: true),
  StoreRow(
    "a2", of: "a", item: "i2", bought: "2022-02-01", until: "2022-03-01", trial: false,
    intro: true),
]

private let chainCases = [
  RuleCase(
    story: "the second month of an intro costs what the first did", row: "a2",
    expected: "0.99 USD derived same_offer"
  ) { store in
    store.record(at: "2022-03-01", customer: "ann", latest: introRows)
    store.report(
      at: "2022-01-01", customer: "ann", naming: "a1", price: "9.99",
      offers: [StoreOffer(price: "0.99", count: 3)])
    store.votes("9.99", by: ["bob"], at: "2022-01-01")
  },
  RuleCase(
    story: "an inferred first month leaves the second inferred", row: "a2",
    expected: "0.99 USD inferred same_offer"
  ) { store in
    store.record(at: "2022-03-01", customer: "ann", storefront: "USA", latest: introRows)
    store.votes(
      "9.99", by: ["bob", "cid"], at: "2022-01-01", storefront: "USA",
      offers: [StoreOffer(price: "0.99", count: 3)])
  },
  RuleCase(
    story: "a free month of an offer prices no paid one", row: "a2",
    expected: "[0.00, ?] unresolved unresolved"
  ) { store in
    store.record(
      at: "2022-03-01",
      latest: [
        StoreRow(
          "a1", of: "a", item: "i1", bought: "2022-01-01", until: "2022-02-01", trial: true,
          promo: "win"),
        StoreRow(
          "a2", of: "a", item: "i2", bought: "2022-02-01", until: "2022-03-01", trial: false,
          promo: "win"),
      ])
  },
  RuleCase(
    story: "a renewal costs what the month before did", row: "a3",
    expected: "9.99 USD derived previous_renewal"
  ) { store in
    store.months("a", customer: "ann", from: ["2022-01-01", "2022-02-01", "2022-03-01"])
    store.report(at: "2022-01-01", customer: "ann", naming: "a1", price: "9.99")
    store.votes("9.99", by: ["bob"], at: "2022-01-01")
  },
  RuleCase(
    story: "a renewal after an inferred month is inferred", row: "a2",
    expected: "9.99 USD inferred previous_renewal"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: ["2022-01-01", "2022-02-01"])
    store.votes("9.99", by: ["bob", "cid"], at: "2022-01-01", storefront: "USA")
  },
  RuleCase(
    story: "a renewal after a configured month is configured", row: "a2",
    expected: "9.99 USD configured previous_renewal"
  ) { store in
    store.product("pro", prices: [("USD", "9.99", "2020-01-01")])
    store.months("a", customer: "ann", storefront: "USA", from: ["2022-01-01", "2022-02-01"])
  },
  RuleCase(
    story: "a month after a gap of more than 60 days starts anew at the price in force", row: "a2",
    expected: "12.99 USD inferred price_history"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: ["2022-01-01", "2022-06-01"])
    store.report(at: "2022-01-01", customer: "ann", naming: "a1", price: "9.99")
    store.votes("9.99", by: ["bob", "cid"], at: "2022-01-01", storefront: "USA")
    store.votes("12.99", by: ["dan", "fay"], at: "2022-05-01", storefront: "USA")
  },
]

private let customerCases = [
  RuleCase(
    story: "the customer's own report of the day before prices an unnamed purchase", row: "a1",
    expected: "9.99 USD derived customer_report"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: ["2022-01-02"])
    store.report(at: "2022-01-01", customer: "ann", storefront: "USA", price: "9.99")
  },
  RuleCase(
    story: "so does the first within 24 hours after", row: "a1",
    expected: "9.99 USD derived customer_report"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: ["2022-01-02"])
    store.report(at: "2022-01-03", customer: "ann", storefront: "USA", price: "9.99")
  },
  RuleCase(
    story: "a second later it is only history", row: "a1",
    expected: "9.99 USD inferred price_history"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: ["2022-01-02"])
    store.report(at: "2022-01-03T00:00:01Z", customer: "ann", storefront: "USA", price: "9.99")
  },
  RuleCase(
    story: "a price change between report and purchase leaves it to the history", row: "a1",
    expected: "12.99 USD inferred price_history"
  ) { store in
    store.months("a", customer: "ann", storefront: "USA", from: ["2022-02-02"])
    store.report(at: "2022-01-01", customer: "ann", storefront: "USA", price: "9.99")
    store.votes("9.99", by: ["bob"], at: "2022-01-01", storefront: "USA")
    store.votes("12.99", by: ["cid", "dan"], at: "2022-02-01", storefront: "USA")
  },
  RuleCase(
    story: "without a customer a report that names another row of the chain serves", row: "a1",
    expected: "0.99 USD derived customer_report"
  ) { store in
    store.record(
      at: "2022-03-01",
      latest: [
        introRows[0],
        StoreRow(
          "a0", of: "a", item: "i0", bought: "2021-12-20", until: "2021-12-27", trial: true),
      ])
    store.report(
      at: "2021-12-20", naming: "a0", price: "9.99", offers: [StoreOffer(price: "0.99")])
  },
]

private let historyCases = [
  RuleCase(
    story: "the price in force is read in the storefront's currency", row: "a1",
    expected: "39.99 PLN inferred price_history"
  ) { store in
    store.months("a", customer: "ann", storefront: "POL", from: ["2022-01-02"])
    store.votes("39.99", by: ["bob", "cid"], at: "2022-01-01", storefront: "POL", currency: "PLN")
    store.votes("9.99", by: ["dan", "eve"], at: "2022-01-01", storefront: "USA")
  },
  RuleCase(
    story: "an intro price of another storefront is not taken", row: "a1",
    expected: "[0.00, 9.99] EUR unresolved unresolved"
  ) { store in
    store.product("pro", period: "P1M")
    store.record(at: "2022-02-01", customer: "ann", storefront: "DEU", latest: [introRows[0]])
    store.votes(
      "9.99", by: ["bob", "cid"], at: "2022-01-01", storefront: "FRA", currency: "EUR",
      offers: [StoreOffer(price: "0.99")])
  },
  RuleCase(
    story: "an offer up front for three months does not price a row of one", row: "a1",
    expected: "[0.00, 9.99] EUR unresolved unresolved"
  ) { store in
    store.product("pro", period: "P1M")
    store.record(at: "2022-02-01", customer: "ann", storefront: "DEU", latest: [introRows[0]])
    store.votes(
      "9.99", by: ["bob", "cid"], at: "2022-01-01", storefront: "DEU", currency: "EUR",
      offers: [StoreOffer(price: "2.99", mode: .payUpFront, count: 3)])
  },
  RuleCase(
    story: "without periods a row of the product's own length was paid as you go", row: "a1",
    expected: "0.99 EUR inferred price_history"
  ) { store in
    store.product("pro", period: "P1M")
    store.record(at: "2022-02-01", customer: "ann", storefront: "DEU", latest: [introRows[0]])
    store.votes(
      "9.99", by: ["bob", "cid"], at: "2022-01-01", storefront: "DEU", currency: "EUR",
      offers: [StoreOffer(price: "0.99", count: nil, period: nil)])
    store.votes(
      "9.99", by: ["dan", "eve"], at: "2022-01-01", storefront: "DEU", currency: "EUR",
      offers: [StoreOffer(price: "2.99", mode: .payUpFront, count: nil, period: nil)])
  },
  RuleCase(
    story: "two modes that fit one month and differ in price decide nothing", row: "a1",
    expected: "[0.00, 9.99] EUR unresolved unresolved"
  ) { store in
    store.product("pro", period: "P1M")
    store.record(at: "2022-02-01", customer: "ann", storefront: "DEU", latest: [introRows[0]])
    store.votes(
      "9.99", by: ["bob", "cid"], at: "2022-01-01", storefront: "DEU", currency: "EUR",
      offers: [StoreOffer(price: "0.99", count: 1)])
    store.votes(
      "9.99", by: ["dan", "eve"], at: "2022-01-01", storefront: "DEU", currency: "EUR",
      offers: [StoreOffer(price: "2.99", mode: .payUpFront, count: 1)])
  },
  RuleCase(
    story: "a promotional offer others reported is inferred", row: "a",
    expected: "4.99 USD inferred price_history"
  ) { store in
    store.record(
      at: "2022-01-05", customer: "ann", storefront: "USA",
      latest: [
        StoreRow(
          "a", item: "i", bought: "2022-01-05", until: "2022-02-05", trial: false, promo: "win50")
      ])
    store.votes(
      "9.99", by: ["bob"], at: "2022-01-01", storefront: "USA",
      offers: [StoreOffer("win50", price: "4.99")])
  },
  RuleCase(
    story: "history multiplies by the quantity: 5 × 0.99 = 4.95", row: "a",
    expected: "4.95 USD inferred price_history"
  ) { store in
    store.record(
      at: "2022-01-05", customer: "ann", storefront: "USA",
      inApp: [StoreRow("a", product: "coins", bought: "2022-01-05", quantity: 5)])
    store.votes("0.99", by: ["bob"], at: "2022-01-01", product: "coins", storefront: "USA")
  },
]

private let codeRow = StoreRow(
  "a", item: "i", bought: "2022-01-05", until: "2022-02-05", trial: false, code: "SPRING")

private let listCases = [
  RuleCase(
    story: "the catalogue prices an offer code that no phone saw", row: "a",
    expected: "7.99 USD configured catalogue_offer"
  ) { store in
    store.product("pro", offers: [StoreOffer("SPRING", price: "7.99", count: 2)])
    store.record(at: "2022-01-05", storefront: "USA", latest: [codeRow])
  },
  RuleCase(
    story: "but not in another currency", row: "a",
    expected: "[0.00, ?] EUR unresolved unresolved"
  ) { store in
    store.product("pro", offers: [StoreOffer("SPRING", price: "7.99", count: 2)])
    store.record(at: "2022-01-05", storefront: "DEU", latest: [codeRow])
  },
  RuleCase(
    story: "the list price in force on the day of purchase, from midnight UTC", row: "a1",
    expected: "11.99 USD configured catalogue_price"
  ) { store in
    store.product(
      "pro", prices: [("USD", "9.99", "2020-01-01"), ("USD", "11.99", "2022-01-01")])
    store.months("a", storefront: "USA", from: ["2022-01-01"])
  },
  RuleCase(
    story: "a second before midnight the older list price holds", row: "a1",
    expected: "9.99 USD configured catalogue_price"
  ) { store in
    store.product(
      "pro", prices: [("USD", "9.99", "2020-01-01"), ("USD", "11.99", "2022-01-01")])
    store.record(
      at: "2022-01-01", storefront: "USA",
      latest: [
        StoreRow(
          "a1", item: "i", bought: "2021-12-31T23:59:59Z", until: "2022-01-31T23:59:59Z",
          trial: false, intro: false)
      ])
  },
  RuleCase(
    story: "an offer row never takes the list price; it bounds it: three months at 9.99", row: "a",
    expected: "[0.00, 29.97] USD unresolved unresolved"
  ) { store in
    store.product("pro", period: "P1M", prices: [("USD", "9.99", "2020-01-01")])
    store.record(
      at: "2022-01-05", storefront: "USA",
      latest: [
        StoreRow(
          "a", item: "i", bought: "2022-01-05", until: "2022-04-05", trial: false, code: "SPRING")
      ])
  },
  RuleCase(
    story: "a product whose period nobody knows bounds nothing", row: "a",
    expected: "[0.00, ?] USD unresolved unresolved"
  ) { store in
    store.product("pro", prices: [("USD", "9.99", "2020-01-01")])
    store.record(at: "2022-01-05", storefront: "USA", latest: [codeRow])
  },
  RuleCase(
    story: "nothing known at all", row: "a1", expected: "[0.00, ?] unresolved unresolved"
  ) { store in
    store.months("a", from: ["2022-01-01"])
  },
]
