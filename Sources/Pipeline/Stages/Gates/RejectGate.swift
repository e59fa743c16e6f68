internal import Diagnostics
internal import Warehouse

/// The gate `limits.rejected_share`: files of which too much cannot be used.
///
/// It counts records and, because a whole export that lies in one object or under the wrong name
/// is a single record, the bytes of files without one usable record too.
struct RejectGate: Hashable {
  /// The greatest share, in millionths, that passes.
  let perMillion: Int

  /// What is too much of some files; `nil` where nothing is.
  enum Finding: Hashable {
    /// So many records were rejected.
    case records(rejected: Int, of: Int)
    /// So many files of so many bytes hold no record that could be used.
    case bytes(barrenFiles: Int, barren: Int64, of: Int64)
  }

  /// Judges the files of one run together; refused ones and empty ones have no say.
  func finding(_ files: [InputAccount]) -> Finding? {
    let tally = files.reduce(into: RecordTally()) { $0.add($1.tally) }
    if exceeds(Int64(tally.rejected), of: Int64(tally.records)) {
      return .records(rejected: tally.rejected, of: tally.records)
    }
    let barren = files.filter(\.isBarren)
    let barrenBytes = barren.reduce(0) { $0 + $1.bytes }
    let bytes = files.filter { $0.tally.records > 0 }.reduce(0) { $0 + $1.bytes }
    guard exceeds(barrenBytes, of: bytes) else { return nil }
    return .bytes(barrenFiles: barren.count, barren: barrenBytes, of: bytes)
  }

  /// Whether a single reject is more than these files may have, and a record of each could be used:
  /// then the reject may be one that happens.
  func isSmallNight(_ files: [InputAccount]) -> Bool {
    let records = files.reduce(0) { $0 + $1.tally.records }
    return !files.contains(where: \.isBarren) && perMillion * records < 1_000_000
  }

  private func exceeds(_ part: Int64, of whole: Int64) -> Bool {
    let scaled = part.multipliedFullWidth(by: 1_000_000)
    let allowed = whole.multipliedFullWidth(by: Int64(perMillion))
    return part > 0 && (scaled.high, scaled.low) > (allowed.high, allowed.low)
  }
}

extension RejectGate.Finding {
  /// What was found, as the beginning of a sentence.
  func text(files: Int) -> String {
    switch self {
    case .records(let rejected, let records):
      """
      \(rejected) of \(Count.text(records, "record")) of \(Count.text(files, "file")) rejected, \
      \(RevenueSummary.percent(Int64(rejected), Int64(records)))
      """
    case .bytes(let barrenFiles, let barren, let bytes):
      """
      no record of \(Count.text(barrenFiles, "file")) could be used, \
      \(RevenueSummary.percent(barren, bytes)) of the bytes of \(Count.text(files, "file"))
      """
    }
  }
}
