internal import PurchaseModel
internal import Purchases
internal import Testing
internal import TestSupport

@Suite struct RowKindTests {
  /// A row with its flags and offer ids, whether it renews, and the expected kind.
  struct Line: Sendable, CustomTestStringConvertible {
    var story: String
    var trial: Bool?
    var intro: Bool?
    var promo: String?
    var code: String?
    var renews = true
    var kind: PeriodKind
    var offer: String?
    var testDescription: String { story }
  }

  static let lines = [
    Line(story: "a trial of 2019: intro is false", trial: true, intro: false, kind: .trial),
    Line(story: "a trial of 2024: both are true", trial: true, intro: true, kind: .trial),
    Line(story: "an old trial without the other flag", trial: true, kind: .trial),
    Line(story: "a paid introduction", trial: false, intro: true, kind: .intro),
    Line(story: "no trial flag at all", intro: true, kind: .intro),
    Line(story: "a regular row", trial: false, intro: false, kind: .regular),
    Line(story: "a regular row of before 2017", kind: .regular),
    Line(story: "a one-time row", trial: false, renews: false, kind: .oneTime),
    Line(
      story: "a paid promotional offer", trial: false, intro: false, promo: "win50",
      kind: .promo, offer: "win50"),
    Line(
      story: "a free promotional offer", trial: true, promo: "win50", kind: .promo,
      offer: "win50"),
    Line(
      story: "an offer code told by its name", trial: false, promo: "uuid", code: "SPRING",
      kind: .offerCode, offer: "SPRING"),
    Line(
      story: "a free offer code", trial: true, intro: true, promo: "uuid", code: "SPRING",
      kind: .offerCode, offer: "SPRING"),
    Line(
      story: "an offer code without an id", trial: false, code: "SPRING", kind: .offerCode,
      offer: "SPRING"),
    Line(
      story: "an offer code the catalogue knows", trial: false, promo: "AUTUMN",
      kind: .offerCode, offer: "AUTUMN"),
    Line(
      story: "a promotional offer the catalogue knows", trial: false, promo: "comeback",
      kind: .promo, offer: "comeback"),
    Line(
      story: "both an introduction and an offer id: the offer", trial: false, intro: true,
      promo: "win50", kind: .promo, offer: "win50"),
    Line(
      story: "an offer code for something that does not renew", code: "SPRING", renews: false,
      kind: .offerCode, offer: "SPRING"),
  ]

  @Test(arguments: lines) func `the table of kinds holds`(_ line: Line) throws {
    let merged = try MergedStore { store in
      store.product(
        "pro",
        offers: [
          StoreOffer("AUTUMN", price: "1", kind: .offerCode),
          StoreOffer("comeback", price: "1", kind: .promo),
        ])
      store.record(
        at: "2021-06-01",
        latest: [
          StoreRow(
            "1", item: line.renews ? "1" : nil, bought: "2021-05-01",
            until: line.renews ? "2021-06-01" : nil, trial: line.trial, intro: line.intro,
            promo: line.promo, code: line.code)
        ])
    }
    let timeline = try merged.timeline("1")
    #expect(timeline.kind == line.kind, "\(line.story)")
    #expect(timeline.offerID == line.offer.map(merged.store.offer), "\(line.story)")
    #expect((timeline.offerPeriod != nil) == (line.kind.isOffer && line.renews), "\(line.story)")
  }

  @Test(
    arguments: [
      ("a month of 28 days", "2021-02-01", "2021-03-01", nil, "P1M"),
      ("a month over a clock change", "2020-02-28T05:31:37Z", "2020-03-28T04:31:37Z", nil, "P1M"),
      ("a week", "2021-05-01", "2021-05-08", nil, "P1W"),
      ("a trial of three days", "2021-05-01", "2021-05-04", true, "P3D"),
      ("a leap year", "2020-01-01", "2021-01-01", nil, "P1Y"),
      ("nine months paid up front", "2021-01-01", "2021-10-01", false, "P9M"),
      ("no expiry", "2021-01-01", nil, nil, nil),
      ("an expiry before the purchase", "2021-01-02", "2021-01-01", nil, nil),
    ] as [(String, String, String?, Bool?, String?)])
  func `a row covers the nearest length on sale`(
    story: String, bought: String, until: String?, trial: Bool?, expected: String?
  ) throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-06-01",
        latest: [
          StoreRow(
            "1", item: "1", bought: bought, until: until, trial: trial,
            intro: trial == false ? true : nil)
        ])
    }
    #expect(try merged.timeline("1").coveredPeriod == expected.map(period), "\(story)")
  }

  @Test func `a regular row covers no multiple`() throws {
    // 273 days are closer to half a year (182.6) than to a year (365.25): 90 days against 92.
    let merged = try MergedStore { store in
      store.record(
        at: "2021-11-01",
        latest: [StoreRow("1", item: "1", bought: "2021-01-01", until: "2021-10-01")])
    }
    #expect(try merged.timeline("1").coveredPeriod == period("P6M"))
  }
}
