public import CivilTime

/// A file of Apple's reports whose lines count.
public struct AppleReportFile: Hashable, Sendable {
  /// Its number in state.db and `audit_file`.
  public var fileID: Int64
  /// The report; `nil` for a file without a header.
  public var report: AppleReport?
  /// The day that it is about; `nil` if neither its name nor a line has it.
  public var day: CivilDay?

  /// The apps that its lines name; empty where no other file is about the same report and day.
  public var apps: Set<String> = []

  /// Creates a file from its fields.
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
    guard let report, let day, report != .financial, report != .financeDetail else { return nil }
    return Place(report: report, day: day)
  }

  /// The files whose lines count: of several that take one place, the first; but a file that has no
  /// app in common with it is another vendor's, and is used beside it.
  ///
  /// Apple may issue a report of a day again under another name. For example of the Sales reports
  /// `sales-2024-05-12.txt.gz` and `sales-2024-05-12-v2.txt.gz` the one that stands first is used.
  ///
  /// - Parameter files: All files, those preferred first.
  /// - Returns: Those that count, by number.
  public static func counting(_ files: [AppleReportFile]) -> [AppleReportFile] {
    var taken: [Place: [Set<String>]] = [:]
    return files.filter { file in
      guard let place = file.place else { return true }
      let isAnother = taken[place, default: []].allSatisfy { apps in
        !apps.isEmpty && !file.apps.isEmpty && apps.isDisjoint(with: file.apps)
      }
      if isAnother { taken[place, default: []].append(file.apps) }
      return isAnother
    }.sorted { $0.fileID < $1.fileID }
  }
}
