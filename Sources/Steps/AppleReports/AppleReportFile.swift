public import CivilTime

/// A file with one of Apple's reports.
public struct AppleReportFile: Hashable, Sendable {
  /// The number of the file in state.db and `audit_file`.
  public var fileID: Int64
  /// The kind of report; `nil` for a file without a header.
  public var report: AppleReport?
  /// The day of the report; `nil` if neither the file's name nor a line has a day.
  public var day: CivilDay?

  /// The apps in the file's lines; empty unless another file has the same kind of report and day.
  public var apps: Set<String> = []

  /// Creates a file from its fields.
  public init(fileID: Int64, report: AppleReport?, day: CivilDay?) {
    self.fileID = fileID
    self.report = report
    self.day = day
  }

  /// The kind of a daily report and its day; a vendor has one report of each kind per day.
  public struct Place: Hashable {
    /// The kind of daily report.
    public var report: AppleReport
    /// The day, in the reports' time zone.
    public var day: CivilDay
  }

  /// The kind of report and the day of the file.
  ///
  /// `nil` for Financial and Finance Detail, because a month may have several of these reports.
  public var place: Place? {
    guard let report, let day, report != .financial, report != .financeDetail else { return nil }
    return Place(report: report, day: day)
  }

  /// Selects the files to use: usually the first file of each kind of report and day.
  ///
  /// Apple may issue a daily report again under another name. Example: of the Sales reports
  /// `sales-2024-05-12.txt.gz` and `sales-2024-05-12-v2.txt.gz`, the first in the list is used.
  /// Another file of that kind and day is used too if it has no app in common with the selected
  /// files, because it is then from another vendor. A file with only a header has no apps, so it
  /// is used in addition to a file with lines. All Financial and Finance Detail files are used.
  ///
  /// - Parameter files: All files, the preferred ones first.
  /// - Returns: The files to use, sorted by number.
  public static func counting(_ files: [AppleReportFile]) -> [AppleReportFile] {
    var taken: [Place: [Set<String>]] = [:]
    return files.filter { file in
      guard let place = file.place else { return true }
      let isAnother = taken[place, default: []].allSatisfy { apps in
        !(apps.isEmpty && file.apps.isEmpty) && apps.isDisjoint(with: file.apps)
      }
      if isAnother { taken[place, default: []].append(file.apps) }
      return isAnother
    }.sorted { $0.fileID < $1.fileID }
  }
}
