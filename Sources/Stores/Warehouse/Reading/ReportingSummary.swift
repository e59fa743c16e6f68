package import Amounts
internal import GRDB
internal import SQLiteFiles

/// The charges and refunds of all currencies, converted to the reporting currency.
///
/// The sums leave out rows without an exchange rate or without an estimate of proceeds; the numbers
/// of these rows are ``unconvertedRows`` and ``unestimatedRows``.
package struct ReportingSummary: Hashable {
  package var currency: Currency
  /// The sum of charges, each converted at the exchange rate of its purchase day.
  package var gross: Micros
  /// The sum of refunds, each converted at the exchange rate of its refund day; negative or 0.
  package var refunds: Micros
  /// The number of rows with an amount but without a rate.
  package var unconvertedRows: Int64
  /// The currencies of the rows without a rate, the most frequent first.
  package var unconvertedCurrencies: [String]
  /// The estimated proceeds, minus the proceeds of refunded amounts.
  ///
  /// `nil` without estimates.
  package var netProceedsEstimate: Micros?
  /// The number of rows with an amount but without an estimate of proceeds.
  package var unestimatedRows: Int64

  /// Reads the reporting currency of the last run; `nil` without one.
  static func currency(on db: Database) throws -> Currency? {
    try String.fetchOne(
      db, sql: "SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1"
    ).flatMap { Currency($0) }
  }

  /// Reads the sums from the warehouse; `nil` without a reporting currency.
  static func read(_ db: Database) throws -> ReportingSummary? {
    guard let currency = try currency(on: db) else { return nil }
    let money = try StoredRow.fetchOne(
      db,
      sql: """
        SELECT COALESCE(SUM(amount_reporting_micros) FILTER (WHERE entry_kind = 'charge'), 0),
          COALESCE(SUM(amount_reporting_micros) FILTER (WHERE entry_kind = 'refund'), 0)
        FROM fct_revenue_entry
        """)
    let rows = try StoredRow.fetchOne(
      db,
      sql: """
        SELECT
          SUM(CASE WHEN proceeds_estimate_micros IS NULL THEN NULL
            WHEN refunded_milli IS NULL
            THEN CASE reversal_kind WHEN 'refund' THEN 0 ELSE proceeds_estimate_micros END
            WHEN paid_milli > 0
            THEN proceeds_estimate_micros - proceeds_estimate_micros * refunded_milli / paid_milli
            ELSE 0 END),
          count(1) FILTER (WHERE paid_milli > 0 AND paid_reporting_micros IS NULL),
          count(1) FILTER (WHERE paid_milli > 0 AND proceeds_estimate_micros IS NULL)
        FROM fct_revenue
        """)
    return ReportingSummary(
      currency: currency, gross: Micros(money?[0] ?? 0), refunds: Micros(money?[1] ?? 0),
      unconvertedRows: rows?[1] ?? 0,
      unconvertedCurrencies: try String.fetchAll(
        db,
        sql: """
          SELECT currency FROM fct_revenue WHERE paid_milli > 0 AND paid_reporting_micros IS NULL
          GROUP BY currency ORDER BY count(1) DESC, currency
          """),
      netProceedsEstimate: (rows?[0] as Int64?).map(Micros.init), unestimatedRows: rows?[2] ?? 0)
  }
}
