package import Amounts
internal import CivilTime
package import GRDB
internal import SQLiteFiles

/// Charges and refunds by month, product and currency, and the numbers of known amounts.
package struct RevenueSummary: Hashable {
  /// The charges and refunds of one product in one month and currency.
  package struct Line: Hashable {
    /// The month of the charge or refund, such as `2021-08`.
    ///
    /// For unresolved rows, it is the month of the purchase.
    package var month: String
    package var productID: String
    /// The currency; `nil` for rows of unknown currency.
    package var currency: Currency?
    /// The known charges, in milliunits; `nil` if there are charges and none has an amount.
    package var gross: Milliunits?
    /// The known refunds, in milliunits, 0 or less; `nil` if there are some and none has an amount.
    package var refunds: Milliunits?
    /// The number of rows without a known amount.
    package var unresolvedRows: Int64
  }

  /// The numbers of chargeable rows, of rows with a known amount, and of rows with an exact amount.
  package struct Coverage: Hashable {
    /// The number of chargeable rows: rows that are not free.
    package var chargeable: Int64
    /// The number of rows with a known amount.
    package var known: Int64
    /// The number of rows with an exact amount.
    package var exact: Int64
  }

  /// The lines, sorted by month, product and currency.
  package var lines: [Line] = []
  /// The numbers of chargeable, known and exact rows in `fct_revenue`.
  package var coverage = Coverage(chargeable: 0, known: 0, exact: 0)
  /// The sums over all currencies; `nil` if the pipeline has no reporting currency.
  package var reporting: ReportingSummary?
  /// The as-of time of the facts; `nil` if no receipt or signed transaction has a time.
  package var asOf: String?
  /// The `content_digest` of the facts; `nil` if no run has published.
  package var contentDigest: String?

  /// Reads the summary.
  ///
  /// - Parameter withSums: Whether to read ``lines`` and ``reporting``, which add up all entries.
  package static func read(_ db: Database, withSums: Bool = true) throws -> RevenueSummary {
    var summary = RevenueSummary()
    if withSums {
      summary.lines = try StoredRow.fetchAll(db, sql: linesQuery).map { row in
        let code: String? = row[2]
        return Line(
          month: row[0], productID: row[1], currency: code.flatMap { Currency($0) },
          gross: (row[3] as Int64?).map { Milliunits($0) },
          refunds: (row[4] as Int64?).map { Milliunits($0) }, unresolvedRows: row[5])
      }
      summary.reporting = try ReportingSummary.read(db)
    }
    if let row = try StoredRow.fetchOne(db, sql: coverageQuery) {
      summary.coverage = Coverage(chargeable: row[0], known: row[1], exact: row[2])
    }
    if let row = try StoredRow.fetchOne(
      db, sql: "SELECT as_of, content_digest FROM audit_run ORDER BY run_id DESC LIMIT 1")
    {
      let asOf: String = row[0]
      summary.asOf = asOf == Instant.epoch.text ? nil : asOf
      summary.contentDigest = row[1]
    }
    return summary
  }

  private static let linesQuery = """
    SELECT month, product_id, currency,
      CASE WHEN SUM(unresolved) > 0 THEN SUM(gross) ELSE COALESCE(SUM(gross), 0) END,
      CASE WHEN SUM(unresolved_refunds) > 0 THEN SUM(refunds) ELSE COALESCE(SUM(refunds), 0) END,
      SUM(unresolved)
    FROM (
      SELECT substr(entry.entry_date, 1, 7) AS month, revenue.product_id AS product_id,
        entry.currency AS currency,
        SUM(CASE entry.entry_kind WHEN 'charge' THEN entry.amount_milli END) AS gross,
        SUM(CASE entry.entry_kind WHEN 'refund' THEN entry.amount_milli END) AS refunds,
        0 AS unresolved, 0 AS unresolved_refunds
      FROM fct_revenue_entry AS entry JOIN fct_revenue AS revenue USING (purchase_key)
      WHERE entry.entry_kind IN ('charge', 'refund')
      GROUP BY 1, 2, 3
      UNION ALL
      SELECT substr(purchased_date, 1, 7), product_id, currency, NULL, NULL, count(1),
        SUM(reversal_kind = 'refund')
      FROM fct_revenue WHERE paid_milli IS NULL
      GROUP BY 1, 2, 3
    )
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    """

  private static let coverageQuery = """
    SELECT COALESCE(SUM(COALESCE(paid_milli, 1) > 0), 0),
      COALESCE(SUM(COALESCE(paid_milli, 0) > 0), 0),
      COALESCE(SUM(price_status = 'exact' AND paid_milli > 0), 0)
    FROM fct_revenue
    """
}
