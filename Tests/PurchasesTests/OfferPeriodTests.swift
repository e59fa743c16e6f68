internal import PurchaseModel
internal import Purchases
internal import Testing
internal import TestSupport

@Suite struct OfferPeriodTests {
  /// One row: its days, its flags and its offer.
  struct Step: Sendable {
    var bought: String
    var until: String
    var trial: Bool?
    var intro: Bool?
    var promo: String?
    var upgraded: Bool?
    var product = "pro"
  }

  struct Story: Sendable, CustomTestStringConvertible {
    var story: String
    var steps: [Step]
    /// The rows of each offer period.
    var periods: [Range<Int>]
    var testDescription: String { story }
  }

  static let stories = [
    Story(
      story: "three paid months of an introduction are one period",
      steps: [
        Step(bought: "2021-01-01", until: "2021-02-01", intro: true),
        Step(bought: "2021-02-01", until: "2021-03-01", intro: true),
        Step(bought: "2021-03-01", until: "2021-04-01", intro: true),
        Step(bought: "2021-04-01", until: "2021-05-01"),
      ], periods: [0..<3]),
    Story(
      story: "a gap of 16 days stays within it",
      steps: [
        Step(bought: "2021-01-01", until: "2021-02-01", intro: true),
        Step(bought: "2021-02-17", until: "2021-03-17", intro: true),
      ], periods: [0..<2]),
    Story(
      story: "a longer gap begins another",
      steps: [
        Step(bought: "2021-01-01", until: "2021-02-01", intro: true),
        Step(bought: "2021-02-17T00:00:01Z", until: "2021-03-17", intro: true),
      ], periods: [0..<1, 1..<2]),
    Story(
      story: "a regular row between them separates",
      steps: [
        Step(bought: "2021-01-01", until: "2021-02-01", promo: "a"),
        Step(bought: "2021-02-01", until: "2021-02-08"),
        Step(bought: "2021-02-08", until: "2021-03-08", promo: "a"),
      ], periods: [0..<1, 2..<3]),
    Story(
      story: "another offer id is another period",
      steps: [
        Step(bought: "2021-01-01", until: "2021-02-01", promo: "a"),
        Step(bought: "2021-02-01", until: "2021-03-01", promo: "b"),
        Step(bought: "2021-03-01", until: "2021-04-01", promo: "b"),
      ], periods: [0..<1, 1..<3]),
    Story(
      story: "a trial and then a paid introduction are two",
      steps: [
        Step(bought: "2021-01-01", until: "2021-01-08", trial: true),
        Step(bought: "2021-01-08", until: "2021-02-08", intro: true),
      ], periods: [0..<1, 1..<2]),
    Story(
      story: "a trial upgraded to another trial is one",
      steps: [
        Step(bought: "2021-01-01", until: "2021-01-08", trial: true, upgraded: true),
        Step(bought: "2021-01-02", until: "2021-01-09", trial: true, product: "max"),
      ], periods: [0..<2]),
    Story(
      story: "regular rows belong to no offer",
      steps: [Step(bought: "2021-01-01", until: "2021-02-01", trial: false, intro: false)],
      periods: []),
  ]

  @Test(arguments: stories) func `offer rows run together`(_ story: Story) throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-09-01",
        latest: story.steps.enumerated().map { number, step in
          StoreRow(
            "\(number + 1)", of: "c", item: "\(number + 1)", product: step.product,
            bought: step.bought, until: step.until, trial: step.trial, intro: step.intro,
            upgraded: step.upgraded, promo: step.promo)
        })
    }
    let timelines = merged.timelines
    #expect(timelines.offerPeriods.map(\.rows) == story.periods, "\(story.story)")
    for (number, period) in timelines.offerPeriods.enumerated() {
      #expect(period.chain.index == 0)
      for row in period.rows {
        #expect(timelines.rows[row].offerPeriod == number)
        #expect(timelines.rows[row].kind == period.kind)
        #expect(timelines.rows[row].offerID == period.offerID)
      }
    }
    let covered = story.periods.reduce(0) { $0 + $1.count }
    #expect(timelines.rows.count { $0.offerPeriod != nil } == covered)
  }

  @Test func `offer periods of two chains are apart`() throws {
    let merged = try MergedStore { store in
      store.record(
        at: "2021-09-01",
        latest: ["1", "2"].map {
          StoreRow(
            $0, of: $0, item: $0, bought: "2021-01-01", until: "2021-01-08", trial: true)
        })
    }
    #expect(merged.timelines.offerPeriods.map(\.chain.index) == [0, 1])
    #expect(merged.timelines.offerPeriods.map(\.rows) == [0..<1, 1..<2])
  }
}
