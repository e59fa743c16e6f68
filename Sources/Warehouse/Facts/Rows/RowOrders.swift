internal import Parallel
internal import PurchaseModel
internal import Purchases

/// The orders in which rows are written, found by several threads.
struct RowOrders: Sendable {
  /// The keys of all purchases.
  ///
  /// Alone, as they are asked for in other orders than the purchases stand in.
  let keys: [PurchaseKey]
  /// The positions of all purchases, by key.
  let purchases: [Int32]
  /// The positions of the revenue rows, by key.
  let revenue: [Int32]
  /// The positions of the aliases, by their ids as texts.
  let aliases: [Int32]

  /// Finds the orders of a book.
  init(_ book: PurchaseBook, symbols: SymbolTable, workers: Int) {
    let keys = book.keys
    self.keys = keys
    (purchases, aliases) = sideBySide(workers: workers) {
      Self.positions(byKey: keys, workers: workers)
    } _: {
      TextOrder.positions(of: book.aliases.map(\.transactionID.number), in: symbols)
    }
    revenue = purchases.filter { $0 < book.revenueCount }
  }

  /// The positions of different keys in their order.
  ///
  /// Keys are 63 evenly spread bits, so that ranges of equal width hold about equally many.
  private static func positions(byKey keys: [PurchaseKey], workers: Int) -> [Int32] {
    let count = workers > 1 ? min(workers * 4, keys.count / 4096 + 1) : 1
    let width = UInt64(Int64.max) / UInt64(count) + 1
    let parts = inParallel(count, workers: workers) { part in
      let start = UInt64(part) * width
      var keyed: [KeyedIndex] = []
      keyed.reserveCapacity(keys.count / count * 9 / 8)
      for (position, key) in keys.enumerated() {
        let bits = UInt64(bitPattern: key.rawValue)
        guard bits >= start, bits - start < width else { continue }
        keyed.append(KeyedIndex(key: bits, index: UInt32(position)))
      }
      _ = keyed.sortAndFindTwins()
      return keyed.map { Int32($0.index) }
    }
    return joined(parts.map { $0[...] }, workers: workers)
  }
}
