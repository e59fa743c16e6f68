import CivilTime
import Testing

/// The days of Apple's reports: Pacific time, with the United States' daylight-saving rules.
struct PacificDayTests {
  @Test(arguments: [
    // Winter: midnight in Cupertino is 08:00 UTC.
    ("2024-01-15T07:59:59Z", "2024-01-14"), ("2024-01-15T08:00:00Z", "2024-01-15"),
    // Summer: 07:00 UTC.
    ("2024-07-15T06:59:59Z", "2024-07-14"), ("2024-07-15T07:00:00Z", "2024-07-15"),
    // Clocks are set forward on Sunday 2024-03-10, 10:00 UTC: that day still begins at 08:00 UTC,
    // the next day at 07:00.
    ("2024-03-10T07:59:59Z", "2024-03-09"), ("2024-03-10T08:00:00Z", "2024-03-10"),
    ("2024-03-11T06:59:59Z", "2024-03-10"), ("2024-03-11T07:00:00Z", "2024-03-11"),
    // Clocks are set back on Sunday 2024-11-03, 09:00 UTC: that day lasts 25 hours.
    ("2024-11-03T06:59:59Z", "2024-11-02"), ("2024-11-03T07:00:00Z", "2024-11-03"),
    ("2024-11-04T07:59:59Z", "2024-11-03"), ("2024-11-04T08:00:00Z", "2024-11-04"),
    // The earliest and the latest dates on which the clocks can change.
    ("2026-03-09T07:00:00Z", "2026-03-09"), ("2020-03-09T06:30:00Z", "2020-03-08"),
    ("2026-11-02T07:30:00Z", "2026-11-01"), ("2020-11-02T08:00:00Z", "2020-11-02"),
    ("1969-12-31T23:00:00Z", "1969-12-31"),
  ])
  func `a moment falls on a day in Cupertino`(_ instant: String, _ day: String) throws {
    let instant = try #require(Instant(text: instant))
    #expect(CivilDay(pacific: instant).text == day)
  }

  @Test func `every day has 24 hours but two a year`() throws {
    var hours: [CivilDay: Int] = [:]
    let start = try #require(Instant(text: "2023-06-01T00:00:00Z"))
    for hour in 0..<(24 * 366) {
      hours[CivilDay(pacific: start.advanced(by: .hours(Int64(hour)))), default: 0] += 1
    }
    let odd = hours.filter { ![24, 7, 17].contains($0.value) }
    #expect(
      odd.map { "\($0.key.text) \($0.value)" }.sorted() == ["2023-11-05 25", "2024-03-10 23"])
  }

  @Test func `a text in Pacific time falls on its own day`() throws {
    for text in ["2024-03-10 23:30:00", "2024-11-03 00:15:00", "2019-07-04 12:00:00"] {
      let instant = try #require(Instant(text: "\(text) America/Los_Angeles"))
      #expect(CivilDay(pacific: instant).text == text.prefix(10))
    }
  }
}
