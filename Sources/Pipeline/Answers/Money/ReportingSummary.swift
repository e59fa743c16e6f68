internal import Amounts
internal import Diagnostics
internal import GRDB
internal import Pipeline

/// The money of all currencies in the reporting currency, and how much of it could not be told so.
struct ReportingSummary: Hashable {
  /// The reporting currency.
  var currency: Currency
  /// The charges, each row converted by the rate of its day.
  var gross: Micros
  /// The refunds, each converted by the rate of its own day; never positive.
  var refunds: Micros
  /// Rows with an amount and no rate.
  var unconvertedRows: Int64
  /// Their currencies, the commonest first.
  var unconvertedCurrencies: [String]
  /// The estimated proceeds, refunded rows left out; `nil` if nothing was estimated.
  var netProceedsEstimate: Micros?
  /// Rows with an amount and no estimate.
  var unestimatedRows: Int64

  /// Reads the sums of the newest publication; `nil` without a reporting currency.
  static func read(_ db: Database) throws -> ReportingSummary? {
    let code = try String.fetchOne(
      db, sql: "SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1")
    guard let currency = code.flatMap({ Currency($0) }) else { return nil }
    let money = try Row.fetchOne(
      db,
      sql: """
        SELECT COALESCE(SUM(amount_reporting_micros) FILTER (WHERE entry_kind = 'charge'), 0),
          COALESCE(SUM(amount_reporting_micros) FILTER (WHERE entry_kind = 'refund'), 0)
        FROM fct_revenue_entry
        """)
    let rows = try Row.fetchOne(
      db,
      sql: """
        SELECT SUM(proceeds_estimate_micros) FILTER (WHERE reversal_kind <> 'refund'),
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

  private var net: Micros { Micros(gross.rawValue + refunds.rawValue) }

  /// The sums in whole cents, and the number of rows left out.
  var lines: [String] {
    var line =
      "In \(currency.code): gross \(text(gross)), refunds \(text(refunds)), net "
      + "\(text(net))."
    if unconvertedRows > 0 {
      line +=
        " Left out are \(Count.text(unconvertedRows, "row")) without a rate "
        + "(\(unconvertedCurrencies.joined(separator: ", ")))."
    }
    guard let netProceedsEstimate else { return [line] }
    var estimate =
      "Estimated proceeds, refunded rows left out: \(text(netProceedsEstimate)) "
      + "\(currency.code)"
    if unestimatedRows > 0 {
      estimate += "; \(Count.text(unestimatedRows, "row")) without an estimate"
    }
    return [line, estimate + "."]
  }

  /// An amount rounded to the smallest unit in which the currency is paid.
  private func text(_ amount: Micros) -> String {
    let unit: Int64 = [1000, 100, 10, 1][min(max(currency.decimals, 0), 3)]
    let whole = (try? amount.share(1, of: unit * 1000))?.rawValue ?? 0
    return Milliunits(whole * unit).text(decimals: currency.decimals)
  }

  /// The same for machines.
  var json: JSONText {
    .object([
      .init("currency", .text(currency.code)),
      .init("gross_micros", .number(gross.rawValue)),
      .init("refunds_micros", .number(refunds.rawValue)),
      .init("net_micros", .number(net.rawValue)),
      .init("unconverted_rows", .number(unconvertedRows)),
      .init("unconverted_currencies", .list(unconvertedCurrencies.map(JSONText.text))),
      .init("net_proceeds_estimate_micros", .number(orNull: netProceedsEstimate?.rawValue)),
      .init("unestimated_rows", .number(unestimatedRows)),
    ])
  }
}
