internal import Purchases
internal import Testing
internal import TestSupport

/// Two rows of one chain, and the expected facts about the gap.
struct GapStory: Sendable, CustomTestStringConvertible {
  var story: String
  var firstUntil = "2021-02-01"
  var nextBought: String
  var nextPromo: String?
  var nextCode: String?
  var nextTrial = false
  var firstIntro = false
  var nextIntro = false
  var isNextBought = false
  var renewals: [(at: String, renews: Bool?)] = []
  var isLapse: Bool
  var isRecovery: Bool
  var spell: Int32 = 1
  var testDescription: String { story }
}

@Suite struct TimelineTests {
  // The first row ends on 2021-02-01; 60 days later is 2021-04-02 (27 + 31 + 2 days of February,
  // March and April).
  static let gaps = [
    GapStory(
      story: "an on-time renewal", nextBought: "2021-02-01", isLapse: false, isRecovery: false),
    GapStory(
      story: "a renewal that overlaps", nextBought: "2021-01-20", isLapse: false,
      isRecovery: false),
    GapStory(
      story: "a second later: recovered", nextBought: "2021-02-01T00:00:01Z", isLapse: false,
      isRecovery: true),
    GapStory(
      story: "60 days later: still recovered", nextBought: "2021-04-02", isLapse: false,
      isRecovery: true),
    GapStory(
      story: "a millisecond above 60 days: a lapse and a new spell",
      nextBought: "2021-04-02T00:00:00.001Z", isLapse: true, isRecovery: false, spell: 2),
    GapStory(
      story: "auto-renew was off before the later row", nextBought: "2021-02-10",
      renewals: [("2021-01-15", false)], isLapse: true, isRecovery: false, spell: 2),
    GapStory(
      story: "off, and back on the same day", nextBought: "2021-02-02",
      renewals: [("2021-01-15", false)], isLapse: false, isRecovery: true),
    GapStory(
      story: "off, but on again in the newest snapshot", nextBought: "2021-02-10",
      renewals: [("2021-01-15", false), ("2021-01-16", true)], isLapse: false, isRecovery: true),
    GapStory(
      story: "off only in a snapshot as old as the later row", nextBought: "2021-02-10",
      renewals: [("2021-02-10", false)], isLapse: false, isRecovery: true),
    GapStory(
      story: "the newest snapshot does not tell", nextBought: "2021-02-10",
      renewals: [("2021-01-15", false), ("2021-01-16", nil)], isLapse: false, isRecovery: true),
    GapStory(
      story: "off, but no gap", nextBought: "2021-02-01", renewals: [("2021-01-15", false)],
      isLapse: false, isRecovery: false),
    GapStory(
      story: "back with a promotional offer", nextBought: "2021-02-02T00:00:00.001Z",
      nextPromo: "win50", isLapse: true, isRecovery: false, spell: 2),
    GapStory(
      story: "back with an offer code", nextBought: "2021-02-02T00:00:00.001Z",
      nextCode: "SPRING", isLapse: true, isRecovery: false, spell: 2),
    GapStory(
      story: "a trial five days after a month: a late payment begins none",
      nextBought: "2021-02-06", nextTrial: true, isLapse: true, isRecovery: false, spell: 2),
    GapStory(
      story: "36 days later, and Apple calls it a purchase", nextBought: "2021-03-09",
      isNextBought: true, isLapse: true, isRecovery: false, spell: 2),
    GapStory(
      story: "an hour later, and Apple calls it a purchase", nextBought: "2021-02-01T01:00:00Z",
      isNextBought: true, isLapse: true, isRecovery: false, spell: 2),
    GapStory(
      story: "a purchase without a gap, such as an upgrade", nextBought: "2021-01-20",
      isNextBought: true, isLapse: false, isRecovery: false),
    GapStory(
      story: "an introductory price after a month", nextBought: "2021-02-06", nextIntro: true,
      isLapse: true, isRecovery: false, spell: 2),
    GapStory(
      story: "the second month of an introductory price, paid late", nextBought: "2021-02-06",
      firstIntro: true, nextIntro: true, isLapse: false, isRecovery: true),
    GapStory(
      story: "a promotional offer 24 hours late", nextBought: "2021-02-02", nextPromo: "win50",
      isLapse: false, isRecovery: true),
    GapStory(
      story: "a promotional offer without a gap", nextBought: "2021-02-01", nextPromo: "win50",
      isLapse: false, isRecovery: false),
  ]

