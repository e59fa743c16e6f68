/// The cause of a difference between Apple's reports and the facts; the causes sum to the whole
/// difference.
public enum ReconciliationCause: String, Hashable, Comparable, Sendable, CaseIterable {
  /// Apple's reports and the facts agree.
  case equal
  /// Apple has it on a neighbouring day, which lies in another month or has no report.
  case dayBoundary = "day_boundary"
  /// A late payment: Apple charged in a grace period or in billing retry, on a later day than in
  /// the receipt.
  case recoveredLate = "recovered_late"
  /// A refund on only one side, or in different months.
  case refund
  /// A partial refund: after an upgrade, or with different sizes on both sides.
  case proration
  /// Both sides have the purchase, at different prices, or its price is unknown here.
  case price
  /// Apple charged for it, but no receipt shows it.
  case receiptMissing = "receipt_missing"
  /// Apple charged nothing, such as for a promo code.
  case notCharged = "not_charged"
  /// Apple's report of the day or of a neighbouring day is missing.
  case noReport = "no_report"
  /// Apple's line has an Apple ID that is neither in a Sales report nor in the catalogue.
  case unmapped
  /// Apple charged and settled it in different fiscal months.
  case settlement
  /// A product of another app, which is not part of the comparison.
  case otherProducts = "other_products"
  /// None of the other causes applies.
  case unexplained

  /// Orders causes as in this list.
  public static func < (left: ReconciliationCause, right: ReconciliationCause) -> Bool {
    left.position < right.position
  }

  private var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
