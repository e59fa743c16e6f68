import PurchaseModel
import Testing
import TestSupport

/// Rows with a price from the reports of other customers.
let historyCases = [
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
]
