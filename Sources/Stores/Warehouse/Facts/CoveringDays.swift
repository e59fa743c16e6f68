public import CivilTime
internal import PurchaseModel
public import SharedTables

/// Determines the purchase days that the exports cover.
///
/// Exports of hosted services count like signed transactions.
///
/// Usually only the days of receipts are used, because signed transactions are often fetched only
/// for chains in receipts. The days of signed transactions are added if there are no receipts, or
/// if signed transactions continue after the receipts have ended.
///
/// Example for a `patience` of 7 days: the receipts end on December 31. Signed transactions through
/// January 7 are not used; if they continue through January 8, all their days are used.
public enum CoveringDays {
  /// The export days that cover purchases, in ascending order.
  ///
  /// - Returns: The days; a day may occur several times.
  public static func days(
    receipts: some Collection<CivilDay>, signed: some Collection<CivilDay>, patience: Int
  ) -> [CivilDay] {
    guard let last = receipts.max() else { return signed.sorted() }
    guard let newest = signed.max(), newest > last.advanced(by: Int64(patience)) else {
      return receipts.sorted()
    }
    return (Array(receipts) + signed).sorted()
  }

  /// Finds the last purchase day that the exports cover completely; `nil` without dated exports.
  ///
  /// Each export completes the day before the export day. Days after a missing export day are not
  /// complete. But a missing day is ignored if there is an export at least `patience` days after
  /// the missing day. So one lost export does not block all days after it forever. Only used
  /// exports with purchases are considered, not price reports. With a given as-of time, exports
  /// after this time are ignored.
  ///
  /// Example for a `patience` of 7 days: exports of February 1, 2, 4 and 5 are complete through the
  /// 1st. With all exports from the 6th to the 10th as well, they are complete through the 9th.
  ///
  /// - Parameters:
  ///   - asOf: The as-of time of the facts, if the operator set it.
  /// - Returns: The last purchase day that the exports cover completely.
  public static func completeThrough(
    _ files: [StoredFile], after patience: Int, asOf: Instant?
  ) -> CivilDay? {
    func days(_ kind: InputFile.Kind) -> [CivilDay] {
      files.filter { $0.kind == kind && $0.status == .used }.compactMap(\.exportDate)
        .filter { day in asOf.map { day <= $0.day } ?? true }
    }
    let covering = Self.days(
      receipts: days(.receipts), signed: days(.signed) + days(.exports), patience: patience)
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
