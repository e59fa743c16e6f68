internal import CivilTime
internal import Publishing

/// Which days the report shows one by one, and which months can still grow.
///
/// A page is for reading: what it leaves out stays in the views, and the page says so.
struct PageWindow {
  /// The first day shown: a little more than a year before as-of.
  let firstDay: String
  private let completeThrough: CivilDay?

  /// How many days are shown at most.
  static let days: Int64 = 400
  /// How many currencies are shown day by day at most.
  static let currencies = 8
  /// How many rows a table of days has at most.
  static let rows = 1000

  init(_ run: RunFigures) {
    let asOf = CivilDay(text: String(run.asOf.prefix(10)))
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
