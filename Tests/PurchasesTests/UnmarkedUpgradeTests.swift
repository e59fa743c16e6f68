internal import Purchases
internal import Testing
internal import TestSupport

/// Upgrades of which only the new transaction is in the exports, as with notifications.
@Suite struct UnmarkedUpgradeTests {
  // The month of plus runs until February 1; pro begins on the given day.
  @Test(arguments: [
    ("2021-01-11", true, ReversalKind?.some(.upgrade)), ("2021-01-11", false, nil),
    ("2021-02-01", true, nil),
  ])
  func `a purchase of another product in the middle of paid time is an upgrade`(
    begins: String, isBought: Bool, reversal: ReversalKind?
  ) throws {
    var terms = StoreTerms()
    terms.isBoughtAgain = isBought
    let merged = try MergedStore { store in
      store.record(
        at: "2021-01-02",
        latest: [
          StoreRow(
            "1", of: "c", item: "1", product: "plus", bought: "2021-01-01", until: "2021-02-01")
        ])
      store.record(
        at: "2021-02-02",
        latest: [
          StoreRow(
            "2", of: "c", item: "2", product: "pro", bought: begins, until: "2021-03-01",
            signed: terms)
        ])
    }
    #expect(try merged.timeline("1").reversal?.kind == reversal)
  }
}
