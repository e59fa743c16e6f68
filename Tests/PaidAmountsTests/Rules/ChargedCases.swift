import PurchaseModel
import TestSupport
import Testing

/// Cases of reports with the amount charged for one purchase.
let chargedCases = [
  RuleCase(
    story: "0.99 charged for an introductory month is its price, and not the regular one", row: "a",
    expected: "0.99 USD derived reported_with_purchase"
  ) { store in
    introductoryMonth(&store)
    store.votes("9.99", by: ["bob", "cid"], at: "2022-01-02")
  },
  RuleCase(
    story: "the month after it is unknown as long as nobody reports the regular price", row: "b",
    expected: "[0.00, ?] USD unresolved unresolved"
  ) { store in introductoryMonth(&store) },
  RuleCase(
    story: "what its voter's phone showed is believed beside it, 9.99", row: "b",
    expected: "9.99 USD derived customer_report"
  ) { store in
    introductoryMonth(&store)
    store.report(at: "2022-01-31", customer: "ann", price: "9.99")
    store.votes("9.99", by: ["bob", "cid"], at: "2022-01-30")
  },
  RuleCase(
    story: "a charged price without a purchase decides nothing", row: "a1",
    expected: "[0.00, ?] USD unresolved unresolved"
  ) { store in
    store.months("a", customer: "ann", from: ["2022-01-01"])
    store.report(at: "2022-01-01", customer: "ann", price: "9.99", meaning: .charged)
  },
  RuleCase(
    story: "charged for a regular month, it is compared and confirmed as any report", row: "a1",
    expected: "9.99 USD exact reported_with_purchase"
  ) { store in
    store.months("a", customer: "ann", from: ["2022-01-01"])
    store.report(
      at: "2022-01-01", customer: "ann", naming: "a1", price: "9.99", meaning: .charged)
    store.votes("9.99", by: ["bob", "cid"], at: "2022-01-02")
  },
]

/// Adds ann's first month at an introductory price, for which 0.99 was charged, and a regular
/// month.
private func introductoryMonth(_ store: inout StoreBuilder) {
  store.record(
    at: "2022-03-01", customer: "ann",
    latest: [
      StoreRow(
        "a", item: "i", bought: "2022-01-01", until: "2022-02-01", trial: false, intro: true),
      StoreRow(
        "b", of: "a", item: "j", bought: "2022-02-01", until: "2022-03-01", trial: false,
        intro: false),
    ])
  store.report(at: "2022-01-01", customer: "ann", naming: "a", price: "0.99", meaning: .charged)
}
