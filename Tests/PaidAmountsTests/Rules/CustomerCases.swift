import Testing
import TestSupport

/// Rows with a price from a report of the same customer at another time.
let customerCases = [
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
    store.votes("9.99", by: ["bob", "fay"], at: "2022-01-01", storefront: "USA")
    store.votes("12.99", by: ["cid", "dan", "gil"], at: "2022-02-01", storefront: "USA")
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
  RuleCase(
    story: "what the customer reports months later does not hide the chain's own report",
    row: "a2", expected: "9.99 USD derived customer_report"
  ) { store in
    // The report of the trial was sent before the login, so it has no customer id.
    store.record(
      at: "2022-03-01", customer: "ann", storefront: "USA",
      latest: [
        StoreRow(
          "a1", of: "a", item: "i1", bought: "2022-01-02", until: "2022-01-09", trial: true),
        StoreRow(
          "a2", of: "a", item: "i2", bought: "2022-01-09", until: "2022-02-09", trial: false,
          intro: false),
      ])
    store.report(at: "2022-01-02", naming: "a1", storefront: "USA", price: "9.99")
    store.report(at: "2022-05-01", customer: "ann", storefront: "USA", price: "9.99")
  },
]
