import Amounts
import PaidAmounts
import PurchaseModel
import Testing
import TestSupport

/// A scenario with the expected storefront, its source and the currency of row `a1`, bought on
/// 2022-06-01.
struct PlaceCase: Sendable, CustomTestStringConvertible {
  var story: String
  var expected: String
  var build: @Sendable (inout StoreBuilder) -> Void
  var testDescription: String { story }
}

struct StorefrontTests {
  @Test(arguments: placeCases + currencyCases + runningCases)
  func `storefront and currency come from the nearest evidence`(_ given: PlaceCase) throws {
    let story = try Story(given.build)
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
    ("PRK", "2022-01-01", "-"),
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
  PlaceCase(story: "the customer's report, half a year of two countries", expected: "- unknown -") {
    bought(&$0, storefront: "DEU")
    $0.report(at: "2022-05-20", customer: "ann", storefront: "USA", price: "9.99")
  },
  PlaceCase(story: "neither of two equally near in two countries", expected: "- unknown -") {
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
  PlaceCase(story: "what most voters report there, not the table", expected: "KWT export KWD") {
    bought(&$0, storefront: "KWT")
    currency(&$0, "KWD", by: ["x", "y", "z"], at: "2022-03-04")
    currency(&$0, "USD", by: ["u", "v"], at: "2022-06-15")
  },
  PlaceCase(
    story: "three votes are a change, which takes effect with the first of them",
    expected: "KWT export USD"
  ) {
    bought(&$0, storefront: "KWT")
    currency(&$0, "KWD", by: ["x", "y", "z"], at: "2022-03-04")
    currency(&$0, "USD", by: ["u", "v", "w"], at: "2022-06-01")
  },
  PlaceCase(story: "a second before it is not in force", expected: "KWT export KWD") {
    bought(&$0, storefront: "KWT")
    currency(&$0, "KWD", by: ["x", "y", "z"], at: "2022-03-04")
    currency(&$0, "USD", by: ["u", "v", "w"], at: "2022-06-01T00:00:01Z")
  },
  PlaceCase(
    story: "two votes against three are no change", expected: "KWT export USD"
  ) {
    bought(&$0, storefront: "KWT")
    currency(&$0, "KWD", by: ["x", "y"], at: "2022-03-04")
    currency(&$0, "USD", by: ["u", "v", "w"], at: "2022-06-15")
  },
  PlaceCase(
    story: "of equally many the alphabetically first", expected: "KWT export EUR"
  ) {
    bought(&$0, storefront: "KWT")
    currency(&$0, "KWD", by: ["x", "y"], at: "2022-03-04")
    currency(&$0, "EUR", by: ["u", "v"], at: "2022-06-15")
  },
  PlaceCase(
    story: "of equally many the App Store's own before the alphabetically first",
    expected: "KWT export USD"
  ) {
    bought(&$0, storefront: "KWT")
    currency(&$0, "EUR", by: ["x", "y"], at: "2022-03-04")
    currency(&$0, "USD", by: ["u", "v"], at: "2022-06-15")
  },
  PlaceCase(
    story: "the day on which a law replaced the currency cuts: before it the table tells",
    expected: "BGR export BGN"
  ) {
    bought(&$0, storefront: "BGR")
    currency(&$0, "EUR", by: ["x", "y", "z"], at: "2026-01-05", in: "BGR")
  },
  PlaceCase(
    story: "what was reported before that day tells it, though", expected: "BGR export EUR"
  ) {
    bought(&$0, storefront: "BGR")
    currency(&$0, "EUR", by: ["x", "y", "z"], at: "2022-03-04", in: "BGR")
  },
]

/// Adds reports from a storefront in a currency, more than 60 days from reports in another
/// currency: within 60 days the less frequent currency would be a mismatch.
private func currency(
  _ store: inout StoreBuilder, _ code: String, by voters: [String], at time: String,
  in place: String = "KWT"
) {
  store.votes("9", by: voters, at: time, storefront: place, currency: code)
}

private let runningCases = [
  PlaceCase(
    story: "a running subscription stays where it was bought", expected: "USA inferred USD"
  ) {
    running(&$0)
    $0.report(
      at: "2022-05-01", customer: "ann", naming: "a0", storefront: "USA", price: "9.99")
    $0.report(
      at: "2022-06-01", customer: "ann", storefront: "POL", currency: "PLN", price: "39.99")
  },
  PlaceCase(
    story: "even beside a report elsewhere that names the renewal", expected: "USA inferred USD"
  ) {
    running(&$0)
    $0.report(
      at: "2022-05-01", customer: "ann", naming: "a0", storefront: "USA", price: "9.99")
    $0.report(
      at: "2022-06-01", customer: "ann", naming: "a1", storefront: "POL", currency: "PLN",
      price: "39.99")
  },
  PlaceCase(
    story: "after a lapse two countries within half a year tell nothing", expected: "- unknown -"
  ) {
    running(&$0, until: "2022-03-30")
    $0.report(
      at: "2022-06-01", customer: "ann", storefront: "POL", currency: "PLN", price: "39.99")
  },
  PlaceCase(
    story: "without any storefront the currency stays too", expected: "- unknown EUR"
  ) {
    running(&$0, storefront: nil)
    $0.report(at: "2022-05-01", customer: "ann", product: "max", currency: "EUR", price: "9")
    $0.report(at: "2022-06-01", customer: "ann", product: "max", currency: "CHF", price: "9")
  },
  PlaceCase(
    story: "a storefront that sells in another currency than the row's is not its own",
    expected: "- unknown EUR"
  ) {
    running(&$0, storefront: nil)
    $0.report(at: "2022-05-01", customer: "ann", naming: "a0", currency: "EUR", price: "9")
    $0.report(
      at: "2022-06-01", customer: "ann", product: "max", storefront: "USA", price: "9")
  },
]

/// Adds a month from 1 May (or a month with an earlier end) in the storefront USA, and the month
/// from 1 June.
private func running(
  _ store: inout StoreBuilder, storefront: String? = "USA", until: String = "2022-06-01"
) {
  let first = until == "2022-06-01" ? "2022-05-01" : "2022-02-28"
  store.record(
    at: first, customer: "ann", storefront: storefront,
    latest: [
      StoreRow(
        "a0", of: "a", item: "0", bought: first, until: until, trial: false, intro: false)
    ])
  store.months("a", customer: "ann", from: ["2022-06-01"])
}
