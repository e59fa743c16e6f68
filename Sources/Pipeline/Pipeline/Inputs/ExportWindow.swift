package import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// A range of export days; the first and the last day are included.
///
/// The export day of a file is the day at `{date}` in its path.
package struct ExportWindow: Hashable, Sendable {
  package let from: CivilDay
  package let through: CivilDay

  package init(from: CivilDay, through: CivilDay) {
    self.from = from
    self.through = through
  }

  func contains(_ day: CivilDay) -> Bool { from <= day && day <= through }

  /// The window as text for messages.
  var text: String { "\(from.text) through \(through.text)" }
}

/// The input files whose export days are in a window.
struct WindowInputs {
  /// The files in the window, sorted by day, then kind (receipts first), then path.
  var files: [FoundInput] = []
  /// The files with a day outside of the window.
  var outside: [FoundInput] = []
  /// The paths that match a pattern but must not be opened, regardless of their day.
  var refusals: [RefusedName] = []
  /// The patterns without `{date}`; their files are left out, because their days are unknown.
  var undated: [String] = []

  /// Finds the inputs in a window.
  ///
  /// - Throws: ``RunFailure`` with status 64 if no pattern has a `{date}`, and 66 if a pattern
  ///   matches nothing or the window contains no file.
  static func find(_ definition: PipelineDefinition, in window: ExportWindow) throws(RunFailure)
    -> WindowInputs
  {
    var inputs = WindowInputs()
    let patterns = InputFile.Kind.allCases.flatMap { definition.patterns(of: $0) }
    inputs.undated = patterns.filter { !$0.hasDate }.map(\.text)
    guard inputs.undated.count < patterns.count else {
      throw RunFailure(
        .usage,
        "\(OneLine.text(definition.path)): a backfill needs {date} in the patterns, but none of "
          + "\(inputs.undated.map { "\"\(OneLine.text($0))\"" }.joined(separator: ", ")) has "
          + "{date}; read everything with `paidline run`")
    }
    let found = try FoundInputs.find(definition, where: \.hasDate)
    inputs.refusals = found.refusals
    for file in found.files {
      if let day = file.exportDay, window.contains(day) {
        inputs.files.append(file)
      } else {
        inputs.outside.append(file)
      }
    }
    guard !inputs.files.isEmpty else {
      let days = found.files.compactMap(\.exportDay)
      let range = days.min().map { first in
        " The exports begin on \(first.text) and end on \((days.max() ?? first).text)."
      }
      throw RunFailure(
        .inputMissing,
        "there is no export of the days \(window.text); choose other days, or add the exports."
          + (range ?? ""))
    }
    // The files are sorted by kind and path; the sort by day keeps this order within a day.
    let order = inputs.files.indices.sorted { left, right in
      let (first, second) = (inputs.files[left].exportDay, inputs.files[right].exportDay)
      guard let first, let second, first != second else { return left < right }
      return first < second
    }
    inputs.files = order.map { inputs.files[$0] }
    return inputs
  }

  /// Finds the days without an export of a kind.
  ///
  /// Searches only between the first and the last export of this kind in the window.
  func gaps(of kind: InputFile.Kind) -> [ClosedRange<CivilDay>] {
    DayGaps.between(files.filter { $0.kind == kind }.compactMap(\.exportDay))
  }
}

/// Finds the days that are missing in a list of days.
enum DayGaps {
  /// Finds the missing days between the first and the last day, as ranges, oldest first.
  static func between(_ days: [CivilDay]) -> [ClosedRange<CivilDay>] {
    let sorted = Set(days).sorted()
    return zip(sorted, sorted.dropFirst()).compactMap { earlier, later in
      let first = earlier.advanced(by: 1)
      return first < later ? first...later.advanced(by: -1) : nil
    }
  }

  /// Returns ranges of days as text for messages: `2021-03-04, 2021-03-07 to 2021-03-09`.
  static func text(_ gaps: [ClosedRange<CivilDay>], atMost limit: Int = 10) -> String {
    let shown = gaps.prefix(limit).map { gap in
      gap.lowerBound == gap.upperBound
        ? gap.lowerBound.text : "\(gap.lowerBound.text) to \(gap.upperBound.text)"
    }
    let more = gaps.count - limit
    return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more gaps" : "")
  }
}
