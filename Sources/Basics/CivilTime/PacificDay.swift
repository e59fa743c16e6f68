extension CivilDay {
  /// The day of a moment in Cupertino, where Apple's reports begin their days.
  ///
  /// Pacific time is seven hours behind UTC from the second Sunday of March, 10:00 UTC, to the
  /// first Sunday of November, 9:00 UTC, else eight: the United States' rules since 2007, which
  /// cover the App Store's whole history. `2021-03-14T07:59:59Z` falls on the 13th.
  ///
  /// - Parameter instant: The moment.
  public init(pacific instant: Instant) {
    self = instant.advanced(by: .hours(Self.isPacificSummer(instant) ? -7 : -8)).day
  }

  private static func isPacificSummer(_ instant: Instant) -> Bool {
    guard let summer = pacificSummer(ofYear: instant.day.date.year) else { return false }
    return instant >= summer.lowerBound.advanced(by: .hours(8))
      && instant < summer.upperBound.advanced(by: .hours(7))
  }

  /// The daylight-saving time of a year by the clocks of Cupertino, written as if they showed UTC:
  /// from two o'clock on the second Sunday of March to two o'clock on the first of November.
  static func pacificSummer(ofYear year: Int) -> Range<Instant>? {
    guard let march = CivilDay(year: year, month: 3, day: 8),
      let november = CivilDay(year: year, month: 11, day: 1)
    else { return nil }
    return march.nextSunday.start.advanced(
      by: .hours(2))..<november.nextSunday.start.advanced(by: .hours(2))
  }

  /// This day where it is a Sunday, else the first one after it.
  private var nextSunday: CivilDay { advanced(by: Int64((7 - weekday) % 7)) }
}
