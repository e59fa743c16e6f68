internal import GRDB
internal import SQLiteFiles

/// The money in Apple's reports of one month in one currency.
///
/// Charges and refunds are both added as positive amounts: a charge of 9.99 and its refund give
/// 19.98. In `audit_reconciliation` they give 0. Products of the owner's other apps are left out,
/// and so are charges that Apple's own reports make doubtful.
struct AppleTotal {
  /// The month, such as `2021-08`.
  var month: String
  var currency: String
  /// The number of charged units plus the number of refunded units.
  var units: Int64
  /// The sum of all charges and refunds, in thousandths of the currency.
  var milli: Int64
  /// The part of ``milli`` that the facts have too: the same charge or refund at the same price,
  /// on whatever day.
  var equal: Int64
  /// The money that only the facts have, in thousandths of the currency.
  ///
  /// Of a charge whose two prices differ, it is the part above Apple's price. Days without a report
  /// are left out.
  var onlyOurs: Int64

  /// Reads the totals of the published comparison, sorted by month and currency.
  ///
  /// - Parameters:
  ///   - compared: The shown months and apps.
  static func all(_ compared: ComparedPart, on db: Database) throws -> [AppleTotal] {
    try StoredRow.fetchAll(db, sql: query, arguments: compared.arguments).map { row in
      AppleTotal(
        month: row[0], currency: row[1], units: row[2], milli: row[3],
        equal: max(0, (row[3] as Int64) - row[4]), onlyOurs: row[5])
    }
  }

  /// SQL: the sums by month and currency, the amounts for which the facts have no equal amount, and
  /// the amounts that only the facts have.
  ///
  /// The sums of `audit_reconciliation` are charges minus refunds; the result is charges plus
  /// refunds. So each compared refund line is added twice. The lines are selected as in
  /// `ReconciledReports`.
  ///
  /// The causes `day_boundary`, `recovered_late` and `settlement` are charges of one price on other
  /// days. A row with any other cause of differences has only charges or only refunds of Apple's
  /// reports, so the sign of its sum shows which.
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
    ), part (month, product_id, currency, units, milli, unequal_milli, only_our_milli) AS (
      SELECT month, product_id, currency, apple_units * (cause <> 'not_charged'), apple_milli,
        CASE
          WHEN cause IN ('equal', 'day_boundary', 'recovered_late', 'settlement') THEN 0
          WHEN cause = 'unmapped' THEN apple_milli ELSE abs(apple_milli) END,
        CASE
          WHEN cause IN ('not_charged', 'unexplained') THEN abs(our_milli)
          WHEN cause IN ('price', 'proration', 'refund', 'settlement', 'unmapped')
            THEN max(0, abs(our_milli) - abs(apple_milli))
          ELSE 0 END
      FROM audit_reconciliation WHERE cause <> 'other_products' AND cause <> 'doubted'
      UNION ALL
      SELECT substr(event_date, 1, 7), COALESCE(product_id, apple_id), currency, -2 * units, -2 * amount_milli,
        -2 * amount_milli * (product_id IS NULL), 0
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
    SELECT month, currency, SUM(units), SUM(milli), SUM(unequal_milli), SUM(only_our_milli)
    FROM part WHERE currency <> '' AND \(ComparedPart.condition)
    GROUP BY month, currency HAVING SUM(milli) > 0 OR SUM(only_our_milli) > 0
    ORDER BY month, currency
    """
}
