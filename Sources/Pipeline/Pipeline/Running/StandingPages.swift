internal import Diagnostics
internal import StateStore

/// The pages that `paidline-publish` wrote, and the files from which it made them.
///
/// While none of them changes, the stage would write the same pages again. Then a run without news
/// leaves the stage out.
struct StandingPages {
  private static let setting = "pages"

  private let definition: PipelineDefinition
  private let state: StateDatabase

  init(_ definition: PipelineDefinition) throws(RunFailure) {
    self.definition = definition
    state = try StateDatabase.open(path: definition.statePath, create: false)
  }

  /// Whether all pages are there, and neither a page nor a file from which it was made has changed.
  func stand() throws(RunFailure) -> Bool {
    guard let stamps else { return false }
    return try state.setting(Self.setting) == stamps
  }

  /// Notes the files as they are after the stage has written the pages.
  func note() throws(RunFailure) { try state.set(stamps, for: Self.setting) }

  /// A line for each file with its stamp; `nil` if a file is missing.
  private var stamps: String? {
    // A log with content may hold a newer publication than the file.
    let log = try? PathStatus(at: definition.warehousePath + "-wal")
    guard log?.size ?? 0 == 0 else { return nil }
    let sources = [
      "/proc/self/exe", definition.path, definition.warehousePath, definition.ratesPath,
      definition.moreRatesPath, definition.chartScriptPath,
    ].compactMap(\.self)
    var lines: [String] = []
    for path in sources + definition.publications.map(\.path) {
      guard let status = try? PathStatus(at: path) else { return nil }
      lines.append("\(path) \(status.stamp)")
    }
    if definition.chartScriptPath == nil {
      let stamp = (try? PathStatus(at: PipelineDefinition.installedChartScript))?.stamp
      lines.append(stamp.map { "\($0)" } ?? "no chart script")
    }
    return lines.joined(separator: "\n")
  }
}
