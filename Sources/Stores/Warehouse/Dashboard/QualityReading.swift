internal import Amounts
internal import ExchangeRates
internal import GRDB
internal import SQLiteFiles

/// Reads the figures about the quality of the data, such as the results of rules, tests and gates.
enum QualityReading {
  /// Adds the figures; those about Apple's reports are added only if there are reports.
  static func read(
    into figures: inout PageFigures, rates: () -> ReportingCurrency?, on db: Database
  ) throws {
    figures.rules = try StoredRow.fetchAll(db, sql: ruleQuery).map { row in
      RuleFigures(rule: row[0], status: row[1], rows: row[2], condition: row[3])
    }
    figures.tests = try StoredRow.fetchAll(
      db, sql: testQuery, arguments: [figures.run.runID]
    ).map { row in
      TestFigures(name: row[0], severity: row[1], failingRows: row[2])
    }
    figures.backtest = try StoredRow.fetchAll(db, sql: backtestQuery).map { row in
      BacktestFigures(
        rule: row[0], right: row[1], wrong: row[2], boundsHold: row[3], boundsMiss: row[4])
    }
    figures.backtestAsOf = try String.fetchOne(
      db,
      sql: "SELECT as_of FROM audit_run WHERE run_id = (SELECT MAX(run_id) FROM audit_backtest)")
    figures.services = try StoredRow.fetchAll(db, sql: serviceQuery).map { row in
      let code: String? = row[1]
      let paid: Int64? = row[5]
      return ServiceFigures(
        service: row[0], currency: code.flatMap { Currency($0) }, cause: row[2], purchases: row[3],
        booked: Milliunits(row[4]), paid: paid.map { Milliunits($0) })
    }
    figures.gates = try StoredRow.fetchAll(
      db, sql: gateQuery, arguments: [figures.run.runID]
    ).map { row in
      GateFigures(
        gate: row[0], severity: row[1], subject: row[2], found: row[3], expected: row[4])
    }
    figures.reconciliation = try reconciliation(on: db)
    if !figures.reconciliation.isEmpty {
      let money = try ComparedMoney(ComparedPart(), table: rates, on: db)
      figures.comparison = try ComparisonFigures(money, on: db)
      figures.dashboard.add(money)
    }
    figures.rejects = try counts("rejected_record", by: "reason_code", on: db)
    figures.excluded = try counts("excluded_purchase", by: "reason", on: db)
    figures.verdicts = try counts("price_evidence", by: "verdict", on: db)
    figures.unusedFiles = try StoredRow.fetchAll(db, sql: fileQuery).map { row in
      FileFigures(name: row[0], status: row[1], records: row[2])
    }
  }

  /// Reads the number of table rows for each value of a column, the most frequent value first.
  private static func counts(_ table: String, by column: String, on db: Database) throws
    -> [CountFigures]
  {
    try StoredRow.fetchAll(
      db, sql: "SELECT \(column), count(1) FROM \(table) GROUP BY 1 ORDER BY 2 DESC, 1"
    ).map { CountFigures(name: $0[0], count: $0[1]) }
  }

  /// Reads the amounts in Apple's reports and in the facts, by month, currency and cause.
  ///
  /// Empty without Apple's reports.
  private static func reconciliation(on db: Database) throws -> [ReconciliationFigures] {
    guard try db.viewExists("reconciliation_by_cause") else { return [] }
    return try StoredRow.fetchAll(
      db,
      sql: """
        SELECT month, currency, cause, apple_milli, our_milli FROM reconciliation_by_cause
        ORDER BY month DESC, currency, cause LIMIT \(PageWindow.rows)
        """
    ).map { row in
      let code: String? = row[1]
      return ReconciliationFigures(
        month: row[0], currency: code.flatMap { Currency($0) }, cause: row[2],
        apple: Milliunits(row[3]), ours: Milliunits(row[4]))
    }
  }

  private static let backtestQuery = """
    SELECT rule, SUM(right_rows), SUM(wrong_rows), SUM(bounds_hold_rows), SUM(bounds_miss_rows)
    FROM backtest_by_rule GROUP BY 1 ORDER BY SUM(rows) DESC, 1
    """

  private static let serviceQuery = """
    SELECT service, currency, cause, SUM(purchases), SUM(service_milli), SUM(our_milli)
    FROM service_comparison_by_cause GROUP BY 1, 2, 3
    ORDER BY service, currency, cause = 'equal' DESC,
      abs(COALESCE(SUM(difference_milli), 0)) DESC, cause LIMIT \(PageWindow.rows)
    """

  private static let gateQuery = """
    SELECT gate, severity, subject, found, expected FROM audit_gate WHERE run_id = ?
    ORDER BY gate, subject
    """

  private static let ruleQuery = """
    SELECT revenue.price_rule, revenue.price_status, count(1), rule.condition
    FROM fct_revenue AS revenue LEFT JOIN meta_rule AS rule ON rule.rule = revenue.price_rule
    GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2
    """

  private static let testQuery = """
    SELECT test, severity, failing_rows FROM data_test_result WHERE run_id = ?
    ORDER BY failing_rows = 0, severity, test
    """

  private static let fileQuery = """
    SELECT name, status, records FROM audit_file WHERE status IN ('refused', 'ignored')
    ORDER BY name, sha256, kind LIMIT \(PageWindow.rows)
    """
}
