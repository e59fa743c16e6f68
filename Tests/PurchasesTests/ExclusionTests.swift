internal import Purchases
internal import Testing
internal import TestSupport

@Suite struct ExclusionTests {
  @Test(
    arguments: [
      ("production, our app, nothing said about ownership", false, "ours", nil, nil),
      ("production, our app, purchased", false, "ours", "PURCHASED", nil),
      ("the app is not known: kept", false, nil, nil, nil),
      ("another app's", false, "theirs", nil, ExclusionReason.foreignBundle),
      ("a family member's", false, "ours", "FAMILY_SHARED", .familyShared),
      ("a family member's in another app", false, "theirs", "FAMILY_SHARED", .familyShared),
      ("the sandbox before everything", true, "theirs", "FAMILY_SHARED", .sandbox),
    ] as [(String, Bool, String?, String?, ExclusionReason?)])
  func `a purchase without revenue is excluded for one reason`(
    story: String, isSandbox: Bool, bundle: String?, ownership: String?,
    expected: ExclusionReason?
  ) throws {
    let merged = try MergedStore(bundles: ["ours"]) { store in
      store.record(at: "2021-01-01", bundle: "ours")
      store.record(
        at: "2021-06-01", bundle: bundle, sandbox: isSandbox,
        latest: [
          StoreRow(
            "1", item: "9", bought: "2021-05-01", until: "2021-06-01", ownership: ownership)
        ])
    }
    #expect(try merged.purchase("1").exclusion == expected, "\(story)")
    #expect(merged.book.revenueCount == (expected == nil ? 1 : 0))
  }

  @Test func `without a list of apps every app counts`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01", bundle: "theirs",
        latest: [StoreRow("1", item: "9", bought: "2021-05-01", until: "2021-06-01")])
    }
    #expect(try merged.purchase("1").exclusion == nil)
  }

  @Test func `excluded purchases stand behind the revenue rows, by key`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01", sandbox: true,
        latest: (1...9).map {
          StoreRow("\($0)", item: "\($0)", bought: "2021-05-01", until: "2021-06-01")
        })
      store.record(
        at: "2021-06-01",
        latest: [StoreRow("99", item: "1", bought: "2021-05-01", until: "2021-06-01")])
    }
    #expect(merged.ids.first == "99")
    let keys = merged.book.purchases.dropFirst().map(\.key)
    #expect(keys.count == 9)
    #expect(keys == keys.sorted())
  }
}
