internal import SQLiteFiles
internal import GRDB
package import SharedTables

/// A change of a published amount, with the purchase and the run.
package struct PublishedChange: Hashable, Sendable {
  package var change: AmountChange
  /// The end of the run; `nil` if the list of runs is lost.
  package var changedAt: String?
  /// The transaction id of the purchase; `nil` if no export contains the purchase any more.
  package var transactionID: String?
  /// The product; `nil` for a purchase that is no revenue.
  package var productID: String?
  /// The purchase day; `nil` for a purchase that is no revenue.
  package var day: String?

  private static let columns = """
    SELECT c.*, u.finished_at, COALESCE(r.transaction_id, x.transaction_id) AS transaction_id,
      r.product_id, r.purchased_date
    FROM audit_change AS c
      LEFT JOIN audit_run AS u ON u.run_id = c.run_id
      LEFT JOIN fct_revenue AS r ON r.purchase_key = c.purchase_key
      LEFT JOIN excluded_purchase AS x ON x.purchase_key = c.purchase_key
    """

  private static func fetch(_ condition: String, _ arguments: StatementArguments, on db: Database)
    throws -> [PublishedChange]
  {
    try StoredRow.fetchAll(db, sql: "\(columns) WHERE \(condition)", arguments: arguments)
      .compactMap { row in
        AmountChange(row).map { change in
          PublishedChange(
            change: change, changedAt: row["finished_at"], transactionID: row["transaction_id"],
            productID: row["product_id"], day: row["purchased_date"])
        }
      }
  }

  /// Reads the changes of a purchase's amount, oldest first, by any of its transaction ids.
  package static func changes(ofTransaction id: String, on db: PublishedFacts) throws
    -> [PublishedChange]
  {
    try fetch(
      """
      c.purchase_key = (SELECT purchase_key FROM bridge_transaction_id WHERE transaction_id = ?)
      ORDER BY c.run_id
      """, [id], on: db)
  }

  /// Reads the first `limit` changes of a run: by purchase day, the newest first; then those of
  /// purchases that are no revenue any more.
  package static func changes(ofRun run: Int64, limit: Int, on db: PublishedFacts) throws
    -> [PublishedChange]
  {
    try fetch(
      "c.run_id = ? ORDER BY r.purchased_date DESC NULLS LAST, c.purchase_key LIMIT ?",
      [run, limit], on: db)
  }

  /// Counts the stored changes of a run.
  package static func count(ofRun run: Int64, on db: PublishedFacts) throws -> Int {
    try Int.fetchOne(
      db, sql: "SELECT count(1) FROM audit_change WHERE run_id = ?", arguments: [run]) ?? 0
  }

  /// The number of the newest run that published.
  package static func newestRun(on db: PublishedFacts) throws -> Int64? {
    try Int64.fetchOne(db, sql: "SELECT MAX(run_id) FROM audit_run")
  }
}
