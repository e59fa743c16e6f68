internal import GRDB
internal import SQLiteFiles

/// The money in Apple's reports of one month in one currency.
///
/// Charges and refunds are both added as positive amounts: a charge of 9.99 and its refund give
/// 19.98. In `audit_reconciliation` they give 0. Products of the owner's other apps are left out.
struct AppleTotal {
  /// The month, such as `2021-08`.
  var month: String
  var currency: String
  /// The number of charged units plus the number of refunded units.
  var units: Int64
  /// The sum of all charges and refunds, in thousandths of the currency.
  var milli: Int64
  /// The part of ``milli`` for which the facts have equal amounts.
  var equal: Int64

  /// Reads the totals of the published comparison, sorted by month and currency.
  ///
  /// - Parameters:
  ///   - month: A single month; `nil` for all.
  static func all(month: String?, on db: Database) throws -> [AppleTotal] {
    try StoredRow.fetchAll(db, sql: query, arguments: [month]).map { row in
      AppleTotal(
        month: row[0], currency: row[1], units: row[2], milli: row[3],
        equal: max(0, (row[3] as Int64) - row[4]))
    }
  }

  /// SQL: the sums by month and currency, and the amounts for which the facts have no equal amount.
  ///
  /// The sums of `audit_reconciliation` are charges minus refunds; the result is charges plus
  /// refunds. So each compared refund line is added twice. The lines are selected as in
  /// `ReconciledReports`.
  ///
  /// A row of `audit_reconciliation` with a cause of differences has only charges or only refunds
  /// of Apple's reports, so the sign of its sum shows which. With the cause `day_boundary`, charges
  /// and refunds may cancel out; both are then included as equal.
  private static let query = """
    WITH sales_day (date_day) AS (
      SELECT report_date FROM audit_apple_report WHERE report = 'sales'
    ), subscriber_day (date_day) AS (
      SELECT report_date FROM audit_apple_report WHERE report = 'subscriber'
    ), detail_day (date_day) AS (
      SELECT DISTINCT event_date FROM apple_report_line
      WHERE report = 'finance_detail' AND event_date NOT IN sales_day
        AND event_date NOT IN subscriber_day
    ), other (product_id) AS (
      SELECT DISTINCT product_id FROM audit_reconciliation WHERE cause = 'other_products'
    ), part (month, currency, units, milli, unequal_milli) AS (
      SELECT month, currency, apple_units * (cause <> 'not_charged'), apple_milli,
        CASE cause WHEN 'equal' THEN 0 WHEN 'unmapped' THEN apple_milli ELSE abs(apple_milli) END
      FROM audit_reconciliation WHERE cause <> 'other_products'
      UNION ALL
      SELECT substr(event_date, 1, 7), currency, -2 * units, -2 * amount_milli,
        -2 * amount_milli * (product_id IS NULL)
      FROM apple_report_line
      WHERE amount_milli < 0 AND currency IS NOT NULL
        AND COALESCE(product_id, apple_id) NOT IN other
        AND (event_date IN sales_day OR event_date IN detail_day
          OR event_date IN subscriber_day AND report = 'subscriber')
        AND CASE report
          WHEN 'subscriber' THEN 1
          WHEN 'sales' THEN is_renewal IS NULL OR event_date NOT IN subscriber_day
          WHEN 'finance_detail' THEN event_date IN detail_day
          ELSE 0 END
    )
    SELECT month, currency, SUM(units), SUM(milli), SUM(unequal_milli) FROM part
    WHERE ?1 IS NULL OR month = ?1
    GROUP BY month, currency HAVING SUM(milli) > 0 ORDER BY month, currency
    """
}
