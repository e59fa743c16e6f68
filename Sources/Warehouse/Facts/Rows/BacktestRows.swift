internal import Amounts
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases

/// `audit_backtest`: what the rules say of purchases whose signed price is hidden, in key order.
enum BacktestRows {
  /// All rows.
  static func source(_ content: WarehouseContent) -> FactSource {
    let purchases = content.purchases.purchases
    let ordered = content.backtest.sorted { purchases[$0.row].key < purchases[$1.row].key }
    return FactSource(.table("audit_backtest"), units: ordered.count) { places, table in
      for row in ordered[places] {
        table.key("purchase_key", purchases[row.row].key.rawValue)
        table.integer("signed_milli", row.signed.amount.rawValue)
        table.text("rule", row.decided.rule.rawValue)
        table.text("status", row.decided.status.rawValue)
        table.integer("rule_milli", row.decided.paid?.rawValue)
        table.integer("low_milli", row.decided.low.rawValue)
        table.integer("high_milli", row.decided.high?.rawValue)
        table.text("verdict", row.verdict.rawValue)
        table.insert()
      }
    }
  }
}
