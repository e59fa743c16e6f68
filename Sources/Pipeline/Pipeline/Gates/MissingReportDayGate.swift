internal import AppleReports
internal import CivilTime
internal import Diagnostics

/// The gate `missing_report_day`: days without one of Apple's daily reports, between days that have
/// it.
///
/// Purchases of such a day are not compared with that report, and it proves none of their amounts.
/// Apple deletes daily reports after a year.
///
/// Example: with Sales reports of May 1, 2 and 4, the Sales report of May 3 is missing.
enum MissingReportDayGate {
  /// Returns one finding for the reports in use; `nil` if no day is missing.
  static func finding(_ files: [AppleReportFile]) -> GateFinding? {
    let reports: [AppleReport] = [.sales, .subscriber]
    let missing = reports.map { report in
      (report, DayGaps.between(files.filter { $0.report == report }.compactMap(\.day)))
    }.filter { !$0.1.isEmpty }
    let days = missing.flatMap { $0.1.flatMap { [$0.lowerBound, $0.upperBound] } }
    guard let first = days.min(), let last = days.max() else { return nil }
    let items = missing.map { report, gaps in
      GateFinding.Item(
        subject: "\(report.rawValue) \(DayGaps.text(gaps))", found: "no report",
        expected: "one report per day")
    }
    let subjects = items.map(\.subject).joined(separator: "; ")
    var finding = GateFinding(
      .missingReportDay, items,
      message: "Apple's daily reports lack days between others: \(subjects). Purchases of these "
        + "days are not compared with the report.",
      fault: "\(Gate.missingReportDay.rawValue) \(subjects)")
    finding.remedy =
      "Fetch them: paidline-fetch reports --from \(first.text) --through \(last.text). Apple "
      + "deletes daily reports after a year."
    finding.page = .books
    finding.duration = .onceForAll
    return finding
  }
}
