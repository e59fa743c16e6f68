internal import Diagnostics

/// The gate `limits.rejected_share`: files of whose records too many cannot be used.
struct RejectGate: Hashable {
  /// The greatest share, in millionths, that passes.
  let perMillion: Int

  /// Whether more of some records were rejected than may be.
  func stops(_ tally: RecordTally) -> Bool {
    tally.rejected > 0 && tally.rejected * 1_000_000 > perMillion * tally.records
  }

  /// What was found in so many files, as the beginning of a sentence.
  func finding(_ tally: RecordTally, files: Int) -> String {
    """
    \(tally.rejected) of \(Count.text(tally.records, "record")) of \(Count.text(files, "file")) \
    rejected, \(RevenueSummary.percent(Int64(tally.rejected), Int64(tally.records)))
    """
  }

  /// Whether a single reject is more than these files may have, and a record of each could be used:
  /// then the reject may be one that happens.
  func isSmallNight(_ files: [RecordTally]) -> Bool {
    let records = files.reduce(0) { $0 + $1.records }
    return !files.contains(where: \.isBarren) && perMillion * records < 1_000_000
  }
}
