internal import PurchaseModel
internal import Purchases

/// `bridge_transaction_id` and `excluded_purchase`: the ids of all purchases, and what was left
/// out.
enum BridgeRows {
  /// One row per transaction id ever seen, by id.
  static func source(_ content: WarehouseContent, orders: RowOrders) -> FactSource {
    FactSource(.table("bridge_transaction_id"), units: orders.aliases.count) { places, table in
      for portion in places.inPortions {
        let aliases = orders.aliases[portion].map { content.purchases.aliases[Int($0)] }
        let keys = aliases.map { orders.keys[Int($0.purchase)] }
        for (alias, key) in zip(aliases, keys) {
          table.text("transaction_id", alias.transactionID.number)
          table.integer("purchase_key", key.rawValue)
          table.insert()
        }
      }
    }
  }

  /// One row per excluded purchase, by key.
  static func excluded(_ content: WarehouseContent) -> FactSource {
    let book = content.purchases
    let excluded = book.purchases[book.revenueCount...].sorted { $0.key < $1.key }
    return FactSource(.table("excluded_purchase"), units: excluded.count) { places, table in
      for purchase in excluded[places] {
        table.key("purchase_key", purchase.key.rawValue)
        table.text("transaction_id", purchase.transactionID.number)
        table.text("reason", purchase.exclusion?.rawValue)
        table.insert()
      }
    }
  }
}
