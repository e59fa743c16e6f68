internal import PurchaseModel
internal import Purchases
internal import Testing
internal import TestSupport

@Suite struct ProductFactTests {
  @Test func `a period is the commonest of the rows, or a year if sold by the year`() throws {
    // pro has two months, one week, and a trial of three days. max has a year and a week equally
    // often; a product with yearly rows is sold by the year. offered has only an offer row, which
    // shows nothing.
    let merged = try MergedStore { store in
      store.record(
        at: "2022-09-01",
        latest: [
          StoreRow("1", item: "1", bought: "2021-01-01", until: "2021-01-04", trial: true),
          StoreRow("2", item: "2", bought: "2021-01-04", until: "2021-02-04"),
          StoreRow("3", item: "3", bought: "2021-02-04", until: "2021-03-04"),
          StoreRow("4", item: "4", bought: "2021-03-04", until: "2021-03-11"),
          StoreRow("5", item: "5", product: "max", bought: "2021-01-01", until: "2022-01-01"),
          StoreRow("6", item: "6", product: "max", bought: "2021-01-01", until: "2021-01-08"),
          StoreRow(
            "7", item: "7", product: "offered", bought: "2021-01-01", until: "2021-02-01",
            promo: "a"),
        ])
    }
    let periods = merged.timelines.productPeriods
    #expect(periods[merged.store.product("pro")] == period("P1M"))
    #expect(periods[merged.store.product("max")] == period("P1Y"))
    #expect(periods[merged.store.product("offered")] == nil)
  }

  @Test func `the catalogue knows better`() throws {
    let merged = try MergedStore { store in
      store.product("pro", kind: .nonRenewingSubscription, period: "P1Y")
      store.product("max", period: "P6M")
      store.product("lite", kind: .consumable)
      store.record(
        at: "2022-09-01",
        latest: [
          StoreRow("1", item: "1", bought: "2021-01-01", until: "2021-02-01"),
          StoreRow("2", item: "2", product: "lite", bought: "2021-01-01", until: "2021-02-01"),
        ])
    }
    let timelines = merged.timelines
    #expect(timelines.productPeriods[merged.store.product("pro")] == period("P1Y"))
    #expect(timelines.productPeriods[merged.store.product("max")] == period("P6M"))
    #expect(timelines.productPeriods[merged.store.product("lite")] == period("P1M"))
    #expect(merged.kinds[merged.store.product("pro")] == .nonRenewingSubscription)
    #expect(merged.kinds[merged.store.product("lite")] == .consumable)
    #expect(merged.kinds[merged.store.product("max")] == nil)
  }

  @Test func `rows tell what renews, and what is sold by the dozen`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2022-09-01",
        latest: [
          StoreRow("1", item: "1", bought: "2021-01-01"),
          StoreRow("2", product: "max", bought: "2021-01-01", until: "2021-02-01"),
          StoreRow("3", product: "coins", bought: "2021-01-01", quantity: 12),
          StoreRow("4", product: "coins", bought: "2021-01-02"),
          StoreRow("5", product: "lamp", bought: "2021-01-01"),
        ])
      store.record(
        at: "2022-09-01", sandbox: true,
        latest: [StoreRow("6", item: "6", product: "lamp", bought: "2021-01-01")])
    }
    let kinds = merged.kinds
    #expect(kinds[merged.store.product("pro")] == .autoRenewableSubscription)
    #expect(kinds[merged.store.product("max")] == .autoRenewableSubscription)
    #expect(kinds[merged.store.product("coins")] == .consumable)
    #expect(kinds[merged.store.product("lamp")] == .unknown)
    #expect(kinds.count == 4)
  }
}
