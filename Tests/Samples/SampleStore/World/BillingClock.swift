internal import CivilTime

/// The App Store's billing calendar: months are counted in Pacific time.
///
/// A period begins and ends at the same time of day in California. So its end in UTC shifts by an
/// hour if daylight-saving time begins or ends during the period. In a shorter month, the 31st
/// becomes the last day.
enum BillingClock {
  /// The offset of Pacific time from UTC, in milliseconds: minus seven or minus eight hours.
  static func offset(at milliseconds: Int64) -> Int64 {
    let year = Instant(milliseconds: milliseconds).day.date.year
    guard let march = CivilDay(year: year, month: 3, day: 8),
      let november = CivilDay(year: year, month: 11, day: 1)
    else { return -8 * hour }
    // Daylight-saving time lasts from the second Sunday of March, 2:00 standard time, to the first
    // Sunday of November, 2:00 summer time.
    let begin = march.advanced(by: Int64((7 - march.weekday) % 7)).start.milliseconds + 10 * hour
    let end =
      november.advanced(by: Int64((7 - november.weekday) % 7)).start.milliseconds + 9 * hour
    return milliseconds >= begin && milliseconds < end ? -7 * hour : -8 * hour
  }

  /// Adds a number of billing periods to the moment `anchor`, in Pacific time.
  ///
  /// Example: January 31, 10:00, plus one month → February 28, 10:00.
  static func moment(_ periods: Int, of period: Period, after anchor: Int64) -> Int64 {
    let local = anchor + offset(at: anchor)
    let day = Instant(milliseconds: local).day
    let timeOfDay = local - day.start.milliseconds
    let target = advanced(day, by: period, times: periods).start.milliseconds + timeOfDay
    let guess = target - offset(at: anchor)
    return target - offset(at: guess)
  }

  private static func advanced(_ day: CivilDay, by period: Period, times: Int) -> CivilDay {
    let count = Int(period.count) * times
    guard period.unit == .month else { return day.advanced(by: Int64(count)) }
    let (year, month, dayOfMonth) = day.date
    let months = year * 12 + month - 1 + count
    let length = CivilDay.length(ofMonth: months % 12 + 1, year: months / 12)
    return CivilDay(year: months / 12, month: months % 12 + 1, day: min(dayOfMonth, length)) ?? day
  }

  /// An hour in milliseconds.
  static let hour: Int64 = 3_600_000
  /// A day in milliseconds.
  static let day: Int64 = 86_400_000
}
