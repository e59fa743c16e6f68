import Testing
import TestSupport

/// Rows with a report that has their transaction id.
let namingCases = [
  RuleCase(
    story: "a report that names the row, confirmed by two other customers, is exact", row: "a1",
    expected: "9.99 USD exact reported_with_purchase"
  ) { store in
    store.months("a", customer: "ann", from: ["2022-01-01"])
    store.report(at: "2022-01-01", customer: "ann", naming: "a1", price: "9.99")
    store.votes("9.99", by: ["bob", "cid"], at: "2022-01-02")
  },
  RuleCase(
    story: "one other customer is a reference, but too few to confirm it", row: "a1",
    expected: "9.99 USD derived reported_with_purchase"
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
    story: "the catalogue's list price is a reference, but confirms nothing", row: "a1",
    expected: "9.99 USD derived reported_with_purchase"
  ) { store in
    store.product("pro", prices: [("USD", "9.99", "2020-01-01")])
    store.months("a", customer: "ann", from: ["2022-01-01"])
    store.report(at: "2022-01-01", customer: "ann", naming: "a1", price: "9.99")
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
    store.votes("9.99", by: ["bob", "cid"], at: "2022-01-02")
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
    store.votes("9.99", by: ["bob", "cid"], at: "2022-01-03")
  },
  RuleCase(
    story: "two customers go before one who names the same row with another price", row: "a1",
    expected: "9.99 USD derived reported_with_purchase"
  ) { store in
    store.months("a", customer: "ann", from: ["2022-01-01"])
    store.report(at: "2022-01-01", customer: "eve", naming: "a1", price: "12.99")
    store.report(at: "2022-01-02", customer: "ann", naming: "a1", price: "9.99")
    store.report(at: "2022-01-03", customer: "bob", naming: "a1", price: "9.99")
    store.report(at: "2022-01-03", customer: "cid", price: "9.99")
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
    store.votes(
      "9.99", by: ["bob", "cid"], at: "2022-01-02", offers: [StoreOffer("SPRING", price: "2.99")])
  },
  RuleCase(
    story: "a lone liar within a third and three times the price is believed, but not confirmed",
    row: "a1", expected: "3.33 USD derived reported_with_purchase"
  ) { store in
    store.months("a", customer: "eve", from: ["2022-01-01"])
    store.report(at: "2022-01-01", customer: "eve", naming: "a1", price: "3.33")
    store.votes("9.99", by: ["bob", "cid", "dan"], at: "2022-01-01")
  },
  RuleCase(
    story: "four others who report the price in force at the same time outvote such a liar",
    row: "a1", expected: "9.99 USD inferred price_history"
  ) { store in
    store.months("a", customer: "eve", from: ["2022-01-01"])
    store.report(at: "2022-01-01", customer: "eve", naming: "a1", price: "3.33")
    store.votes("9.99", by: ["bob", "cid", "dan", "fay"], at: "2022-01-01")
  },
  RuleCase(
    story: "a report in another currency than the subscription runs in is never exact", row: "a2",
    expected: "9.99 USD derived reported_with_purchase"
  ) { store in
    // All reports are believed and confirmed; the first month was bought in Germany.
    store.months("a", customer: "ann", from: ["2022-01-01", "2022-02-01"])
    store.report(
      at: "2022-01-01", customer: "ann", naming: "a1", storefront: "DEU", currency: "EUR",
      price: "8.99")
    store.report(
      at: "2022-02-01", customer: "ann", naming: "a2", storefront: "USA", price: "9.99")
    store.votes("8.99", by: ["dan", "eve"], at: "2022-01-02", storefront: "DEU", currency: "EUR")
    store.votes("9.99", by: ["bob", "cid"], at: "2022-02-02", storefront: "USA")
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
