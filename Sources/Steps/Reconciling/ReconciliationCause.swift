/// The cause of a difference between Apple's books and the facts; the causes sum to the whole
/// difference.
public enum ReconciliationCause: String, Hashable, Comparable, Sendable, CaseIterable {
  /// Apple's reports and the facts agree.
  case equal
  /// Apple counts it on the day before or after, which lies in another month or is not reported.
  case dayBoundary = "day_boundary"
  /// A payment that was late: Apple charged in a grace period or in billing retry, on a later
  /// day than in the receipt.
  case recoveredLate = "recovered_late"
  /// A refund that only one side knows, or knows in another month.
  case refund
  /// A part went back: Apple's share after an upgrade, or a refund of another size.
  case proration
  /// Both know the purchase, at different prices; or its price is not known here.
  case price
  /// Apple charged for it, but no receipt shows it.
  case receiptMissing = "receipt_missing"
  /// Apple gave it for nothing, as with a promo code.
  case notCharged = "not_charged"
  /// Apple's report of the day, or of one beside it, is missing.
  case noReport = "no_report"
  /// Apple names the product by an Apple ID that is neither in a Sales report nor in the catalogue.
  case unmapped
  /// Apple settled it in another fiscal month than it was charged in.
  case settlement
  /// A product of another app: no part of the comparison.
  case otherProducts = "other_products"
  /// Nothing explains it.
  case unexplained

  /// The order of the list.
  public static func < (left: ReconciliationCause, right: ReconciliationCause) -> Bool {
    left.position < right.position
  }

  private var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
