import CivilTime
import Testing

struct PeriodTests {
  @Test(arguments: [
    ("P1W", "P1W"), ("P7D", "P1W"), ("P3D", "P3D"), ("P12M", "P1Y"), ("P1Y6M", "P18M"),
    ("P14D", "P2W"), ("P10D", "P10D"),
  ])
  func `periods are read and written in the largest unit`(_ text: String, _ written: String) throws
  {
    #expect(try #require(Period(text: text)).text == written)
  }

  @Test(arguments: ["", "P", "P0M", "1M", "P1", "PM", "P1H", "P1M1D", "P99999999999999999999Y"])
  func `a text that is no period is refused`(_ text: String) {
    #expect(Period(text: text) == nil)
  }

  struct Nearest: Sendable {
    let story: String
    let hours: Int64
    let allowsMultiples: Bool
    let expected: String
  }

  @Test(arguments: [
    Nearest(story: "February", hours: 28 * 24, allowsMultiples: false, expected: "P1M"),
    Nearest(
      story: "a month with an hour of clock change", hours: 31 * 24 - 1,
      allowsMultiples: false, expected: "P1M"),
    Nearest(story: "a week", hours: 168, allowsMultiples: false, expected: "P1W"),
    Nearest(story: "three days", hours: 72, allowsMultiples: false, expected: "P3D"),
    Nearest(story: "a leap year", hours: 366 * 24, allowsMultiples: false, expected: "P1Y"),
    Nearest(
      story: "five minutes in no period's neighborhood", hours: 0, allowsMultiples: false,
      expected: "P3D"),
    Nearest(story: "two years up front", hours: 731 * 24, allowsMultiples: true, expected: "P2Y"),
    Nearest(story: "nine months up front", hours: 274 * 24, allowsMultiples: true, expected: "P9M"),
    Nearest(
      story: "a regular row of two years is no multiple", hours: 731 * 24,
      allowsMultiples: false, expected: "P1Y"),
  ])
  func `a measured length is the nearest period on sale`(_ example: Nearest) {
    let length = Milliseconds(example.hours * 3_600_000 + 300_000)
    let period = Period.nearest(to: length, allowingMultiples: example.allowsMultiples)
    #expect(period?.text == example.expected, "\(example.story)")
  }

  @Test func `no length is no period`() {
    #expect(Period.nearest(to: Milliseconds(0)) == nil)
    #expect(Period.nearest(to: Milliseconds(-5)) == nil)
  }
}
