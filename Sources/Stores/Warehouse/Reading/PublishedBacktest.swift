package import GRDB
internal import SQLiteFiles

/// The published backtest: the amounts of the rules, compared with the prices that Apple signed.
package struct PublishedBacktest: Hashable {
  /// The number of chargeable rows: rows that are not free.
  package let chargeableRows: Int64
  /// The number of rows with a signed price.
  package let signedRows: Int64
  /// The scores of each pair of rule and status; the pair with the most rows is first.
  package let rules: [RuleScore]
  /// The amounts that the rules decide without signed prices, summed by currency.
  ///
  /// Each row has the number of amounts, the number of wrong amounts, the sum of the amounts, and
  /// the sum of their absolute errors.
  package let currencies: FactSection
  /// The rows for which the rules decide a wrong amount, or bounds without the signed price.
  package let wrongRows: FactSection

  /// The numbers of right and wrong amounts and bounds, for one rule and status.
  package struct RuleScore: Hashable {
    package var rule: String
    package var status: String
    package var rows: Int64
    package var right: Int64
    package var wrong: Int64
    package var boundsHold: Int64
    package var boundsMiss: Int64

    /// The number of rows for which the rule has an amount.
    package var known: Int64 { right + wrong }
  }

  package init(_ db: Database) throws {
    chargeableRows =
      try Int64.fetchOne(
        db, sql: "SELECT count(1) FROM fct_revenue WHERE COALESCE(paid_milli, 1) > 0") ?? 0
    signedRows = try Int64.fetchOne(db, sql: "SELECT count(1) FROM audit_backtest") ?? 0
    rules = try StoredRow.fetchAll(
      db,
      sql: """
        SELECT b.rule, b.status, SUM(b.rows), SUM(b.right_rows), SUM(b.wrong_rows),
          SUM(b.bounds_hold_rows), SUM(b.bounds_miss_rows)
        FROM backtest_by_rule AS b GROUP BY b.rule, b.status ORDER BY 3 DESC, 1, 2
        """
    ).map {
      RuleScore(
        rule: $0[0], status: $0[1], rows: $0[2], right: $0[3], wrong: $0[4], boundsHold: $0[5],
        boundsMiss: $0[6])
    }
    currencies = try FactSection(
      "currencies", title: "Amounts decided without the signed price, by currency",
      sql: """
        SELECT currency, SUM(right_rows + wrong_rows) AS rows, SUM(wrong_rows) AS wrong_rows,
          SUM(rule_milli) AS rule_milli, SUM(error_milli) AS error_milli
        FROM backtest_by_rule GROUP BY currency
        HAVING SUM(right_rows + wrong_rows) > 0 ORDER BY currency
        """, on: db)
    wrongRows = try FactSection(
      "rows", title: "Rows for which the rules decide a wrong amount",
      sql: """
        SELECT r.transaction_id, r.purchased_at, r.product_id, r.currency, b.signed_milli,
          b.rule_milli, b.low_milli, b.high_milli, b.rule, b.status, b.verdict
        FROM audit_backtest AS b JOIN fct_revenue AS r ON r.purchase_key = b.purchase_key
        WHERE b.verdict IN ('wrong', 'bounds_miss') ORDER BY r.purchased_at, r.purchase_key
        """, on: db)
  }
}
