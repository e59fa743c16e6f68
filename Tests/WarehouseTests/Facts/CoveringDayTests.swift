internal import CivilTime
internal import Testing
internal import Warehouse

/// The exports that determine through which day purchases are complete.
struct CoveringDayTests {
  private func day(_ text: String) -> CivilDay {
    CivilDay(text: text) ?? CivilDay(daysSinceEpoch: 0)
  }

  private func days(_ receipts: [String], _ signed: [String]) -> [String] {
    CoveringDays.days(receipts: receipts.map(day), signed: signed.map(day), patience: 7)
      .map(\.text)
  }

  @Test func `receipts tell, whatever was fetched beside them`() {
    #expect(days(["2024-01-02", "2024-01-01"], []) == ["2024-01-01", "2024-01-02"])
    #expect(days(["2024-01-01"], ["2023-12-31", "2024-01-08"]) == ["2024-01-01"])
  }

  @Test func `signed transactions tell where receipts have ended, or never were`() {
    #expect(
      days(["2024-01-01"], ["2024-01-09", "2023-12-31"])
        == ["2023-12-31", "2024-01-01", "2024-01-09"])
    #expect(days([], ["2024-01-09", "2024-01-08"]) == ["2024-01-08", "2024-01-09"])
    #expect(days([], []) == [])
  }
}
