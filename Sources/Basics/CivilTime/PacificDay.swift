extension CivilDay {
  /// Creates the day that contains a moment in Pacific time, as in Apple's reports.
  ///
  /// Pacific time is eight hours behind UTC in winter and seven hours in summer. Summer begins on
  /// the second Sunday of March at 10:00 UTC and ends on the first Sunday of November at 9:00 UTC.
  /// These are the rules of the United States since 2007, before the App Store existed. Example:
  /// `2021-03-14T07:59:59Z` → 2021-03-13.
  public init(pacific instant: Instant) {
    self = instant.advanced(by: .hours(Self.isPacificSummer(instant) ? -7 : -8)).day
  }

  private static func isPacificSummer(_ instant: Instant) -> Bool {
    guard let summer = pacificSummer(ofYear: instant.day.date.year) else { return false }
    return instant >= summer.lowerBound.advanced(by: .hours(8))
      && instant < summer.upperBound.advanced(by: .hours(7))
  }

  /// The period of daylight-saving time in a year; `nil` for a year outside 1…9999.
  ///
  /// The period lasts from two o'clock on the second Sunday of March to two o'clock on the first
  /// Sunday of November. Both ends are Pacific clock times, stored as if they were UTC.
  static func pacificSummer(ofYear year: Int) -> Range<Instant>? {
    guard let march = CivilDay(year: year, month: 3, day: 8),
      let november = CivilDay(year: year, month: 11, day: 1)
    else { return nil }
    return march.nextSunday.start.advanced(
      by: .hours(2))..<november.nextSunday.start.advanced(by: .hours(2))
  }

  /// This day if it is a Sunday, else the next Sunday.
  private var nextSunday: CivilDay { advanced(by: Int64((7 - weekday) % 7)) }
}
