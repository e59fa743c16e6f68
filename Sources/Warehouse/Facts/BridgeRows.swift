internal import PurchaseModel
internal import Purchases

/// `bridge_transaction_id` and `excluded_purchase`: the ids of all purchases, and what was left out.
enum BridgeRows {
  /// Writes one row per transaction id ever seen, by id.
  static func write(_ content: WarehouseContent, to table: FactTable) throws {
    let symbols = content.sightings.symbols
    let ordered = content.purchases.aliases.indices
      .map {
        (
          order: TextOrder(content.purchases.aliases[$0].transactionID.number, in: symbols),
          alias: $0
        )
      }
      .sorted { $0.order < $1.order }
    for (_, index) in ordered {
      let alias = content.purchases.aliases[index]
      table.text("transaction_id", alias.transactionID.number)
      table.integer(
        "purchase_key", content.purchases.purchases[Int(alias.purchase)].key.rawValue)
      try table.insert()
    }
  }

  /// Writes one row per excluded purchase, by key.
  static func writeExcluded(_ content: WarehouseContent, to table: FactTable) throws {
    let book = content.purchases
    var lastKey: Int64 = -1
    let excluded = book.purchases[book.revenueCount...].sorted { $0.key < $1.key }
    for purchase in excluded {
      try KeyClash.check(purchase.key.rawValue, after: lastKey, in: "excluded_purchase")
      lastKey = purchase.key.rawValue
      table.integer("purchase_key", purchase.key.rawValue)
      table.text("transaction_id", purchase.transactionID.number)
      table.text("reason", purchase.exclusion?.rawValue)
      try table.insert()
    }
  }
}
