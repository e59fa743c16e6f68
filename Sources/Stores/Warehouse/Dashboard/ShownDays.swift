internal import CivilTime

/// The days of the charts by day: days in UTC, or in the time zone that the pipeline names.
struct ShownDays {
  /// The SQL expression of the day of a row of `fct_revenue`, such as `purchased_date`.
  let sql: String
  private let zone: TimeZoneRules?

  /// Creates the days of a zone, for rows between two days.
  init(_ zone: TimeZoneRules?, from first: CivilDay, through last: CivilDay) {
    self.zone = zone
    guard let zone else {
      sql = "purchased_date"
      return
    }
    let (start, end) = (first.advanced(by: -2).daysSinceEpoch, last.advanced(by: 2).daysSinceEpoch)
    var offset = zone.offset(at: start * 86_400)
    var cases = ""
    for day in start..<end where zone.offset(at: (day + 1) * 86_400) != offset {
      let change = Self.change(of: zone, onDay: day)
      // Without the letter Z, the text precedes all times of its second.
      let text = Instant(milliseconds: change * 1000).text.dropLast()
      cases += "WHEN purchased_at < '\(text)' THEN \(Self.date(offset)) "
      offset = zone.offset(at: change)
    }
    sql = cases.isEmpty ? Self.date(offset) : "CASE \(cases)ELSE \(Self.date(offset)) END"
  }

  /// The day on which a moment lies.
  func day(of moment: Instant) -> CivilDay { (zone?.local(of: moment) ?? moment).day }

  private static func date(_ offset: Int64) -> String {
    "date(purchased_at, '\(offset) seconds')"
  }

  /// The first second of a day in UTC at which another offset than at its start holds.
  private static func change(of zone: TimeZoneRules, onDay day: Int64) -> Int64 {
    var (low, high) = (day * 86_400, (day + 1) * 86_400)
    let offset = zone.offset(at: low)
    while high - low > 1 {
      let middle = (low + high) / 2
      if zone.offset(at: middle) == offset { low = middle } else { high = middle }
    }
    return high
  }
}
