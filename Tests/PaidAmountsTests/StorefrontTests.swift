import Amounts
import PaidAmounts
import PurchaseModel
import Testing
import TestSupport

/// One story a case: storefront, its source and the currency of row `a1`, bought 2022-06-01.
struct PlaceCase: Sendable, CustomTestStringConvertible {
  var story: String
  var expected: String
  var tell: @Sendable (inout StoreBuilder) -> Void
  var testDescription: String { story }
}

struct StorefrontTests {
  @Test(arguments: placeCases + currencyCases)
  func `storefront and currency come from the nearest evidence`(_ given: PlaceCase) throws {
    let story = try Story(given.tell)
    let amount = try story.amount("a1")
    let line =
      "\(amount.storefront?.code ?? "-") \(amount.storefrontSource.rawValue) "
      + (amount.currency?.code ?? "-")
    #expect(line == given.expected)
  }

  @Test(arguments: [
    ("HRV", "2022-12-31T23:59:59Z", "HRK"), ("HRV", "2023-01-01", "EUR"),
    ("HRV", "2016-06-01", "USD"), ("BGR", "2025-12-31", "BGN"), ("BGR", "2026-01-01", "EUR"),
    ("BGR", "2016-06-01", "EUR"), ("KAZ", "2022-01-01", "KZT"), ("RUS", "2022-01-01", "RUB"),
    ("KWT", "2022-01-01", "USD"), ("XKS", "2022-01-01", "EUR"), ("JPN", "2022-01-01", "JPY"),
    ("ZZZ", "2022-01-01", "-"),
  ])
  func `without reports the App Store's own table tells the currency`(
    _ code: String, _ time: String, _ expected: String
  ) throws {
    let story = try Story { store in
      store.record(
        at: time, storefront: code, inApp: [StoreRow("a", product: "coins", bought: time)])
    }
    #expect(try story.amount("a").currency?.code ?? "-" == expected)
  }
}

private func bought(
  _ store: inout StoreBuilder, customer: String? = "ann", at: String = "2022-07-15",
  storefront: String? = nil
) {
  store.months("a", customer: customer, storefront: storefront, from: ["2022-06-01"], at: at)
}

private let placeCases = [
  PlaceCase(story: "the report that names the row tells both", expected: "POL price_report PLN") {
    bought(&$0, storefront: "DEU")
    $0.report(
      at: "2022-06-01", customer: "ann", naming: "a1", storefront: "POL", currency: "PLN",
      price: "39.99")
  },
  PlaceCase(story: "the record around the response", expected: "DEU export EUR") {
    bought(&$0, storefront: "DEU")
  },
  PlaceCase(story: "the customer's nearer report", expected: "USA inferred USD") {
    bought(&$0, storefront: "DEU")
    $0.report(at: "2022-05-20", customer: "ann", storefront: "USA", price: "9.99")
  },
  PlaceCase(story: "of two equally near the earlier", expected: "USA inferred USD") {
    bought(&$0, at: "2022-06-11", storefront: "DEU")
    $0.report(at: "2022-05-22", customer: "ann", storefront: "USA", price: "9.99")
  },
  PlaceCase(story: "of two at one moment the report", expected: "USA inferred USD") {
    bought(&$0, at: "2022-06-11", storefront: "DEU")
    $0.report(at: "2022-06-11", customer: "ann", storefront: "USA", price: "9.99")
  },
  PlaceCase(story: "another chain's record of the customer", expected: "FRA inferred EUR") {
    bought(&$0)
    $0.months("b", customer: "ann", storefront: "FRA", from: ["2022-06-01"], at: "2022-06-02")
  },
  PlaceCase(
    story: "one record with two chains is the record around both", expected: "FRA export EUR"
  ) {
    $0.record(
      at: "2022-06-02", customer: "ann", storefront: "FRA",
      latest: ["z", "a"].map {
        StoreRow(
          $0 + "1", of: $0, item: $0, bought: "2022-06-01", until: "2022-07-01", trial: false,
          intro: false)
      })
  },
  PlaceCase(story: "without a customer the chain's record", expected: "FRA export EUR") {
    bought(&$0, customer: nil, storefront: "FRA")
  },
  PlaceCase(story: "another customer's record tells nothing", expected: "- unknown -") {
    bought(&$0)
    $0.months("b", customer: "bob", storefront: "FRA", from: ["2022-06-01"], at: "2022-06-02")
  },
  PlaceCase(
    story: "a mismatched report tells the storefront, others the currency",
    expected: "USA price_report USD"
  ) {
    bought(&$0)
    $0.votes("9.99", by: ["x", "y", "z"], at: "2022-06-01", storefront: "USA")
    $0.report(
      at: "2022-06-01", customer: "ann", naming: "a1", storefront: "USA", currency: "EUR",
      price: "9.99")
  },
  PlaceCase(
    story: "an implausible report still tells both", expected: "USA price_report USD"
  ) {
    bought(&$0)
    $0.votes("9.99", by: ["x", "y", "z"], at: "2022-06-01", storefront: "USA")
    $0.report(
      at: "2022-06-01", customer: "ann", naming: "a1", storefront: "USA", price: "9999")
  },
]

