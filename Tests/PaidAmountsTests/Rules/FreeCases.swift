import PaidAmounts
import PurchaseModel
import Testing
import TestSupport

/// Rows that cost nothing, regardless of reports.
let freeCases = [
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
