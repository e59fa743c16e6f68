internal import AppleReports
internal import CivilTime
internal import GRDB

/// The days on which the facts are compared with Apple's reports.
///
/// These are the days with a Sales or Subscriber report, and all days of the fiscal months in
/// Finance Detail.
struct ComparedDays {
  let first: String
  let last: String
  let count: Int64
  /// The number of days between ``first`` and ``last`` without a report.
  let missing: Int64

  /// Reads the days; `nil` without a Sales, Subscriber or Finance Detail report.
  ///
  /// - Parameters:
  ///   - month: A single month, such as `2021-08`; `nil` for all.
  init?(month: String? = nil, on db: Database) throws {
    var days = try Set(
      String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT report_date FROM audit_apple_report
          WHERE report IN ('sales', 'subscriber')
          """))
    let settlements = try String.fetchAll(
      db,
      sql: """
        SELECT DISTINCT COALESCE(settled_date, event_date) FROM apple_report_line
        WHERE report = 'finance_detail'
        """)
    for settlement in settlements.compactMap({ CivilDay(text: $0) }) {
      days.formUnion(FiscalMonth.days(around: settlement).map(\.text))
    }
    if let month { days = days.filter { $0.hasPrefix(month) } }
    guard let first = days.min(), let last = days.max(), let begin = CivilDay(text: first),
      let end = CivilDay(text: last)
    else { return nil }
    (self.first, self.last, count) = (first, last, Int64(days.count))
    missing = end.daysSinceEpoch - begin.daysSinceEpoch + 1 - count
  }
}
