internal import CivilTime
internal import Logging
internal import PurchaseModel

/// What a backfill reads, and how.
struct BackfillWindow {
  /// The days whose exports are read.
  let window: ExportWindow
  /// Which files of known content are read again.
  let reprocess: Reprocess
  /// After how many bytes of exports what was read is committed.
  let stepBytes: Int64

  /// Half a gigabyte of compressed exports: some seconds of work, which is what a kill costs.
  ///
  /// Not less, as each commit touches every page of state.db that holds one of its chains.
  static let defaultStepBytes: Int64 = 512 << 20

  /// Tells a watching operator of gaps, and of patterns that no window can hold.
  func tell(of inputs: WindowInputs, log: Logger) {
    for pattern in inputs.undated {
      log.notice(
        "\"\(OneLine.text(pattern))\" has no {date}, so a backfill leaves its files alone")
    }
    for kind in InputFile.Kind.allCases {
      let gaps = inputs.gaps(of: kind)
      if !gaps.isEmpty { log.notice("no \(kind.rawValue) for \(DayGaps.text(gaps))") }
    }
  }
}
