internal import Amounts
internal import Deciding
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases

/// Writes `audit_backtest`: the amounts that the rules would decide without the signed prices.
extension RowWriter {
  /// Writes the row of a purchase with a signed price.
  mutating func write(_ row: BacktestRow, _ decided: borrowing DecidedHouseholds) {
    let purchase = decided.purchases.purchases[row.row]
    table.begin(.backtest)
    table.key("purchase_key", purchase.key.rawValue)
    table.integer("signed_milli", row.signed.amount.rawValue)
    table.text("rule", row.decided.rule.rawValue)
    table.text("status", row.decided.status.rawValue)
    table.integer("rule_milli", row.decided.paid?.rawValue)
    table.integer("low_milli", row.decided.low.rawValue)
    table.integer("high_milli", row.decided.high?.rawValue)
    table.text("verdict", row.outcome.rawValue)
    table.insert(key(purchase.originalTransactionID))
  }
}
