internal import Diagnostics
internal import Logging
internal import PurchaseModel

/// The export days that a backfill reads, and its settings.
package struct BackfillWindow {
  /// The days whose exports are read.
  package let window: ExportWindow
  /// The files with known content that are read again.
  package let reprocess: Reprocess
  /// The number of compressed bytes of exports that are read between two commits.
  package let stepBytes: Int64

  package init(window: ExportWindow, reprocess: Reprocess, stepBytes: Int64) {
    self.window = window
    self.reprocess = reprocess
    self.stepBytes = stepBytes
  }

  /// The default number of compressed bytes between two commits: half a gibibyte.
  ///
  /// Half a gibibyte is read in a few seconds, and a killed process loses only what it has read
  /// since the last commit. More commits would be slower, because each commit changes every page of
  /// state.db that contains one of its chains.
  package static let defaultStepBytes: Int64 = 512 << 20

  /// Warns about gaps in the window, and about patterns without `{date}`.
  ///
  /// They are logged as notices, which by default appear only on a terminal.
  func report(of inputs: WindowInputs, log: Logger) {
    for pattern in inputs.undated {
      log.notice(
        "\"\(OneLine.text(pattern))\" has no {date}, so a backfill skips its files")
    }
    for kind in InputFile.Kind.allCases {
      let gaps = inputs.gaps(of: kind)
      if !gaps.isEmpty { log.notice("no \(kind.rawValue) for \(DayGaps.text(gaps))") }
    }
  }
}
