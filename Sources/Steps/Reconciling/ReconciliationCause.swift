/// The cause of a difference between Apple's reports and the facts.
///
/// The differences of all causes add up to the whole difference.
public enum ReconciliationCause: String, Hashable, Comparable, Sendable, CaseIterable {
  /// Apple's reports and the facts agree.
  case equal
  /// Apple's reports and the facts have the charge on neighboring days.
  ///
  /// The days are in two months, or one of them has no report.
  case dayBoundary = "day_boundary"
  /// A late payment: Apple charged in a grace period or in billing retry, later than the day in the
  /// receipt.
  case recoveredLate = "recovered_late"
  /// A refund that only Apple's reports or only the facts contain, or that they contain in
  /// different months.
  case refund
  /// A partial refund, such as after an upgrade, or a refund with another amount in Apple's reports
  /// than in the facts.
  case proration
  /// The price of the purchase in Apple's reports differs from the price in the facts, or is
  /// unknown in the facts.
  case price
  /// Apple charged for a purchase that no receipt contains.
  case receiptMissing = "receipt_missing"
  /// Apple charged nothing for the purchase, for example because of a promo code.
  case notCharged = "not_charged"
  /// The amount of the purchase is unknown, and Apple's reports have no charge left for it.
  case unknownAmount = "unknown_amount"
  /// Apple's report of the day or of a neighboring day is missing.
  case noReport = "no_report"
  /// A line in Apple's reports has an Apple ID without a known product, or a charge of the facts
  /// may belong to such a line.
  ///
  /// A product is known if a Sales report or the catalogue has the Apple ID.
  case unmapped
  /// Apple charged in one fiscal month and settled in another.
  case settlement
  /// A charge on a day on which Apple's two reports differ, or on which Apple's numbers are
  /// implausible.
  ///
  /// Which of the reports is right is not known, so the charge is evidence for neither side.
  case doubted
  /// A product of another app, which is not part of the comparison.
  case otherProducts = "other_products"
  /// None of the other causes applies.
  case unexplained

  /// Orders causes by the order of their declaration.
  public static func < (left: ReconciliationCause, right: ReconciliationCause) -> Bool {
    left.position < right.position
  }

  private var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
