internal import Purchases
internal import Testing
internal import TestSupport

@Suite struct ReversalTests {
  /// A row "x", the other rows of its chain, and the expected reversal.
  struct Story: Sendable, CustomTestStringConvertible {
    var story: String
    var row: StoreRow
    var others: [StoreRow] = []
    var kind: ReversalKind?
    var at: String?
    var testDescription: String { story }
  }

  static func row(
    _ bought: String = "2021-01-01", until: String? = "2021-02-01", cancelled: String? = nil,
    upgraded: Bool? = nil
  ) -> StoreRow {
    StoreRow(
      "x", of: "c", item: "1", bought: bought, until: until, cancelled: cancelled,
      upgraded: upgraded)
  }

  static func other(
    _ id: String, product: String, _ bought: String, until: String, upgraded: Bool? = nil
  ) -> StoreRow {
    StoreRow(
      id, of: "c", item: "9\(id)", product: product, bought: bought, until: until,
      upgraded: upgraded)
  }

  static let stories = [
    Story(story: "nothing came back", row: row()),
    Story(
      story: "a refund, dated at the cancellation", row: row(cancelled: "2021-01-20"),
      kind: .refund, at: "2021-01-20"),
    Story(
      story: "a refund after the expiry", row: row(cancelled: "2021-05-20"), kind: .refund,
      at: "2021-05-20"),
    Story(
      story: "a refund before the purchase", row: row(cancelled: "2020-12-31"), kind: .refund,
      at: "2020-12-31"),
    Story(
      story: "an upgrade of before November 2020: with a cancellation",
      row: row(cancelled: "2021-01-10T00:00:07Z", upgraded: true),
      others: [other("2", product: "max", "2021-01-10", until: "2021-02-10")],
      kind: .upgrade, at: "2021-01-10"),
    Story(
      story: "an upgrade of today: without a cancellation", row: row(upgraded: true),
      others: [other("2", product: "max", "2021-01-10", until: "2021-02-10")],
      kind: .upgrade, at: "2021-01-10"),
    Story(
      story: "upgraded, and no successor is known", row: row(upgraded: true), kind: .upgrade,
      at: "2021-02-01"),
    Story(
      story: "upgraded, cancelled, and no successor: a refund",
      row: row(cancelled: "2021-01-20", upgraded: true), kind: .refund, at: "2021-01-20"),
    Story(
      story: "is_upgraded false means nothing", row: row(cancelled: "2021-01-20", upgraded: false),
      others: [other("2", product: "max", "2021-01-10", until: "2021-02-10")],
      kind: .refund, at: "2021-01-20"),
    Story(
      story: "upgraded without an expiry", row: row(until: nil, upgraded: true), kind: .upgrade,
      at: "2021-01-01"),
    Story(
      story: "an earlier row of the chain is no successor", row: row(upgraded: true),
      others: [other("2", product: "max", "2020-12-01", until: "2021-01-01")],
      kind: .upgrade, at: "2021-02-01"),
    Story(
      // From the real receipt `negative-revenue`: the renewal of 16:48 was charged in advance, and
      // upgraded at 11:28.
      story: "a renewal charged ahead stands behind its successor, cancelled before it began",
      row: row(
        "2021-02-01T16:48:00Z", until: "2021-03-01", cancelled: "2021-02-01T11:28:05Z",
        upgraded: true),
      others: [
        other("2", product: "pro", "2021-01-01", until: "2021-02-01T16:48:00Z"),
        other("3", product: "max", "2021-02-01T11:28:00Z", until: "2021-03-01T11:28:00Z"),
        other("4", product: "max", "2021-03-01T11:28:00Z", until: "2021-04-01T11:28:00Z"),
      ],
      kind: .upgrade, at: "2021-02-01T11:28:00Z"),
    Story(
      story: "the same without a cancellation: it begins where the old row ends",
      row: row("2021-02-01T16:48:00Z", until: "2021-03-01", upgraded: true),
      others: [
        other("2", product: "pro", "2021-01-01", until: "2021-02-01T16:48:00Z"),
        other("3", product: "max", "2021-02-01T11:28:00Z", until: "2021-03-01T11:28:00Z"),
      ],
      kind: .upgrade, at: "2021-02-01T11:28:00Z"),
    Story(
      story: "two upgrades in one day: the second row's successor is the third",
      row: row("2021-01-01T11:00:00Z", upgraded: true),
      others: [
        other(
          "2", product: "lite", "2021-01-01T10:00:00Z", until: "2021-02-01T10:00:00Z",
          upgraded: true),
        other("3", product: "max", "2021-01-01T12:00:00Z", until: "2021-02-01T12:00:00Z"),
      ],
      kind: .upgrade, at: "2021-01-01T12:00:00Z"),
  ]

  @Test(arguments: stories) func `money comes back by refund or upgrade`(_ story: Story) throws {
    let merged = try MergedStore { store in
      store.record(at: "2021-09-01", latest: [story.row] + story.others)
    }
    let reversal = try merged.timeline("x").reversal
    #expect(reversal?.kind == story.kind, "\(story.story)")
    #expect(reversal?.at == story.at.map(instant), "\(story.story)")
  }

  @Test func `a one-time purchase is refunded too`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-09-01",
        latest: [StoreRow("1", product: "lamp", bought: "2021-01-01", cancelled: "2021-01-05")])
    }
    let reversal = try merged.timeline("1").reversal
    #expect(reversal?.kind == .refund)
    #expect(reversal?.at == instant("2021-01-05"))
  }
}
