internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import Parallel
internal import PurchaseModel
internal import Purchases

/// The entries of the warehouse's own indexes (`Schema/warehouse_indexes.sql`), sorted.
///
/// SQLite would sort them again, as texts; here they are sorted as numbers, which is many times
/// faster. That they fit their tables the tests ask (`PRAGMA integrity_check`); a run's own
/// examination does not compare an index with its table.
struct IndexRows: Sendable {
  private let content: WarehouseContent
  private let orders: RowOrders

  /// Prepares the entries.
  init(_ content: WarehouseContent, orders: RowOrders) {
    self.content = content
    self.orders = orders
  }

  /// `fct_revenue_by_date`: by day, then key.
  var byDate: FactSource {
    let book = content.purchases
    let days = (0..<book.revenueCount).map {
      Int32(clamping: book.purchases[$0].purchasedAt.day.daysSinceEpoch)
    }
    // The rows stand in the order of their keys: a sort that keeps it need not compare them.
    let ordered = orders.revenue.inOrder { days[Int($0)] }
    let keys = orders.keys
    return FactSource(.index("fct_revenue_by_date"), units: ordered.count) { places, entry in
      for portion in places.inPortions {
        let rows = ordered[portion].map { (day: days[Int($0)], key: keys[Int($0)]) }
        for row in rows {
          entry.day("purchased_date", CivilDay(daysSinceEpoch: Int64(row.day)))
          entry.integer("purchase_key", row.key.rawValue)
          entry.insert()
        }
      }
    }
  }

  /// `fct_revenue_by_chain`: by the chain's id as text, then key.
  var byChain: FactSource {
    let chains = content.purchases.chains
    let ordered = TextOrder.positions(
      of: chains.map(\.originalTransactionID.number), in: content.sightings.symbols)
    let keys = orders.keys
    return FactSource(.index("fct_revenue_by_chain"), units: ordered.count) { places, entry in
      for position in ordered[places] {
        let chain = chains[Int(position)]
        for key in keys[chain.rows].sorted() {
          entry.text("original_transaction_id", chain.originalTransactionID.number)
          entry.integer("purchase_key", key.rawValue)
          entry.insert()
        }
      }
    }
  }

  /// `bridge_transaction_id_by_purchase`: by the purchase's key, then the row's number.
  var bridgeByPurchase: FactSource {
    let (keys, ordered) = (orders.keys, orders.purchases)
    let rows = PurchaseAliases(content.purchases, order: orders.aliases)
    return FactSource(.index("bridge_transaction_id_by_purchase"), units: ordered.count) {
      places, entry in
      for portion in places.inPortions {
        let purchases = ordered[portion].map { (key: keys[Int($0)], rows: rows.places(of: $0)) }
        for purchase in purchases {
          for place in purchase.rows {
            entry.integer("purchase_key", purchase.key.rawValue)
            entry.integer("rowid", Int64(rows[place]) + 1)
            entry.insert()
          }
        }
      }
    }
  }

  /// `price_evidence_by_series`: by product, currency, then id.
  var evidenceBySeries: FactSource {
    let reports = content.sightings.reports
    // The reports stand in the order of their ids.
    var ordered = content.amounts.reports.map { judged in
      let report = reports[Int(judged.report)]
      return KeyedIndex(
        key: UInt64(report.productID.symbol.rawValue) << 32 | UInt64(report.currency.rawValue),
        index: UInt32(judged.report))
    }
    ordered.sort()
    let places = ordered.map { Int32($0.index) }
    return FactSource(.index("price_evidence_by_series"), units: places.count) { range, entry in
      for index in places[range] {
        let report = reports[Int(index)]
        entry.text("product_id", report.productID.symbol)
        entry.letters("currency", report.currency.rawValue)
        entry.integer("evidence_id", report.evidenceID)
        entry.insert()
      }
    }
  }
}

/// The rows of `bridge_transaction_id` by the purchase they name.
private struct PurchaseAliases: Sendable {
  private var starts: [Int32]
  private var rows: [Int32]

  /// Puts rows together, given the positions of the aliases in their order.
  init(_ book: PurchaseBook, order: [Int32]) {
    starts = Array(repeating: 0, count: book.purchases.count + 1)
    for alias in book.aliases { starts[Int(alias.purchase) + 1] += 1 }
    for purchase in book.purchases.indices { starts[purchase + 1] += starts[purchase] }
    var next = starts
    rows = Array(repeating: 0, count: order.count)
    for (row, alias) in order.enumerated() {
      let purchase = Int(book.aliases[Int(alias)].purchase)
      rows[Int(next[purchase])] = Int32(row)
      next[purchase] += 1
    }
  }

  /// Where the rows of a purchase stand, which rise.
  func places(of purchase: Int32) -> Range<Int> {
    Int(starts[Int(purchase)])..<Int(starts[Int(purchase) + 1])
  }

  /// The row at a place, from 0.
  subscript(place: Int) -> Int32 { rows[place] }
}

extension [Int32] {
  /// The elements by a number each; of equal numbers in the order in which they stand.
  fileprivate func inOrder(_ number: (Int32) -> Int32) -> [Int32] {
    let numbers = map(number)
    guard let first = numbers.min(), let last = numbers.max(),
      Int(last) - Int(first) < Swift.max(4 * count, 1 << 16)
    else {
      return indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }.map { self[$0] }
    }
    var starts = [Int](repeating: 0, count: Int(last) - Int(first) + 2)
    for number in numbers { starts[Int(number) - Int(first) + 1] += 1 }
    for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
    var ordered = [Int32](repeating: 0, count: count)
    for (element, number) in zip(self, numbers) {
      ordered[starts[Int(number) - Int(first)]] = element
      starts[Int(number) - Int(first)] += 1
    }
    return ordered
  }
}
