internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases

/// The entries of the warehouse's own indexes (`Schema/warehouse_indexes.sql`), sorted.
///
/// SQLite would sort them again, as texts; here they are sorted as numbers, which is many times
/// faster. That they fit their tables the tests ask (`PRAGMA integrity_check`); a run's own
/// examination does not compare an index with its table.
struct IndexRows: Sendable {
  private let content: WarehouseContent
  /// The positions of the revenue rows, by key.
  private let revenueOrder: [Int32]
  /// The positions of the aliases, by their ids as texts.
  private let bridgeOrder: [Int32]

  /// Prepares the entries.
  init(_ content: WarehouseContent, revenueOrder: [Int32], bridgeOrder: [Int32]) {
    self.content = content
    self.revenueOrder = revenueOrder
    self.bridgeOrder = bridgeOrder
  }

  /// `fct_revenue_by_date`: by day, then key.
  var byDate: FactSource {
    // The rows stand in the order of their keys, their purchases in another: what is asked of
    // these is taken out in theirs.
    let values = content.purchases.purchases[..<revenueOrder.count].map {
      (day: $0.purchasedAt.day, key: $0.key.rawValue)
    }
    let rows = revenueOrder.map { values[Int($0)] }
    // The rows stand in the order of their keys: a sort that keeps it need not compare them.
    let ordered = rows.inOrder { $0.day.daysSinceEpoch }
    return FactSource(.index("fct_revenue_by_date"), units: ordered.count) { places, entry in
      for (day, key) in ordered[places] {
        entry.day("purchased_date", day)
        entry.integer("purchase_key", key)
        entry.insert()
      }
    }
  }

  /// `fct_revenue_by_chain`: by the chain's id as text, then key.
  var byChain: FactSource {
    let book = content.purchases
    let chains = book.chains.indices
      .map { (order: TextOrder(of: book.chains[$0], in: content), chain: $0) }
      .sorted { $0.order < $1.order }
      .map(\.chain)
    var ordered: [(chain: Int32, key: Int64)] = []
    ordered.reserveCapacity(revenueOrder.count)
    for chain in chains {
      let rows = book.chains[chain].rows.map { book.purchases[$0].key.rawValue }.sorted()
      for key in rows { ordered.append((Int32(chain), key)) }
    }
    let entries = ordered
    return FactSource(.index("fct_revenue_by_chain"), units: entries.count) { places, entry in
      for (chain, key) in entries[places] {
        entry.text(
          "original_transaction_id", book.chains[Int(chain)].originalTransactionID.number)
        entry.integer("purchase_key", key)
        entry.insert()
      }
    }
  }

  /// `bridge_transaction_id_by_purchase`: by the purchase's key, then the row's number.
  var bridgeByPurchase: FactSource {
    let book = content.purchases
    let keys = book.purchases.indices
      .map { (key: book.purchases[$0].key.rawValue, purchase: Int32($0)) }
      .sorted { $0.key < $1.key }
    var places = [Int64](repeating: 0, count: keys.count)
    for (place, purchase) in keys.enumerated() { places[Int(purchase.purchase)] = Int64(place) }
    // Rows by the place of their purchase among all keys; their numbers rise already.
    let ordered = bridgeOrder.enumerated()
      .map { row, alias in
        (place: places[Int(book.aliases[Int(alias)].purchase)], row: Int64(row) + 1)
      }
      .inOrder { $0.place }
      .map { (key: keys[Int($0.place)].key, row: $0.row) }
    return FactSource(.index("bridge_transaction_id_by_purchase"), units: ordered.count) {
      places, entry in
      for (key, row) in ordered[places] {
        entry.integer("purchase_key", key)
        entry.integer("rowid", row)
        entry.insert()
      }
    }
  }

  /// `price_evidence_by_series`: by product, currency, then id.
  var evidenceBySeries: FactSource {
    let reports = content.sightings.reports
    let ordered = content.amounts.reports.map(\.report)
      .sorted { left, right in
        let (left, right) = (reports[Int(left)], reports[Int(right)])
        return (left.productID, left.currency.rawValue, left.evidenceID)
          < (right.productID, right.currency.rawValue, right.evidenceID)
      }
    return FactSource(.index("price_evidence_by_series"), units: ordered.count) { places, entry in
      for index in ordered[places] {
        let report = reports[Int(index)]
        entry.text("product_id", report.productID.symbol)
        entry.letters("currency", report.currency.rawValue)
        entry.integer("evidence_id", report.evidenceID)
        entry.insert()
      }
    }
  }
}

extension Array {
  /// The elements by a number each; of equal numbers in the order in which they stand.
  fileprivate func inOrder(_ number: (Element) -> Int64) -> [Element] {
    let numbers = map(number)
    guard let first = numbers.min(), let last = numbers.max(),
      last - first < Swift.max(4 * Int64(count), 1 << 16)
    else {
      return indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }.map { self[$0] }
    }
    var starts = [Int](repeating: 0, count: Int(last - first) + 2)
    for number in numbers { starts[Int(number - first) + 1] += 1 }
    for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
    var places = [Int](repeating: 0, count: count)
    for (index, number) in numbers.enumerated() {
      places[starts[Int(number - first)]] = index
      starts[Int(number - first)] += 1
    }
    return places.map { self[$0] }
  }
}

extension TextOrder {
  /// The order of a chain by its id as a text.
  fileprivate init(of chain: Chain, in content: WarehouseContent) {
    self.init(chain.originalTransactionID.number, in: content.sightings.symbols)
  }
}
