internal import Amounts
internal import GRDB
internal import SQLiteFiles

/// Reads refunds, and the changes of published figures.
enum RefundReading {
  /// Reads refunds by month, product and currency, newest month first.
  static func refunds(_ products: ProductNames, on db: Database) throws -> [RefundFigures] {
    try StoredRow.fetchAll(db, sql: refundQuery(products)).map { row in
      let code: String? = row[2]
      return RefundFigures(
        month: row[0], productID: row[1], currency: code.flatMap { Currency($0) }, rows: row[3],
        amount: Milliunits(row[4]))
    }
  }

  /// Reads the numbers of paid and of refunded rows by month of purchase and product.
  static func rates(_ window: PageWindow, _ products: ProductNames, on db: Database) throws
    -> [RefundRateFigures]
  {
    try StoredRow.fetchAll(db, sql: rateQuery(products)).map { row in
      RefundRateFigures(
        month: row[0], productID: row[1], paid: row[2], refunded: row[3],
        isComplete: row[4] && window.isComplete(month: row[0]))
    }
  }

  /// Reads changes of published figures by run, metric, currency and cause, newest run first.
  static func restatements(on db: Database) throws -> [RestatementFigures] {
    try StoredRow.fetchAll(db, sql: restatementQuery).map { row in
      let code: String? = row[2]
      return RestatementFigures(
        runID: row[0], metric: row[1], currency: code.flatMap { Currency($0) }, cause: row[3],
        days: row[4], firstDay: row[5], lastDay: row[6], change: row[7])
    }
  }

  private static func refundQuery(_ products: ProductNames) -> String {
    """
    SELECT substr(entry.entry_date, 1, 7),
      \(products.sql("revenue.product_id", bundle: "revenue.bundle_id")), entry.currency, count(1),
      SUM(entry.amount_milli)
    FROM fct_revenue_entry AS entry JOIN fct_revenue AS revenue USING (purchase_key)
    WHERE entry.entry_kind = 'refund'
    GROUP BY 1, 2, 3 ORDER BY 1 DESC, 2, 3 LIMIT \(PageWindow.rows)
    """
  }

  private static func rateQuery(_ products: ProductNames) -> String {
    """
    SELECT substr(cohort_date, 1, 7), \(products.sql()), SUM(paid_rows), SUM(refunded_rows),
      MIN(is_complete)
    FROM refund_rate WHERE refunded_rows IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
    """
  }

  private static let restatementQuery = """
    SELECT run_id, metric, currency, cause, count(1), MIN(date_day), MAX(date_day),
      SUM(new_milli - old_milli)
    FROM audit_restatement
    GROUP BY run_id, metric, currency, cause ORDER BY run_id DESC, metric, currency, cause
    LIMIT 200
    """
}
