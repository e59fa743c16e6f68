internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `unresolved`: nothing is known but what the row cannot have cost more than.
  func unresolved(_ row: RowUnderDecision, listPrice: Milliunits?) throws(AmountError) -> Decision {
    Decision(
      paid: nil, low: .zero, high: try highest(row, listPrice: listPrice), status: .unresolved)
  }

  /// The list price for the whole quantity; of an offer, for every period the row covers.
  private func highest(_ row: RowUnderDecision, listPrice: Milliunits?) throws(AmountError)
    -> Milliunits?
  {
    guard let listPrice else { return nil }
    let list = try listPrice.multiplied(by: row.quantity)
    guard row.kind.isOffer else { return list }
    guard let covered = row.coveredPeriod,
      let usual = courses.productPeriods[book.purchases[row.row].productID]
    else { return nil }
    return try list.multiplied(by: covered.count(of: usual))
  }
}
