internal import PurchaseModel
internal import Purchases

/// `bridge_transaction_id` and `excluded_purchase`: the ids of all purchases, and what was left
/// out.
enum BridgeRows {
  /// The positions of all aliases, by their ids as texts.
  static func order(_ content: WarehouseContent) -> [Int32] {
    let symbols = content.sightings.symbols
    return content.purchases.aliases.indices
      .map {
        (
          order: TextOrder(content.purchases.aliases[$0].transactionID.number, in: symbols),
          alias: Int32($0)
        )
      }
      .sorted { $0.order < $1.order }
      .map(\.alias)
  }

  /// One row per transaction id ever seen, by id; `keys` are those of all purchases.
  static func source(_ content: WarehouseContent, order: [Int32], keys: [PurchaseKey])
    -> FactSource
  {
    FactSource(.table("bridge_transaction_id"), units: order.count) { places, table in
      for portion in places.inPortions {
        let aliases = order[portion].map { content.purchases.aliases[Int($0)] }
        let keys = aliases.map { keys[Int($0.purchase)] }
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
