internal import PurchaseModel
internal import Purchases
internal import Testing
internal import TestSupport

@Suite struct ChainTests {
  @Test func `chains come by id, their rows by time, then expiry`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-08-01",
        latest: [
          StoreRow("5", of: "30", item: "5", bought: "2021-07-01", until: "2021-08-01"),
          StoreRow("4", of: "30", item: "4", bought: "2021-06-01", until: "2021-07-02"),
          StoreRow("3", of: "30", item: "3", bought: "2021-06-01", until: "2021-07-01"),
          StoreRow("2", of: "30", item: "2", bought: "2021-06-01"),
          StoreRow("9", of: "letters", item: "6", bought: "2021-01-01", until: "2021-02-01"),
          StoreRow("1", of: "4", item: "1", bought: "2021-07-01", until: "2021-08-01"),
        ])
    }
    #expect(merged.ids == ["1", "2", "3", "4", "5", "9"])
    #expect(merged.book.chains.map(\.rows) == [0..<1, 1..<5, 5..<6])
    #expect(
      merged.book.chains.map { merged.store.text($0.originalTransactionID) }
        == ["4", "30", "letters"])
    #expect((0..<6).map { merged.book.chain(ofRow: $0) } == [0, 1, 1, 1, 1, 2])
  }

  @Test func `customer and app are the newest record's that names one`() throws {
    func row(_ id: String) -> [StoreRow] {
      [StoreRow(id, of: "c", item: id, bought: "2021-05-0\(id)", until: "2021-06-01")]
    }
    let merged = try MergedStore { store in
      store.record(at: "2021-06-02", customer: "bob", bundle: "new", latest: row("1"))
      store.record(at: "2021-06-01", customer: "ann", bundle: "old", latest: row("2"))
      store.record(at: "2021-06-03", latest: row("2"))
    }
    let chain = try merged.chain("c")
    #expect(chain.customer == merged.store.customer("bob"))
    #expect(chain.bundle == merged.store.bundle("new"))
  }

  /// The SHA-256 of "bob" begins with 81b637d8, of "ann" with 49915e0d, of "cid" with 5424626b.
  @Test func `of customers in equally new records the one with the largest hash counts`() throws {
    let row = [StoreRow("1", of: "c", item: "1", bought: "2021-05-01", until: "2021-06-01")]
    let merged = try MergedStore { store in
      store.record(at: "2021-06-02", customer: "bob", bundle: "app", latest: row)
      store.record(at: "2021-06-02", customer: "cid", bundle: "app", latest: row)
      store.record(at: "2021-06-02", customer: "ann", latest: row)
    }
    let chain = try merged.chain("c")
    #expect(chain.customer == merged.store.customer("bob"))
  }

  @Test func `an erased customer keeps the place that the hash gave it`() throws {
    let row = [StoreRow("1", of: "c", item: "1", bought: "2021-05-01", until: "2021-06-01")]
    func winner(of customers: [String], erased: Set<String>) throws -> String {
      var builder = StoreBuilder()
      for customer in customers {
        builder.record(at: "2021-06-02", customer: customer, latest: row)
      }
      let store = builder.build()
      var set = store.observations
      set.customers.markErased(erased.map { store.customer($0) })
      let chain = try #require(mergeObservations(set, bundleIDs: []).chains.first)
      return set.symbols.text(try #require(chain.customer).symbol)
    }
    // The erased bob keeps the rank of his hash, which is the largest of the three.
    #expect(try winner(of: ["cid", "erased:81b637d8x"], erased: ["erased:81b637d8x"]) != "cid")
    #expect(try winner(of: ["zoe", "erased:00000000x"], erased: ["erased:00000000x"]) == "zoe")
  }

  @Test func `excluded rows say nothing about a chain`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01", customer: "ann",
        latest: [StoreRow("1", of: "c", item: "1", bought: "2021-05-01", until: "2021-06-01")])
      store.record(
        at: "2021-06-02", customer: "eve", bundle: "other", sandbox: true,
        latest: [StoreRow("2", of: "c", item: "2", bought: "2021-05-01", until: "2021-06-01")])
    }
    let chain = try merged.chain("c")
    #expect(chain.rows == 0..<1)
    #expect(chain.customer == merged.store.customer("ann"))
    #expect(chain.bundle == nil)
  }

  @Test func `a store without rows is an empty book`() throws {
    let merged = try MergedStore { store in store.record(at: "2021-06-01", customer: "ann") }
    #expect(merged.book.purchases.isEmpty)
    #expect(merged.book.chains.isEmpty)
    #expect(merged.timelines.rows.isEmpty)
  }
}
