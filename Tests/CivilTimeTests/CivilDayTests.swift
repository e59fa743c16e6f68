import CivilTime
import Testing

struct CivilDayTests {
  @Test(arguments: [
    ("1970-01-01", 0), ("2000-02-29", 11_016), ("2021-08-09", 18_848), ("1969-12-31", -1),
    ("2100-03-01", 47_541), ("0001-01-01", -719_162),
  ])
  func `a day counts from 1970`(_ text: String, _ days: Int) throws {
    let day = try #require(CivilDay(text: text))
    #expect(day.daysSinceEpoch == Int64(days))
    #expect(day.text == text)
  }

  @Test func `four centuries of days are consecutive and written back`() throws {
    var day = try #require(CivilDay(year: 1900, month: 1, day: 1))
    let end = try #require(CivilDay(year: 2300, month: 1, day: 1))
    var previous = day.date
    day = day.advanced(by: 1)
    while day < end {
      let date = day.date
      let isNextDay =
        (date.year, date.month) == (previous.year, previous.month)
        ? date.day == previous.day + 1
        : date.day == 1
          && previous.day == CivilDay.length(ofMonth: previous.month, year: previous.year)
      let isSame = CivilDay(year: date.year, month: date.month, day: date.day) == day
      if !isNextDay || !isSame {
        Issue.record("\(previous) is followed by \(date)")
      }
      previous = date
      day = day.advanced(by: 1)
    }
  }

  @Test(arguments: [
    // The first week of an ISO year is the week with its first Thursday.
    ("2021-01-03", 2020, 53), ("2021-01-04", 2021, 1), ("2024-12-30", 2025, 1),
    ("2023-01-01", 2022, 52), ("2020-12-31", 2020, 53),
  ])
  func `the week of a day follows ISO 8601`(_ text: String, _ year: Int, _ week: Int) throws {
    let day = try #require(CivilDay(text: text))
    #expect(day.isoWeek == (year, week))
  }

  @Test(arguments: ["2021-02-29", "2021-00-01", "2021-1-01", "20210101", "2021-01-32", ""])
  func `a text that is no day is refused`(_ text: String) {
    #expect(CivilDay(text: text) == nil)
  }

  @Test func `an instant just before midnight belongs to the earlier day`() {
    #expect(Instant(milliseconds: 86_399_999).day.text == "1970-01-01")
    #expect(Instant(milliseconds: 86_400_000).day.text == "1970-01-02")
    #expect(Instant(milliseconds: -1).day.text == "1969-12-31")
  }

  @Test func `time far away stops at what can be written`() {
    #expect(Instant.distantFuture.advanced(by: .days(1)) == .distantFuture)
    #expect(Instant.distantPast.advanced(by: .days(-1)) == .distantPast)
    #expect(Instant(milliseconds: .max).advanced(by: Milliseconds(.max)) == .distantFuture)
    #expect(Instant(milliseconds: .max).since(Instant(milliseconds: -1)).rawValue == .max)
  }
}
