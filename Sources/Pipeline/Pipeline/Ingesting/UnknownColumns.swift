internal import Diagnostics

/// Reports the columns of App Analytics' reports that this program does not know.
///
/// Such a column may divide counts, or change what they mean.
enum UnknownColumns {
  /// Returns one message for each set of unknown columns in the new files.
  static func findings(_ outcomes: [InputOutcome]) -> [WarningThrottle.Found] {
    let found = outcomes.filter { !$0.unknownColumns.isEmpty }.sorted { $0.path < $1.path }
    return EntryGroups.grouped(found) { $0.unknownColumns.joined(separator: "\n") }.map { group in
      let columns = group[0].unknownColumns.map(OneLine.text).joined(separator: ", ")
      let subject =
        OneLine.text(group[0].path)
        + (group.count > 1 ? " and \(Count.text(group.count - 1, "other file"))" : "")
      return WarningThrottle.Found(
        fault: "unknown_column \(columns)",
        message:
          "\(subject): App Analytics has columns that this version does not know: \(columns). "
          + "The counts are used as they stand; compare them with App Store Connect. "
          + DocsPage.books.reference,
        duration: .onceForAll)
    }
  }
}
