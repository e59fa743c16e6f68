public import CivilTime

/// A month of Apple's fiscal year, by which settlements are reported.
///
/// The fiscal year ends on the last Saturday of September. Its quarters have months of 5, 4 and 4
/// weeks. In a year of 53 weeks the third month has 5 weeks too.
public enum FiscalMonth {
  /// The days of the fiscal month that contains a day, in order.
  ///
  /// Example: 2025-01-15 → 2024-12-29 to 2025-02-01, Apple's January 2025.
  public static func days(around day: CivilDay) -> [CivilDay] {
    let year = day.date.year
    let isBegun = firstDay(after: year) <= day
    var first = firstDay(after: isBegun ? year : year - 1)
    let next = firstDay(after: isBegun ? year + 1 : year)
    let isLong = next.daysSinceEpoch - first.daysSinceEpoch == 53 * 7
    for month in 0..<12 {
      let weeks: Int64 = month % 3 == 0 || month == 2 && isLong ? 5 : 4
      let following = first.advanced(by: weeks * 7)
      if first <= day, day < following { return (0..<weeks * 7).map(first.advanced) }
      first = following
    }
    return [day]
  }

  /// The first day of a fiscal year: the day after the last Saturday of September of `year`.
  private static func firstDay(after year: Int) -> CivilDay {
    guard let last = CivilDay(year: year, month: 9, day: 30) else {
      return CivilDay(daysSinceEpoch: 0)
    }
    let daysSinceSaturday = (last.weekday + 1) % 7
    return last.advanced(by: 1 - Int64(daysSinceSaturday))
  }
}

extension AppleReportLine {
  /// The day of Apple's settlement; the day of the line if the report is not Finance Detail.
  public var settlementDay: CivilDay { settledOn ?? day }
}
