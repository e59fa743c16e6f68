internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// Reports entries whose records have times without a zone, which are read as UTC.
///
/// A database of a server in Berlin may have written the time of its own clock.
enum LocalTimes {
  /// Returns one message for each entry with such times in the new files.
  static func findings(_ outcomes: [InputOutcome], _ definition: PipelineDefinition)
    -> [WarningThrottle.Found]
  {
    let found = outcomes.filter { $0.notices.localTimes > 0 }.map { outcome in
      let kind = outcome.identity.kind
      return (
        path: outcome.path, kind: kind,
        entry: definition.entry(of: outcome.path, kind: kind)?.text ?? outcome.path
      )
    }
    return EntryGroups.grouped(found) { "\($0.kind.rawValue)\n\($0.entry)" }.map { group in
      let first = group[0]
      let files = EntryGroups.subject(
        OneLine.text(first.path), count: group.count, entry: first.entry)
      return WarningThrottle.Found(
        fault: "local_times \(first.kind.rawValue) \(first.entry)",
        message:
          "times of \(files) name no zone and are read as UTC; if they are of another clock, write "
          + "for example time_zone: Europe/Berlin in the entry of inputs.\(first.kind.rawValue). "
          + DocsPage.formats.reference,
        duration: .onceForAll)
    }
  }
}
