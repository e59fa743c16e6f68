internal import Purchases
internal import Testing
internal import TestSupport

@Suite struct AliasTests {
  /// The claims to transaction id "t", and the purchase that gets it.
  struct Contest: Sendable, CustomTestStringConvertible {
    var story: String
    var winner: String
    var build: @Sendable (inout StoreBuilder) -> Void
    var testDescription: String { story }
  }

  /// A row of line item `item` with the contested transaction id.
  static func claim(_ item: String) -> StoreRow {
    StoreRow("t", of: "c", item: item, bought: "2021-05-0\(item)", until: "2021-06-0\(item)")
  }

  static let contests = [
    Contest(story: "the latest list before in_app, though older", winner: "1") { store in
      store.record(at: "2021-06-01", latest: [claim("1")])
      store.record(at: "2021-06-02", inApp: [claim("2")])
    },
    Contest(story: "of two latest lists the newer", winner: "2") { store in
      store.record(at: "2021-06-01", latest: [claim("1")])
      store.record(at: "2021-06-02", latest: [claim("2")])
    },
    Contest(story: "of two in_app lists the newer", winner: "2") { store in
      store.record(at: "2021-06-02", inApp: [claim("2")])
      store.record(at: "2021-06-01", inApp: [claim("1")])
    },
    Contest(story: "a purchase's best sighting counts, not its last", winner: "1") { store in
      store.record(at: "2021-06-03", latest: [claim("1")])
      store.record(at: "2021-06-02", latest: [claim("2")])
      store.record(at: "2021-06-01", latest: [claim("1")])
    },
    Contest(story: "production before sandbox, whatever the list and time", winner: "1") { store in
      store.record(at: "2021-06-01", inApp: [claim("1")])
      store.record(at: "2021-06-02", sandbox: true, latest: [claim("2")])
    },
  ]

  @Test(arguments: contests)
  func `a contested id goes to one purchase`(_ contest: Contest) throws {
    let merged = try MergedStore(contest.build)
    #expect(merged.book.aliases.count == 1)
    let winner = try merged.purchase("t")
    #expect(winner.purchasedAt == instant("2021-05-0\(contest.winner)"), "\(contest.story)")
  }

  @Test func `equal claims go to the smaller key`() throws {
    let merged = try MergedStore { store in
      store.record(at: "2021-06-01", latest: [Self.claim("1"), Self.claim("2"), Self.claim("3")])
    }
    let smallest = merged.book.purchases.map(\.key).min()
    #expect(try merged.purchase("t").key == smallest)
    #expect(merged.book.purchases.count == 3)
  }

  @Test func `an id that was never seen names nothing`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01",
        latest: [StoreRow("5", of: "3", item: "9", bought: "2021-05-01", until: "2021-06-01")])
    }
    #expect(merged.book.purchase(named: merged.store.transaction("3")) == nil)
    #expect(merged.book.purchase(named: merged.store.transaction("9")) == nil)
    #expect(merged.book.purchase(named: merged.store.transaction("5")) == 0)
  }

  @Test func `excluded purchases keep their aliases`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01", sandbox: true,
        latest: [StoreRow("1", item: "9", bought: "2021-05-01", until: "2021-06-01")])
    }
    #expect(try merged.purchase("1").exclusion == .sandbox)
    #expect(merged.book.revenueCount == 0)
    #expect(merged.book.chains.isEmpty)
  }
}
