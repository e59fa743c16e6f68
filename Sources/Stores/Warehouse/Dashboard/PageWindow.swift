internal import CivilTime

/// The days that the dashboard shows one by one, and the months that can still grow.
///
/// A page is for reading: the rest stays in the views, and the page says so.
struct PageWindow {
  /// The first day shown: a little more than a year before as-of.
  let firstDay: String
  /// The day of as-of.
  let lastDay: String
  /// The last purchase day that the exports wholly cover; `nil` if none is known to be.
  let completeThrough: CivilDay?

  /// The greatest number of days shown.
  static let days: Int64 = 400
  /// The greatest number of currencies shown day by day.
  static let currencies = 8
  /// The greatest number of rows in a table of days.
  static let rows = 1000

  init(_ run: RunFigures) {
    let asOf = CivilDay(text: String(run.asOf.prefix(10)))
    lastDay = asOf?.text ?? ""
    firstDay = asOf?.advanced(by: -Self.days).text ?? ""
    completeThrough = run.completeThrough.flatMap { CivilDay(text: $0) }
  }

  /// Whether the exports wholly cover a month such as `2021-08`.
  func isComplete(month: String) -> Bool {
    guard let completeThrough, let first = CivilDay(text: month + "-01") else { return false }
    let (year, number, _) = first.date
    let length = CivilDay.length(ofMonth: number, year: year)
    return completeThrough >= first.advanced(by: Int64(length - 1))
  }
}
