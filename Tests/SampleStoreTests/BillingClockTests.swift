internal import CivilTime
internal import Testing

@testable internal import SampleStore

/// The end of a period, determined by hand from the calendar of California.
struct Billed: Sendable {
  var story: String
  var start: String
  var period: String
  var times: Int
  var end: String
}

struct BillingClockTests {
  @Test(arguments: [
    Billed(
      story: "a month of 31 days", start: "2021-05-04T10:00:00Z", period: "P1M", times: 1,
      end: "2021-06-04T10:00:00Z"),
    Billed(
      story: "January 31 ends on February 28", start: "2021-01-31T20:15:00Z", period: "P1M",
      times: 1, end: "2021-02-28T20:15:00Z"),
    Billed(
      story: "two months after January 31 is March 31, an hour earlier in UTC: summer time",
      start: "2021-01-31T20:15:00Z", period: "P1M", times: 2, end: "2021-03-31T19:15:00Z"),
    Billed(
      story: "the 31st in UTC is still the 30th in California", start: "2021-01-31T05:00:00Z",
      period: "P1M", times: 1, end: "2021-03-01T05:00:00Z"),
    Billed(
      story: "a leap day ends on February 28 of the next year", start: "2024-02-29T20:00:00Z",
      period: "P1Y", times: 1, end: "2025-02-28T20:00:00Z"),
    Billed(
      story: "a week over the end of summer time, 2021-11-07 at 9:00 UTC",
      start: "2021-11-03T12:00:00Z", period: "P1W", times: 1, end: "2021-11-10T13:00:00Z"),
    Billed(
      story: "a week over the beginning of summer time, 2021-03-14 at 10:00 UTC",
      start: "2021-03-10T12:00:00Z", period: "P1W", times: 1, end: "2021-03-17T11:00:00Z"),
  ])
  func `periods end by the clocks of California`(_ example: Billed) throws {
    let start = try #require(Instant(text: example.start))
    let period = try #require(Period(text: example.period))
    let end = BillingClock.moment(example.times, of: period, after: start.milliseconds)
    #expect(Instant(milliseconds: end).text == example.end, "\(example.story)")
  }

  @Test func `summer time begins and ends at two o'clock on a Sunday`() throws {
    func hours(_ text: String) throws -> Int64 {
      BillingClock.offset(at: try #require(Instant(text: text)).milliseconds) / BillingClock.hour
    }
    #expect(try hours("2021-03-14T09:59:59Z") == -8)
    #expect(try hours("2021-03-14T10:00:00Z") == -7)
    #expect(try hours("2021-11-07T08:59:59Z") == -7)
    #expect(try hours("2021-11-07T09:00:00Z") == -8)
  }
}
