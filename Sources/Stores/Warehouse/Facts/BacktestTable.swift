internal import Amounts
internal import GRDB
public import Diagnostics
public import PaidAmounts
internal import PurchaseModel
public import Purchases
internal import SQLiteFiles

/// The table `audit_backtest`: the amounts that the rules decide without the signed prices.
///
/// `paidline backtest` writes it; no run does. A run only deletes rows whose purchase is gone, or
/// has another signed price now. So the content digest does not cover the table.
enum BacktestTable {
  /// Deletes the rows that contradict changed purchases; `temp.touched_fct_revenue` has their keys.
  static func deleteOutdated(on db: Database) throws {
    try db.execute(
      sql: """
        DELETE FROM audit_backtest
        WHERE purchase_key IN (SELECT number FROM temp.touched_fct_revenue)
          AND NOT EXISTS (
            SELECT 1 FROM fct_revenue AS r WHERE r.purchase_key = audit_backtest.purchase_key
              AND r.signed_price_milli = audit_backtest.signed_milli)
        """)
  }
}

extension WarehouseDatabase {
  /// Replaces the rows of `audit_backtest`, and names the newest run as the one they belong to.
  ///
  /// - Parameter rows: The purchases with a signed price, sorted by key.
  public func replaceBacktest(_ rows: [(purchase: PurchaseKey, row: BacktestRow)])
    throws(RunFailure)
  {
    let file = try open(.readWrite)
    try file.write(.factsWritten) { db in
      try db.execute(sql: "DELETE FROM audit_backtest")
      let run = try Int64.fetchOne(db, sql: "SELECT MAX(run_id) FROM audit_run")
      let statement = try RawStatement(
        "audit_backtest", "INSERT INTO audit_backtest VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", on: db)
      for (purchase, row) in rows {
        try statement.run(
          purchase.rawValue, run, row.signed.amount.rawValue, row.decided.rule.rawValue,
          row.decided.status.rawValue, row.decided.paid?.rawValue, row.decided.low.rawValue,
          row.decided.high?.rawValue, row.outcome.rawValue)
      }
    }
    try file.checkpoint()
    try file.close()
  }
}
