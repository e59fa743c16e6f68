package import GRDB

/// Finds published purchases by their `purchase_key`.
package enum PublishedPurchase {
  /// Finds the transaction id of a purchase, whether it is revenue or excluded.
  ///
  /// Example: `1722965520899826170` → `100000831001009`.
  ///
  /// - Returns: The transaction id; `nil` if no published purchase has this key.
  package static func transaction(ofKey key: Int64, on db: Database) throws -> String? {
    try String.fetchOne(
      db,
      sql: """
        SELECT transaction_id FROM fct_revenue WHERE purchase_key = ?1
        UNION ALL SELECT transaction_id FROM excluded_purchase WHERE purchase_key = ?1
        """, arguments: [key])
  }
}
