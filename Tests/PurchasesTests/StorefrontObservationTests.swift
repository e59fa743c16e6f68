internal import CivilTime
internal import PurchaseModel
internal import Purchases
internal import Testing
internal import TestSupport

@Suite struct StorefrontObservationTests {
  static func row(_ id: String, of chain: String) -> StoreRow {
    StoreRow(id, of: chain, item: id, bought: "2021-05-01", until: "2021-06-01")
  }

  /// Observations as "customer chain day storefront".
  func texts(_ merged: MergedStore) -> [String] {
    merged.book.storefrontObservations.map { observation in
      let customer = observation.customer.map { merged.store.observations.symbols.text($0.symbol) }
      let chain = observation.originalTransactionID.map(merged.store.text)
      let day = observation.observedAt.text.prefix(10)
      return "\(customer ?? "-") \(chain ?? "-") \(day) \(observation.storefront.code)"
    }
  }

  @Test func `a record tells the storefront once for each of its chains`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01", customer: "bob", storefront: "POL",
        inApp: [Self.row("1", of: "c"), Self.row("2", of: "d")],
        latest: [Self.row("1", of: "c"), Self.row("3", of: "c")])
      store.record(at: "2021-06-02", customer: "ann", storefront: "USA")
      store.record(at: "2021-05-02", storefront: "JPN", latest: [Self.row("3", of: "c")])
      store.record(at: "2021-06-03", customer: "bob", latest: [Self.row("3", of: "c")])
    }
    #expect(
      texts(merged) == [
        "- c 2021-05-02 JPN", "ann - 2021-06-02 USA", "bob c 2021-06-01 POL",
        "bob d 2021-06-01 POL",
      ])
  }

  @Test func `equal records tell it once, other storefronts at that time too`() throws {
    let merged = try MergedStore { store in
      for storefront in ["POL", "POL", "DEU"] {
        store.record(
          at: "2021-06-01", customer: "bob", storefront: storefront,
          latest: [Self.row("1", of: "c")])
      }
    }
    #expect(texts(merged) == ["bob c 2021-06-01 DEU", "bob c 2021-06-01 POL"])
  }

  @Test func `the sandbox tells nothing`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01", customer: "bob", storefront: "POL", sandbox: true,
        latest: [Self.row("1", of: "c")])
    }
    #expect(texts(merged).isEmpty)
  }
}
