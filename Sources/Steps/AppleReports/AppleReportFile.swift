public import CivilTime

/// A file of Apple's reports whose lines count.
public struct AppleReportFile: Hashable, Sendable {
  /// Its number in state.db and `audit_file`.
  public var fileID: Int64
  /// The report; `nil` for a file without a header.
  public var report: AppleReport?
  /// The day that it is about; `nil` where neither its name nor a line tells.
  public var day: CivilDay?

  /// Describes a file.
  public init(fileID: Int64, report: AppleReport?, day: CivilDay?) {
    self.fileID = fileID
    self.report = report
    self.day = day
  }

  /// The identity of a report that only one file can have: the daily report of a day.
  public struct Place: Hashable {
    /// The report.
    public var report: AppleReport
    /// The day.
    public var day: CivilDay
  }

  /// The place that it takes; `nil` for a settlement, of which a month has several.
  public var place: Place? {
    guard let report, let day, report != .financial else { return nil }
    return Place(report: report, day: day)
  }
}