  @Test(arguments: gaps) func `a gap is a lapse or a recovery`(_ gap: GapStory) throws {
    var terms = StoreTerms()
    terms.isBoughtAgain = gap.isNextBought
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01",
        latest: [
          StoreRow(
            "1", of: "c", item: "1", bought: "2021-01-01", until: gap.firstUntil,
            intro: gap.firstIntro),
          StoreRow(
            "2", of: "c", item: "2", bought: gap.nextBought, until: "2021-06-01",
            trial: gap.nextTrial, intro: gap.nextIntro, promo: gap.nextPromo, code: gap.nextCode,
            signed: gap.isNextBought ? terms : nil),
        ])
      for state in gap.renewals {
        store.record(at: state.at, renewals: [StoreRenewal(of: "c", renews: state.renews)])
      }
    }
    let next = try merged.timeline("2")
    #expect(next.followsLapse == gap.isLapse, "\(gap.story)")
    #expect(next.isBillingRecovery == gap.isRecovery, "\(gap.story)")
    #expect(next.spellNumber == gap.spell, "\(gap.story)")
    let first = try merged.timeline("1")
    #expect(!first.followsLapse && !first.isBillingRecovery && first.spellNumber == 1)
  }

  // The month of January is refunded on the 8th. A renewal begins on February 1, a new purchase
  // whenever the customer buys.
  @Test(arguments: [("2021-01-20", 2), ("2021-02-01", 1), ("2021-01-08T01:00:00Z", 1)])
  func `after a refund, a row within the paid time is a new purchase`(next: String, spell: Int32)
    throws
  {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01",
        latest: [
          StoreRow(
            "1", of: "c", item: "1", bought: "2021-01-01", until: "2021-02-01",
            cancelled: "2021-01-08"),
          StoreRow("2", of: "c", item: "2", bought: next, until: "2021-03-01"),
        ])
    }
    #expect(try merged.timeline("2").spellNumber == spell)
  }

  @Test func `an earlier row that reaches further leaves no gap`() throws {
    // The year bought in January runs until 2022. The month bought in March ends before July.
    let merged = try MergedStore { store in
      store.record(
        at: "2021-08-01",
        latest: [
          StoreRow("1", of: "c", item: "1", bought: "2021-01-01", until: "2022-01-01"),
          StoreRow("2", of: "c", item: "2", bought: "2021-03-01", until: "2021-04-01"),
          StoreRow("3", of: "c", item: "3", bought: "2021-07-01", until: "2021-08-01"),
        ])
    }
    #expect(try merged.timeline("3").spellNumber == 1)
    #expect(try !merged.timeline("3").isBillingRecovery)
  }

  @Test func `an upgraded row ends where its successor begins`() throws {
    // In March the yearly plan was replaced by a monthly one, so August comes four months after
    // April.
    let merged = try MergedStore { store in
      store.record(
        at: "2021-09-01",
        latest: [
          StoreRow(
            "1", of: "c", item: "1", bought: "2021-01-01", until: "2022-01-01", upgraded: true),
          StoreRow(
            "2", of: "c", item: "2", product: "max", bought: "2021-03-01", until: "2021-04-01"),
          StoreRow(
            "3", of: "c", item: "3", product: "max", bought: "2021-08-01", until: "2021-09-01"),
        ])
    }
    #expect(try merged.timeline("2").spellNumber == 1)
    #expect(try !merged.timeline("2").isBillingRecovery)
    #expect(try merged.timeline("3").spellNumber == 2)
    #expect(try merged.timeline("3").followsLapse)
  }

  @Test func `renewals count the regular rows of a spell`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2022-01-01",
        latest: [
          StoreRow(
            "1", of: "c", item: "1", bought: "2021-01-01", until: "2021-01-08", trial: true),
          StoreRow("2", of: "c", item: "2", bought: "2021-01-08", until: "2021-02-08"),
          StoreRow(
            "3", of: "c", item: "3", bought: "2021-02-08", until: "2021-03-08", promo: "win50"),
          StoreRow("4", of: "c", item: "4", bought: "2021-03-08", until: "2021-04-08"),
          StoreRow("5", of: "c", item: "5", bought: "2021-10-01", until: "2021-11-01"),
          StoreRow("6", product: "coins", bought: "2021-10-01"),
        ])
    }
    let timelines = try ["1", "2", "3", "4", "5", "6"].map(merged.timeline)
    #expect(timelines.map(\.spellNumber) == [1, 1, 1, 1, 2, nil])
    #expect(timelines.map(\.renewalNumber) == [nil, 1, nil, 2, 1, nil])
    #expect(timelines.map(\.kind) == [.trial, .regular, .promo, .regular, .regular, .oneTime])
  }

  @Test func `a lapse ends the spell, however short it is`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2022-01-01",
        latest: [
          StoreRow("1", of: "c", item: "1", bought: "2021-01-01", until: "2021-02-01"),
          StoreRow("2", of: "c", item: "2", bought: "2021-02-10", until: "2021-03-10"),
        ])
      store.record(at: "2021-01-20", renewals: [StoreRenewal(of: "c", renews: false)])
    }
    #expect(try merged.timeline("2").followsLapse)
    #expect(try merged.timeline("2").spellNumber == 2)
    #expect(try merged.timeline("2").renewalNumber == 1)
  }

  @Test func `rows of two chains are no neighbors`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2022-01-01",
        latest: [
          StoreRow("1", of: "c", item: "1", bought: "2021-01-01", until: "2021-02-01"),
          StoreRow("2", of: "d", item: "2", bought: "2021-12-01", until: "2022-01-01"),
        ])
    }
    #expect(try merged.timeline("2").spellNumber == 1)
    #expect(try !merged.timeline("2").followsLapse)
  }
}
