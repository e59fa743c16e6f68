internal import SQLiteFiles
public import CivilTime
public import Diagnostics
internal import GRDB

/// The totals of the published rows of some chains.
///
/// An incremental run subtracts these totals from the totals of all rows, before it adds its new
/// rows.
public struct PublishedTally: Sendable {
  /// A product and a currency of revenue rows.
  public struct Series: Hashable, Sendable {
    /// The product id of the rows.
    public var productID: String
    /// The currency of the rows; `nil` if unknown.
    public var currency: String?
  }

  /// The totals for `audit_run`.
  public var totals = FactTotals()
  /// The number of excluded purchases, keyed by reason.
  public var excluded: [String: Int] = [:]
  /// The number of chargeable rows without an amount, keyed by product and currency.
  public var missing: [Series: Int] = [:]
  /// The number of amounts above 0 that could not be converted, keyed by currency.
  public var unconverted: [String: Int] = [:]
  /// The keys of the chains' published purchases, including excluded purchases.
  public var purchases: Set<Int64> = []
  /// The keys of the customers who made the published purchases.
  public var customers: Set<String> = []

  /// Creates an empty tally.
  public init() {}
}

extension WarehouseDatabase {
  /// Computes the totals of the published rows of some chains.
  public func tally(ofChains chains: [String], ids: [String]) throws(RunFailure) -> PublishedTally {
    try read { db in
      var tally = PublishedTally()
      let rows = try RawStatement(
        "rows of a chain",
        """
        SELECT product_id, currency, price_status, paid_milli, paid_reporting_micros, purchase_key,
          customer_key
        FROM fct_revenue WHERE original_transaction_id = ?1
        """, on: db)
      for chain in chains {
        rows.bind(chain, at: 1)
        while try rows.next() { tally.count(rows) }
      }
      let purchase = try RawStatement(
        "purchase of id",
        """
        SELECT b.purchase_key, x.reason FROM bridge_transaction_id AS b
        LEFT JOIN excluded_purchase AS x USING (purchase_key) WHERE b.transaction_id = ?1
        """, on: db)
      for id in ids.sorted() {
        purchase.bind(id, at: 1)
        while try purchase.next() {
          let isNew = tally.purchases.insert(purchase.int64(0)).inserted
          if isNew, let reason = purchase.optionalText(1) {
            tally.excluded[reason, default: 0] += 1
          }
        }
      }
      return tally
    }
  }
}

extension PublishedTally {
  fileprivate mutating func count(_ row: RawStatement) {
    totals.revenue += 1
    purchases.insert(row.int64(5))
    if let customer = row.optionalText(6) { customers.insert(customer) }
    let status = row.text(2)
    let paid = row.optionalInt64(3)
    if let paid, paid > 0, row.isNull(4), let currency = row.optionalText(1) {
      unconverted[currency, default: 0] += 1
    }
    guard status != "zero_by_rule" else { return }
    totals.chargeable += 1
    if status == "exact" { totals.exact += 1 }
    guard paid == nil else {
      totals.known += 1
      return
    }
    missing[Series(productID: row.text(0), currency: row.optionalText(1)), default: 0] += 1
  }
}

extension WarehouseDatabase {
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
