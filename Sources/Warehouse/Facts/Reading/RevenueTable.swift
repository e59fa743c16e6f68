public import Amounts
public import Diagnostics
internal import GRDB

/// One line of the table a run ends with: a purchase month, a product and a currency.
public struct RevenueLine: Hashable, Sendable {
  /// The purchase month: `2021-05`.
  public var month: String
  /// The product.
  public var productID: String
  /// The currency; `nil` for rows of which nothing tells it, free rows among them.
  public var currency: Currency?
  /// How many purchases there were, free ones included.
  public var purchases: Int
  /// The sum of the known amounts.
  public var gross: Milliunits
  /// What of it was refunded, by the purchase month.
  public var refunds: Milliunits
  /// Purchases without an amount, which the sums leave out.
  public var unresolvedRows: Int

  /// What remains after refunds: the sum of `net_cohort_milli`.
  public var net: Milliunits { Milliunits(gross.rawValue - refunds.rawValue) }
}

/// How many of the chargeable purchases have an amount.
public struct CoverageLine: Hashable, Sendable {
  /// Purchases that are not free by rule.
  public var chargeableRows: Int
  /// Those of them with an amount.
  public var knownRows: Int
  /// Those of them with an exact amount.
  public var exactRows: Int
  /// Purchases free by rule.
  public var freeRows: Int
}

extension WarehouseDatabase {
  /// What was paid, by purchase month, product and currency, in this order.
  public func revenueByMonth() throws(RunFailure) -> [RevenueLine] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT substr(purchased_date, 1, 7), product_id, currency, count(1),
            COALESCE(SUM(paid_milli), 0),
            COALESCE(SUM(CASE WHEN reversal_kind = 'refund' THEN paid_milli END), 0),
            count(1) - count(paid_milli)
          FROM fct_revenue GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
          """
      ).map { row in
        RevenueLine(
          month: row[0], productID: row[1],
          currency: (row[2] as String?).flatMap { Currency($0) }, purchases: row[3],
          gross: Milliunits(row[4]), refunds: Milliunits(row[5]), unresolvedRows: row[6])
      }
    }
  }

  /// How many amounts are known, over all purchases.
  public func coverage() throws(RunFailure) -> CoverageLine {
    try read { db in
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT COALESCE(SUM(price_status <> 'zero_by_rule'), 0),
            COALESCE(SUM(price_status <> 'zero_by_rule' AND paid_milli IS NOT NULL), 0),
            COALESCE(SUM(price_status = 'exact'), 0),
            COALESCE(SUM(price_status = 'zero_by_rule'), 0)
          FROM fct_revenue
          """)
      guard let row else {
        return CoverageLine(chargeableRows: 0, knownRows: 0, exactRows: 0, freeRows: 0)
      }
      return CoverageLine(
        chargeableRows: row[0], knownRows: row[1], exactRows: row[2], freeRows: row[3])
    }
  }
}
