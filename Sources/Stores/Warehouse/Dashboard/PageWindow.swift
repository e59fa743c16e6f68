internal import CivilTime
internal import GRDB

/// The days that the dashboard displays, and the last day that the exports cover completely.
///
/// Days before the displayed days are only in the views of the warehouse; the page states this.
struct PageWindow {
  /// The first displayed day: a little more than a year before the as-of time.
  let firstDay: String
  /// The day of the as-of time.
  let lastDay: String
  /// The as-of time, ISO 8601 in UTC.
  let asOf: String
  /// The time zone of the charts by day; `nil` for UTC.
  let zone: TimeZoneRules?
  /// The last purchase day that the exports cover completely; `nil` if unknown.
  let completeThrough: CivilDay?

  /// The largest number of displayed days.
  static let days: Int64 = 400
  /// The largest number of currencies whose days are displayed.
  static let currencies = 8
  /// The largest number of rows in a table of the page.
  static let rows = 1000

  /// The complete months: over, covered by the exports, and looked at since.
  private let completeMonths: Set<String>

  init(_ run: RunFigures, zone: TimeZoneRules? = nil, on db: Database) throws {
    (asOf, self.zone) = (run.asOf, zone)
    let day = CivilDay(text: String(run.asOf.prefix(10)))
    lastDay = day?.text ?? ""
    firstDay = day?.advanced(by: -Self.days).text ?? ""
    completeThrough = run.completeThrough.flatMap { CivilDay(text: $0) }
    completeMonths = try Set(
      String.fetchAll(db, sql: "SELECT month FROM completeness_monthly WHERE is_complete = 1"))
  }

  /// Returns true if a month such as `2021-08` is complete.
  func isComplete(month: String) -> Bool { completeMonths.contains(month) }
}
