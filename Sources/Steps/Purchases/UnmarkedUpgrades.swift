internal import CivilTime
internal import PurchaseModel

/// Marks the upgraded rows that no record marks.
///
/// A service marks none. Apple marks the upgraded transaction, which a notification about the new
/// one does not contain; but it calls the new one a purchase. A row that begins more than a day
/// before the end of the row before it, with another product of the chain, began in the middle of
/// paid time: Apple does this only for an upgrade. Changes to a lower plan begin at the end.
func markUpgrades(in book: inout PurchaseHistory) {
  for chain in book.chains {
    var previous: Int?
    for row in chain.rows where book.purchases[row].isSubscription {
      defer { previous = row }
      guard let before = previous,
        book.purchases[before].isOfServiceOnly || book.purchases[row].signed?.isBoughtAgain == true,
        book.purchases[before].cancelledAt == nil, !book.purchases[before].isUpgraded,
        book.purchases[before].productID != book.purchases[row].productID,
        let end = book.purchases[before].expiresAt,
        book.purchases[row].purchasedAt < end.advanced(by: .days(-1))
      else { continue }
      book.purchases[before].isUpgraded = true
      book.purchases[before].cancelledAt = book.purchases[row].purchasedAt
    }
  }
}
