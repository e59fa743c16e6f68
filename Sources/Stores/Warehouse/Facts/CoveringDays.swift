public import CivilTime

/// The days of the exports that tell how far purchases are covered.
///
/// Those of receipts, as signed transactions are often fetched for the chains that receipts name.
/// Where there are no receipts, or signed transactions go on after the receipts have ended, those of
/// signed transactions count as well.
///
/// Example: receipts through 31 December and signed transactions through 9 January are covered
/// through December's end; with signed transactions of 10 January, through these.
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