private let currencyCases = [
  PlaceCase(
    story: "without any storefront the customer's nearest report", expected: "- unknown CHF"
  ) {
    bought(&$0)
    $0.report(at: "2022-05-01", customer: "ann", product: "max", currency: "EUR", price: "9")
    $0.report(at: "2022-06-20", customer: "ann", product: "max", currency: "CHF", price: "9")
  },
  PlaceCase(story: "of equally near ones the earlier", expected: "- unknown EUR") {
    bought(&$0)
    $0.report(at: "2022-05-31", customer: "ann", product: "max", currency: "EUR", price: "9")
    $0.report(at: "2022-06-02", customer: "ann", product: "max", currency: "CHF", price: "9")
  },
  PlaceCase(
    story: "most voters of the storefront within 180 days, not the table",
    expected: "KWT export KWD"
  ) {
    bought(&$0, storefront: "KWT")
    $0.votes("3", by: ["x", "y"], at: "2022-11-28", storefront: "KWT", currency: "KWD")
    $0.votes("9", by: ["u", "v", "w"], at: "2022-11-29", storefront: "KWT", currency: "USD")
  },
  PlaceCase(
    story: "180 days before to the second still count", expected: "KWT export KWD"
  ) {
    bought(&$0, storefront: "KWT")
    $0.votes("3", by: ["x", "y"], at: "2021-12-03", storefront: "KWT", currency: "KWD")
    $0.votes(
      "9", by: ["u", "v", "w"], at: "2021-12-02T23:59:59Z", storefront: "KWT", currency: "USD")
  },
  PlaceCase(
    story: "else most voters ever", expected: "KWT export USD"
  ) {
    bought(&$0, storefront: "KWT")
    $0.votes("3", by: ["x", "y"], at: "2022-11-29", storefront: "KWT", currency: "KWD")
    $0.votes("9", by: ["u", "v", "w"], at: "2022-11-29", storefront: "KWT", currency: "USD")
  },
  PlaceCase(
    story: "of equally many the alphabetically first", expected: "KWT export EUR"
  ) {
    bought(&$0, storefront: "KWT")
    $0.votes("3", by: ["x", "y"], at: "2022-06-01", storefront: "KWT", currency: "KWD")
    $0.votes("9", by: ["u", "v"], at: "2022-06-02", storefront: "KWT", currency: "EUR")
  },
  PlaceCase(
    story: "of equally many the App Store's own before the alphabetically first",
    expected: "KWT export USD"
  ) {
    bought(&$0, storefront: "KWT")
    $0.votes("3", by: ["x", "y"], at: "2022-06-01", storefront: "KWT", currency: "KWD")
    $0.votes("9", by: ["u", "v"], at: "2022-06-02", storefront: "KWT", currency: "USD")
  },
  PlaceCase(
    story: "the App Store's own currency loses to one voter more", expected: "KWT export KWD"
  ) {
    bought(&$0, storefront: "KWT")
    $0.votes("3", by: ["w", "x", "y"], at: "2022-06-01", storefront: "KWT", currency: "KWD")
    $0.votes("9", by: ["u", "v"], at: "2022-06-02", storefront: "KWT", currency: "USD")
  },
]
