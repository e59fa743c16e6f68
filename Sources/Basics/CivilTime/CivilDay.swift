/// A day of the proleptic Gregorian calendar in UTC.
public struct CivilDay: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The number of days since 1970-01-01; negative for earlier days.
  public let daysSinceEpoch: Int64

  /// Creates a day from the number of days since 1970-01-01; negative for earlier days.
  public init(daysSinceEpoch: Int64) {
    self.daysSinceEpoch = daysSinceEpoch
  }

  /// Creates the day of a calendar date.
  ///
  /// `nil` if the month has no such day, or the year is not in 1…9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
    guard day >= 1, day <= Self.length(ofMonth: month, year: year) else { return nil }
    // In this calculation the year begins in March, so that a leap day comes last.
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.flooredQuotient(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    daysSinceEpoch = Int64(era * 146_097 + dayOfEra - 719_468)
  }

  /// Orders days by time.
  public static func < (left: CivilDay, right: CivilDay) -> Bool {
    left.daysSinceEpoch < right.daysSinceEpoch
  }

  /// The beginning of the day: midnight UTC.
  public var start: Instant { Instant(milliseconds: daysSinceEpoch * dayLength) }

  /// Adds a number of days; a negative number gives an earlier day.
  public func advanced(by days: Int64) -> CivilDay {
    CivilDay(daysSinceEpoch: daysSinceEpoch + days)
  }

  /// Year, month 1…12 and day of the month 1…31.
  public var date: (year: Int, month: Int, day: Int) {
    let shifted = Int(daysSinceEpoch) + 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// ISO 8601 weekday: 1 is Monday, 7 is Sunday.
  public var weekday: Int {
    let offset = (daysSinceEpoch + 3) % 7
    return Int(offset < 0 ? offset + 7 : offset) + 1
  }

  /// The ISO 8601 week and its year.
  ///
  /// Example: 2021-01-03 is in week 53 of 2020.
  public var isoWeek: (year: Int, week: Int) {
    let thursday = advanced(by: Int64(4 - weekday))
    let year = thursday.date.year
    guard let newYear = CivilDay(year: year, month: 1, day: 1) else { return (year, 1) }
    return (year, Int(thursday.daysSinceEpoch - newYear.daysSinceEpoch) / 7 + 1)
  }

  /// The number of days in a month (1…12).
  public static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2:
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      return isLeap ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }
}
