public import CivilTime
internal import PurchaseModel

extension BillingTimelines {
  /// Returns the time until which each row of a chain gives access, in the order of the rows.
  ///
  /// It is the row's end, or an earlier refund or upgrade. A subscription has one period at a time,
  /// so that a period also ends when a later row begins, even if nothing marks it as upgraded.
  /// Example: a year from May 1 and a month of another product from June 10 → the year ends on
  /// June 10. A later row that was refunded ends no other.
  public func accessEnds(of chain: Chain, _ book: PurchaseHistory) -> [Instant] {
    var ends = chain.rows.map { row in
      let end = book.purchases[row].endsAt
      return rows[row].reversal.map { min($0.at, end) } ?? end
    }
    var nextBeginning: Instant?
    for (place, row) in chain.rows.enumerated().reversed() {
      let purchase = book.purchases[row]
      // A row that was replaced before it began gives no access, and ends no other.
      guard purchase.isSubscription, ends[place] > purchase.purchasedAt else { continue }
      if let next = nextBeginning { ends[place] = min(ends[place], next) }
      if rows[row].reversal?.kind != .refund { nextBeginning = purchase.purchasedAt }
    }
    return ends
  }
}
