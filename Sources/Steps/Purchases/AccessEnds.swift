internal import CivilTime

extension BillingTimelines {
  /// Sets the time until which each row of a chain gives access.
  ///
  /// It is the row's end, or an earlier refund or upgrade. A subscription has one period at a time,
  /// so that a period also ends when a later row begins, even if nothing marks it as upgraded.
  /// Example: a year from May 1 and a month of another product from June 10 → the year ends on
  /// June 10. A later row that was refunded ends no other.
  public mutating func setAccessEnds(of chain: Chain, _ book: PurchaseHistory) {
    var nextBeginning: Instant?
    for row in chain.rows.reversed() {
      let purchase = book.purchases[row]
      let reversal = rows[row].reversal
      rows[row].accessEndsAt = reversal.map { min($0.at, purchase.endsAt) } ?? purchase.endsAt
      // A row that was replaced before it began gives no access, and ends no other.
      guard purchase.isSubscription, rows[row].accessEndsAt > purchase.purchasedAt else { continue }
      if let next = nextBeginning { rows[row].accessEndsAt = min(rows[row].accessEndsAt, next) }
      if reversal?.kind != .refund { nextBeginning = purchase.purchasedAt }
    }
  }
}
