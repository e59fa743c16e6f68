import AppleReports
import CivilTime
import Testing

struct FiscalMonthTests {
  @Test(arguments: [
    // Apple's January 2025 and April 2024, the last month of its fiscal year 2026, and its 53rd
    // week in December 2022.
    ("2025-01-15", "2024-12-29", "2025-02-01"), ("2024-12-29", "2024-12-29", "2025-02-01"),
    ("2025-02-01", "2024-12-29", "2025-02-01"), ("2024-05-02", "2024-03-31", "2024-05-04"),
    ("2026-09-12", "2026-08-30", "2026-09-26"), ("2022-12-31", "2022-11-27", "2022-12-31"),
    ("2023-01-01", "2023-01-01", "2023-02-04"), ("2023-09-30", "2023-09-03", "2023-09-30"),
    ("2023-10-01", "2023-10-01", "2023-11-04"),
  ])
  func `a month has four or five weeks from a Sunday`(
    _ day: String, _ first: String, _ last: String
  ) throws {
    let days = FiscalMonth.days(around: try #require(CivilDay(text: day)))
    #expect(days.first?.text == first && days.last?.text == last)
  }
}
