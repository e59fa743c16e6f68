@testable internal import Purchases
internal import Testing
internal import TestSupport

@Suite struct IdentityTests {
  @Test func `two transaction ids with one line item are one purchase`() throws {
    // The newest renewal has one id in in_app, and the next number as its id in
    // latest_receipt_info.
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01",
        inApp: [StoreRow("874", of: "1", item: "9", bought: "2021-05-01", until: "2021-06-01")],
        latest: [StoreRow("875", of: "1", item: "9", bought: "2021-05-01", until: "2021-06-01")])
    }
    #expect(merged.ids == ["875"])
    #expect(merged.aliases == ["874>875", "875>875"])
    #expect(try merged.purchase("874").lineItemID != nil)
  }

  @Test func `one line item in sandbox and production is two purchases`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01",
        latest: [StoreRow("1", item: "9", bought: "2021-05-01", until: "2021-06-01")])
      store.record(
        at: "2021-06-02", sandbox: true,
        latest: [StoreRow("2", item: "9", bought: "2021-05-01", until: "2021-06-01")])
    }
    #expect(merged.ids == ["1", "2"])
    #expect(merged.book.revenueCount == 1)
  }

  @Test(arguments: [nil, "9"])
  func `a time told to the millisecond and one told to the second are one`(item: String?) throws {
    // As in receipts of 2012: the receipt has 45.612 s, latest_receipt_info has 45 s.
    let merged = try MergedStore { store in
      store.record(
        at: "2012-06-01",
        inApp: [
          StoreRow("1", item: item, bought: "2012-05-25T11:51:45.612Z", until: "2012-06-25")
        ],
        latest: [
          StoreRow("1", item: item, bought: "2012-05-25T11:51:45Z", until: "2012-06-25")
        ])
    }
    #expect(merged.ids == ["1"])
    #expect(try merged.purchase("1").conflict == nil)
    let apart = try MergedStore { store in
      store.record(
        at: "2012-06-01",
        inApp: [StoreRow("1", item: item, bought: "2012-05-25T11:51:44Z", until: "2012-06-25")],
        latest: [StoreRow("1", item: item, bought: "2012-05-25T11:51:45Z", until: "2012-06-25")])
    }
    // Rows that are a second apart contradict each other; without a line item they are two
    // purchases.
    #expect(apart.book.revenueCount == (item == nil ? 2 : 1))
    if item != nil { #expect(try apart.purchase("1").conflict == .purchaseTime) }
  }

  @Test func `a subscription row without line item is known by chain, product and time`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01",
        latest: [
          StoreRow("1", of: "c", bought: "2021-05-01", until: "2021-06-01"),
          StoreRow("2", of: "c", bought: "2021-05-01", until: "2021-06-01"),
          StoreRow("3", of: "c", bought: "2021-06-01", until: "2021-07-01"),
          StoreRow("4", of: "c", product: "max", bought: "2021-06-01", until: "2021-07-01"),
          StoreRow("5", of: "d", bought: "2021-05-01", until: "2021-06-01"),
        ])
    }
    #expect(merged.aliases == ["1>2", "2>2", "3>3", "4>4", "5>5"])
  }

  @Test func `a row without line item joins the purchase that has one`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01",
        latest: [StoreRow("1", of: "c", bought: "2021-05-01", until: "2021-06-01")])
      store.record(
        at: "2021-06-02",
        latest: [StoreRow("2", of: "c", item: "9", bought: "2021-05-01", until: "2021-06-01")])
    }
    #expect(merged.aliases == ["1>2", "2>2"])
    #expect(merged.book.purchases.count == 1)
    #expect(merged.book.purchases.first?.lineItemID != nil)
  }

  @Test func `of several line items a row joins the one with the smallest key`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01",
        latest: [
          StoreRow("1", of: "c", item: "8", bought: "2021-05-01", until: "2021-06-01"),
          StoreRow("2", of: "c", item: "9", bought: "2021-05-01", until: "2021-06-01"),
          StoreRow("3", of: "c", bought: "2021-05-01", until: "2021-06-01"),
        ])
    }
    let first = try merged.purchase("1").key
    let second = try merged.purchase("2").key
    #expect(merged.book.purchases.count == 2)
    #expect(try merged.purchase("3").key == min(first, second))
  }

  @Test func `a line item seen in two chains is a purchase of each`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-02",
        latest: [StoreRow("1", of: "new", item: "9", bought: "2021-05-01", until: "2021-06-01")])
      store.record(
        at: "2021-06-01",
        latest: [StoreRow("1", of: "old", item: "9", bought: "2021-05-01", until: "2021-06-01")])
    }
    #expect(merged.book.purchases.count == 2)
    #expect(Set(merged.book.purchases.map(\.key)).count == 2)
    // The id goes to the purchase of the newer snapshot.
    #expect(try merged.purchase("1").originalTransactionID == merged.store.chain("new"))
  }

  @Test func `a restore is the purchase it restores, at its original time`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01",
        inApp: [
          StoreRow("7", of: "7", product: "lamp", bought: "2020-01-01T10:00:00Z"),
          StoreRow(
            "8", of: "7", product: "lamp", bought: "2021-05-20",
            firstBought: "2020-01-01T09:59:58Z"),
        ])
    }
    #expect(merged.book.purchases.count == 1)
    let lamp = try merged.purchase("8")
    #expect(lamp.purchasedAt == instant("2020-01-01T10:00:00Z"))
    #expect(lamp.isSubscription == false)
    #expect(lamp.conflict == nil)
    #expect(lamp.endsAt == lamp.purchasedAt)
  }

  @Test func `a purchase known only by restores has its original time`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01",
        inApp: [
          StoreRow(
            "8", of: "7", product: "lamp", bought: "2021-05-20", firstBought: "2020-01-01")
        ])
      store.record(
        at: "2021-07-01",
        inApp: [
          StoreRow(
            "9", of: "7", product: "lamp", bought: "2021-06-20",
            firstBought: "2020-01-01T00:00:05Z")
        ])
    }
    #expect(try merged.purchase("9").purchasedAt == instant("2020-01-01T00:00:05Z"))
    #expect(try merged.purchase("8").conflict == nil)
  }

  @Test func `a restore may keep its transaction id and move its purchase date`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01",
        inApp: [
          StoreRow("7", product: "lamp", bought: "2021-05-20", firstBought: "2020-01-01")
        ])
      store.record(
        at: "2020-01-02",
        inApp: [
          StoreRow("7", product: "lamp", bought: "2020-01-01", firstBought: "2020-01-01")
        ])
    }
    #expect(try merged.purchase("7").purchasedAt == instant("2020-01-01"))
    #expect(try merged.purchase("7").conflict == nil)
  }

  @Test func `a restore whose original date is another is a conflict`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01",
        inApp: [
          StoreRow("7", product: "lamp", bought: "2020-01-01"),
          StoreRow(
            "8", of: "7", product: "lamp", bought: "2021-05-20", firstBought: "2020-01-01T00:01:01Z"
          ),
        ])
    }
    #expect(try merged.purchase("7").conflict == .purchaseTime)
  }

  @Test func `consumables are bought again and again`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01",
        latest: [
          StoreRow("1", product: "coins", bought: "2021-05-01", quantity: 3),
          StoreRow("2", product: "coins", bought: "2021-05-01"),
        ])
    }
    #expect(merged.ids == ["1", "2"])
    #expect(merged.book.purchases.map(\.quantity) == [3, 1])
  }
}
