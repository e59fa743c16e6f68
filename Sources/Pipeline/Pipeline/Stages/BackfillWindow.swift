internal import CivilTime
internal import Logging
internal import PurchaseModel

/// The export days that a backfill reads, and its settings.
package struct BackfillWindow {
  /// The days whose exports are read.
  package let window: ExportWindow
  /// The files of known content to read again.
  package let reprocess: Reprocess
  /// The bytes of exports after which the content read so far is committed.
  package let stepBytes: Int64

  package init(window: ExportWindow, reprocess: Reprocess, stepBytes: Int64) {
    self.window = window
    self.reprocess = reprocess
    self.stepBytes = stepBytes
  }

  /// The compressed bytes read between two commits: half a gibibyte, some seconds of work.
  ///
  /// A kill costs at most one such step. It is not smaller, because each commit touches every page
  /// of state.db that holds one of its chains.
  package static let defaultStepBytes: Int64 = 512 << 20

  /// Warns an operator at a terminal about gaps, and about patterns without `{date}`.
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
