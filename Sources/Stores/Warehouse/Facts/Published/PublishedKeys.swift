internal import SQLiteFiles
public import CivilTime
public import Diagnostics
internal import GRDB

/// The keys of the published rows of some chains, which a run replaces.
public struct PublishedKeys: Sendable {
  /// The keys of the chains' published purchases, including excluded purchases.
  public var purchases: Set<Int64> = []
  /// The keys of the customers who made the published purchases.
  public var customers: Set<String> = []
}

extension WarehouseDatabase {
  /// Reads the keys of the published rows of some chains with the given transaction ids.
  public func keys(ofChains chains: [String], ids: [String]) throws(RunFailure) -> PublishedKeys {
    try read { db in
      var keys = PublishedKeys()
      let rows = try RawStatement(
        "rows of a chain",
        "SELECT purchase_key, customer_key FROM fct_revenue WHERE original_transaction_id = ?1",
        on: db)
      for chain in chains {
        rows.bind(chain, at: 1)
        while try rows.next() {
          keys.purchases.insert(rows.int64(0))
          if let customer = rows.optionalText(1) { keys.customers.insert(customer) }
        }
      }
      let purchase = try RawStatement(
        "purchase of id",
        "SELECT purchase_key FROM bridge_transaction_id WHERE transaction_id = ?1", on: db)
      for id in ids.sorted() {
        purchase.bind(id, at: 1)
        while try purchase.next() { keys.purchases.insert(purchase.int64(0)) }
      }
      return keys
    }
  }

  /// Finds the production chains with a purchase of a product on or after a day.
  public func chains(ofProduct product: String, from day: CivilDay) throws(RunFailure) -> [String] {
    try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT original_transaction_id FROM fct_revenue
          WHERE purchased_date >= ? AND product_id = ?
          """, arguments: [day.text, product])
    }
  }
}
