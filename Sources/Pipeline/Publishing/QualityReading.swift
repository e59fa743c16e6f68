internal import GRDB
internal import Publishing

/// Reads rules, tests, rejects and what the metrics mean.
enum QualityReading {
  /// Fills in what the page tells about trust.
  static func read(into figures: inout ReportFigures, on db: Database) throws {
    figures.rules = try Row.fetchAll(db, sql: ruleQuery).map { row in
      RuleFigures(rule: row[0], status: row[1], rows: row[2], condition: row[3])
    }
    figures.tests = try Row.fetchAll(
      db, sql: testQuery, arguments: [figures.run.runID]
    ).map { row in
      TestFigures(name: row[0], severity: row[1], failingRows: row[2], sql: row[3])
    }
    figures.rejects = try counts("rejected_record", by: "reason_code", on: db)
    figures.excluded = try counts("excluded_purchase", by: "reason", on: db)
    figures.subscriptions = try counts("dim_subscription", by: "status", on: db)
    figures.verdicts = try counts("price_evidence", by: "verdict", on: db)
    figures.unusedFiles = try Row.fetchAll(db, sql: fileQuery).map { row in
      FileFigures(name: row[0], status: row[1], records: row[2])
    }
    for row in try Row.fetchAll(db, sql: "SELECT metric, definition, differs_from FROM meta_metric")
    {
      figures.definitions[row[0]] = MetricDefinition(definition: row[1], differsFrom: row[2])
    }
  }

  /// How often each word of a column occurs, the commonest first.
  private static func counts(_ table: String, by column: String, on db: Database) throws
    -> [CountFigures]
  {
    try Row.fetchAll(
      db, sql: "SELECT \(column), count(1) FROM \(table) GROUP BY 1 ORDER BY 2 DESC, 1"
    ).map { CountFigures(name: $0[0], count: $0[1]) }
  }

  private static let ruleQuery = """
    SELECT revenue.price_rule, revenue.price_status, count(1), rule.condition
    FROM fct_revenue AS revenue LEFT JOIN meta_rule AS rule ON rule.rule = revenue.price_rule
    GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2
    """

  private static let testQuery = """
    SELECT test, severity, failing_rows, sql FROM data_test_result WHERE run_id = ?
    ORDER BY failing_rows = 0, severity, test
    """

  private static let fileQuery = """
    SELECT name, status, records FROM audit_file WHERE status NOT IN ('used', 'superseded')
    ORDER BY name, sha256, kind LIMIT \(PageWindow.rows)
    """
}
