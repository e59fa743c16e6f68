public import CivilTime
internal import PurchaseModel
public import SharedTables

/// The export days up to which purchases are covered.
///
/// These are the days of receipts, because signed transactions are often fetched for the chains
/// that receipts name. Without receipts, or if signed transactions go on after the receipts have
/// ended, the days of signed transactions count as well.
///
/// Example: receipts through 31 December and signed transactions through 9 January are covered
/// through the end of December; with signed transactions of 10 January, through 10 January.
public enum CoveringDays {
  /// The covering days, in order.
  ///
  /// - Parameters:
  ///   - receipts: The days in the names of receipt exports that count.
  ///   - signed: Those in the names of exports of signed transactions that count.
  ///   - patience: For how many days receipts may be missing before they have ended.
  /// - Returns: The days, each as often as it is named.
  public static func days(
    receipts: some Collection<CivilDay>, signed: some Collection<CivilDay>, patience: Int
  ) -> [CivilDay] {
    guard let last = receipts.max() else { return signed.sorted() }
    guard let newest = signed.max(), newest > last.advanced(by: Int64(patience)) else {
      return receipts.sorted()
    }
    return (Array(receipts) + signed).sorted()
  }

  /// The day before the newest export day that no gap precedes; `nil` without dated exports.
  ///
  /// A missing day is no longer a gap once the newest export is so many days later, so that one
  /// lost export does not hold up all days after it. Only exports that were used and hold purchases
  /// count: a price report completes no purchase day. With a given moment, later
  /// exports tell nothing and complete nothing.
  ///
  /// Example: exports of 1, 2, 4 and 5 February are complete through the 1st; with one of the 10th
  /// and those between, through the 9th.
  ///
  /// - Parameters:
  ///   - files: The files of a run.
  ///   - patience: The number of further export days after which a day counts as complete.
  ///   - asOf: The moment that the facts are told for, if it was given.
  /// - Returns: The last purchase day that the exports wholly cover.
  public static func completeThrough(
    _ files: [StoredFile], after patience: Int, asOf: Instant?
  ) -> CivilDay? {
    func days(_ kind: InputFile.Kind) -> [CivilDay] {
      files.filter { $0.kind == kind && $0.status == .used }.compactMap(\.exportDate)
        .filter { day in asOf.map { day <= $0.day } ?? true }
    }
    let covering = Self.days(
      receipts: days(.receipts), signed: days(.signed), patience: patience)
    guard var complete = covering.first, let newest = covering.last else { return nil }
    for day in covering.dropFirst() {
      let firstMissing = complete.advanced(by: 1)
      let lastMissing = day.advanced(by: -1)
      let isGap = firstMissing <= lastMissing
      guard !isGap || lastMissing.advanced(by: Int64(patience)) <= newest else { break }
      complete = day
    }
    return complete.advanced(by: -1)
  }
}
