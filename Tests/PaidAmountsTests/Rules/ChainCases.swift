import Testing
import TestSupport

/// Two months at the introductory price.
let introRows = [
  StoreRow(
    "a1", of: "a", item: "i1", bought: "2022-01-01", until: "2022-02-01", trial: false,
    intro: true),
  StoreRow(
    "a2", of: "a", item: "i2", bought: "2022-02-01", until: "2022-03-01", trial: false,
    intro: true),
]

/// Rows priced by earlier rows of their chain.
let chainCases = [
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
    store.votes("12.99", by: ["dan", "fay", "gil"], at: "2022-05-01", storefront: "USA")
  },
]
