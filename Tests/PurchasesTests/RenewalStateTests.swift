internal import Purchases
internal import Testing
internal import TestSupport

@Suite struct RenewalStateTests {
  /// A chain "c" of product "pro" from January on, upgraded to "max" in March.
  static func begin(_ store: inout StoreBuilder) {
    store.record(
      at: "2021-03-02",
      latest: [
        StoreRow("1", of: "c", item: "1", bought: "2021-01-01", until: "2021-03-01"),
        StoreRow(
          "2", of: "c", item: "2", product: "max", bought: "2021-03-01", until: "2021-04-01"),
      ])
  }

  @Test func `states are kept where something changes`() throws {
    let merged = try MergedStore { store in
      Self.begin(&store)
      store.record(at: "2021-01-04", renewals: [StoreRenewal(of: "c", renews: false)])
      store.record(at: "2021-01-02", renewals: [StoreRenewal(of: "c", renews: true)])
      store.record(at: "2021-01-03", renewals: [StoreRenewal(of: "c", renews: true)])
      store.record(at: "2021-01-05", renewals: [StoreRenewal(of: "c", renews: true)])
    }
    let chain = try merged.chain("c")
    let states = merged.book.renewalStates[chain.renewalStates]
    #expect(states.map(\.observedAt) == ["2021-01-02", "2021-01-04", "2021-01-05"].map(instant))
    #expect(states.map(\.autoRenewStatus) == [true, false, true])
  }

  @Test func `the state before a moment is the one then in force`() throws {
    let merged = try MergedStore { store in
      Self.begin(&store)
      store.record(at: "2021-01-02", renewals: [StoreRenewal(of: "c", renews: true)])
      store.record(at: "2021-01-04", renewals: [StoreRenewal(of: "c", renews: false)])
    }
    let chain = try merged.chain("c")
    func status(_ time: String) -> Bool? {
      merged.book.newestRenewalState(of: chain, before: instant(time))?.autoRenewStatus
    }
    #expect(status("2021-01-02") == nil)
    #expect(status("2021-01-02T00:00:01Z") == true)
    #expect(status("2021-01-04") == true)
    #expect(status("2021-01-05") == false)
  }

  @Test func `sandbox records and unknown chains give no state`() throws {
    let merged = try MergedStore { store in
      Self.begin(&store)
      store.record(
        at: "2021-01-02", sandbox: true, renewals: [StoreRenewal(of: "c", renews: true)])
      store.record(at: "2021-01-02", renewals: [StoreRenewal(of: "x", renews: true)])
    }
    #expect(merged.book.renewalStates.isEmpty)
  }

  @Test func `of two entries the one of the chain's product at that time counts`() throws {
    let entries = [
      StoreRenewal(of: "c", product: "pro", renews: true, intent: "2"),
      StoreRenewal(of: "c", product: "max", renews: false),
    ]
    let merged = try MergedStore { store in
      Self.begin(&store)
      store.record(at: "2021-02-01", renewals: entries)
      store.record(at: "2021-03-02", renewals: entries.reversed())
    }
    let states = merged.book.renewalStates
    #expect(states.map(\.productID) == [merged.store.product("pro"), merged.store.product("max")])
  }

  @Test func `of two entries of one product the larger counts, present before absent`() throws {
    for isReversed in [false, true] {
      let entries = [
        StoreRenewal(of: "c", renews: false), StoreRenewal(of: "c", renews: true),
        StoreRenewal(of: "c", renews: true, intent: "1"), StoreRenewal(of: "c", intent: "5"),
      ]
      let merged = try MergedStore { store in
        Self.begin(&store)
        store.record(
          at: "2021-02-01", renewals: isReversed ? entries.reversed() : entries)
      }
      #expect(merged.book.renewalStates.count == 1)
      #expect(merged.book.renewalStates.first?.autoRenewStatus == true)
      #expect(merged.book.renewalStates.first?.expirationIntent == merged.store.symbol("1"))
    }
  }

  @Test func `consent is the larger of the two statuses, and every field survives`() throws {
    let merged = try MergedStore { store in
      Self.begin(&store)
      store.record(
        at: "2021-02-01",
        renewals: [
          StoreRenewal(
            of: "c", product: "pro", next: "max", renews: true, intent: "99", retrying: true,
            graceUntil: "2021-02-17", consent: "0", increase: "1")
        ])
    }
    let state = try #require(merged.book.renewalStates.first)
    #expect(state.priceConsentStatus == merged.store.symbol("1"))
    #expect(state.productID == merged.store.product("pro"))
    #expect(state.autoRenewProductID == merged.store.product("max"))
    #expect(state.expirationIntent == merged.store.symbol("99"))
    #expect(state.isInBillingRetry == true)
    #expect(state.gracePeriodExpiresAt == instant("2021-02-17"))
  }
}
