public import CivilTime

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
}
