internal import Deciding
internal import PurchaseModel
internal import Purchases

/// Writes `bridge_transaction_id` and `excluded_purchase`.
///
/// The first has the transaction ids of all purchases, the second has the purchases that are
/// excluded from revenue.
extension RowWriter {
  /// Writes one row per transaction id of the households' purchases.
  mutating func writeAliases(_ decided: borrowing DecidedHouseholds) {
    for alias in decided.purchases.aliases {
      let purchase = decided.purchases.purchases[alias.purchase.index]
      table.begin(.bridge)
      table.text("transaction_id", alias.transactionID.number)
      table.integer("purchase_key", purchase.key.rawValue)
      table.insert()
    }
  }

  /// Writes one row per excluded purchase.
  mutating func writeExcluded(_ decided: borrowing DecidedHouseholds) {
    for position in decided.purchases.revenueCount..<decided.purchases.purchases.count {
      let purchase = decided.purchases.purchases[position]
      table.begin(.excludedPurchase)
      table.key("purchase_key", purchase.key.rawValue)
      table.text("transaction_id", purchase.transactionID.number)
      table.text("reason", purchase.exclusion?.rawValue)
      table.insert()
    }
  }
}
