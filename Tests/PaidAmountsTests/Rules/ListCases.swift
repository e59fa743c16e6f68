import Testing
import TestSupport

private let codeRow = StoreRow(
  "a", item: "i", bought: "2022-01-05", until: "2022-02-05", trial: false, code: "SPRING")

/// Rows whose price comes only from the catalogue, and rows without any price.
let listCases = [
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
