@testable import SharedTables
import Diagnostics
import Foundation
import GRDB
import PaidAmounts
import PriceLearning
import PurchaseModel
import Purchases
import Subscriptions
import Testing

@testable import Warehouse

@Suite struct `The warehouse's schema` {
  private func published() throws -> WorkFolder {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    return folder
  }

  @Test func `every column of every table and view is described, and nothing else`() throws {
    let folder = try published()
    let columns = try folder.rows(
      """
      SELECT m.name, p.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS p
      WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'untyped_%' ORDER BY 1, 2
      """)
    #expect(columns.count > 300)
    #expect(
      try folder.rows("SELECT table_name, column_name FROM meta_column ORDER BY 1, 2") == columns)
  }

  @Test func `a column says what NULL means exactly where it can be NULL`() throws {
    let folder = try published()
    #expect(
      try folder.rows(
        """
        SELECT c.table_name, c.column_name FROM meta_column AS c
        JOIN sqlite_schema AS m ON m.name = c.table_name AND m.type = 'table'
        JOIN pragma_table_info(c.table_name) AS p ON p.name = c.column_name
        WHERE (p."notnull" = 0) <> (c.null_means IS NOT NULL)
        """) == [])
  }

  @Test func `every view but those of purchases has a metric, and every metric a view`() throws {
    let folder = try published()
    let others: Set = [
      "revenue", "mrr_by_purchase", "subscription_not_seen", "completeness_daily",
      "completeness_monthly", "recurring_change_daily",
    ]
    #expect(
      (FigureDefinition.all.map(\.name).filter { !others.contains($0) } + ["customers_daily"])
        .sorted() == (try folder.rows("SELECT DISTINCT view_name FROM meta_metric ORDER BY 1")))
  }

  @Test func `a cluster gets all views, each after those that it reads`() throws {
    let documented = try WarehouseLayout.views()
    let views = """
      SELECT name FROM sqlite_schema WHERE type = 'view' AND name NOT LIKE 'untyped_%' ORDER BY name
      """
    #expect(
      try (published().rows(views) + FigureDefinition.figures).sorted()
        == documented.map(\.name).sorted())
    try DatabaseQueue().write { db in
      try db.execute(sql: String(decoding: PackageResources.warehouse_tables_sql, as: UTF8.self))
      for view in documented {
        try db.execute(sql: view.sql)
        #expect(try Int.fetchOne(db, sql: "SELECT count(1) FROM \(view.name)") == 0)
      }
    }
  }

  @Test func `every rule is explained`() throws {
    let folder = try published()
    let rules = PriceRule.allCases.map(\.rawValue).sorted()
    #expect(try folder.rows("SELECT rule FROM meta_rule ORDER BY rule") == rules)
  }

  @Test(arguments: [
    ("fct_revenue", "product_kind", ProductKind.allCases.map(\.rawValue)),
    ("dim_product", "product_kind", ProductKind.allCases.map(\.rawValue)),
    ("fct_revenue", "period_kind", PeriodKind.allCases.map(\.rawValue)),
    ("fct_revenue", "payment_mode", RowPaymentMode.allCases.map(\.rawValue)),
    ("fct_revenue", "storefront_source", StorefrontSource.allCases.map(\.rawValue)),
    ("fct_revenue", "price_status", PriceStatus.allCases.map(\.rawValue)),
    ("fct_revenue", "price_rule", PriceRule.allCases.map(\.rawValue)),
    (
      "audit_backtest", "rule",
      PriceRule.allCases.filter { ![.signedPrice, .appleReport, .ownerCorrection].contains($0) }
        .map(\.rawValue)
    ),
    ("audit_backtest", "status", PriceStatus.allCases.map(\.rawValue)),
    ("audit_backtest", "verdict", BacktestRow.Outcome.allCases.map(\.rawValue)),
    ("service_comparison", "cause", ServiceCause.allCases.map(\.rawValue)),
    ("fct_revenue", "reversal_kind", ReversalKind.allCases.map(\.rawValue) + ["none"]),
    ("fct_revenue_entry", "entry_kind", EntryKind.allCases.map(\.rawValue)),
    ("fct_revenue_entry", "amount_basis", EntryKind.allCases.map(\.basis) + ["apple_share"]),
    ("fct_conversion", "offer_kind", PeriodKind.allCases.filter(\.isOffer).map(\.rawValue)),
    ("fct_conversion", "payment_mode", RowPaymentMode.allCases.map(\.rawValue)),
    ("fct_conversion", "status", ConversionStatus.allCases.map(\.rawValue)),
    ("fct_conversion", "converted_price_status", PriceStatus.allCases.map(\.rawValue)),
    ("dim_subscription", "status", SubscriptionStatus.allCases.map(\.rawValue)),
    ("dim_product_price", "payment_mode", PaymentMode.allCases.map(\.name) + [""]),
    ("price_evidence", "verdict", Verdict.allCases.map(\.rawValue)),
    ("price_evidence_offer", "payment_mode", PaymentMode.allCases.map(\.name)),
    ("excluded_purchase", "reason", ExclusionReason.allCases.map(\.rawValue)),
    ("rejected_record", "reason_code", RejectReason.allCases.map(\.rawValue)),
    ("audit_run", "kind", RunKind.allCases.map(\.rawValue)),
    ("audit_file", "kind", InputFile.Kind.allCases.map(\.rawValue)),
    ("audit_file", "status", FileStatus.allCases.map(\.rawValue)),
    ("data_test_result", "severity", TestSeverity.allCases.map(\.rawValue)),
  ])
  func `a vocabulary is checked in full`(table: String, column: String, values: [String]) throws {
    let folder = try published()
    let sql = try folder.rows("SELECT sql FROM sqlite_schema WHERE name = '\(table)'")[0]
    let list = values.count < 3 ? "CHECK (\(column) IN (" : "CHECK (\(column) = "
    let start = try #require(sql.range(of: list))
    let rest = sql[start.upperBound...]
    let found = rest[..<(rest.firstIndex(of: ")") ?? rest.endIndex)]
      .split(separator: "'", omittingEmptySubsequences: false)
      .enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    #expect(found.sorted() == values.sorted())
  }

  @Test func `no CHECK lists three constants, for which SQLite builds a table for every row`()
    throws
  {
    let folder = try published()
    let tables = try folder.rows("SELECT sql FROM sqlite_schema WHERE type = 'table'")
    let list = /\bIN\s*\([^()]*,[^()]*,/.ignoresCase()
    #expect(tables.filter { $0.contains(list) }.map { $0.prefix(60) } == [])
    #expect("CHECK (a IN ('x', 'y',\n 'z'))".contains(list))
    #expect(!"CHECK (a IN (0, 1))".contains(list))
  }

  @Test func `every table is strict, ordinary and begins with its grain`() throws {
    let folder = try published()
    let tables = try folder.rows(
      "SELECT name || '!' || sql FROM sqlite_schema WHERE type = 'table'")
    #expect(tables.count == 31 + FigureDefinition.figures.count)
    for table in tables {
      #expect(table.hasSuffix(") STRICT"))
      #expect(table.contains(" (\n  -- One row per "), "\(table)")
      for word in ["GENERATED", "WITHOUT ROWID", "REAL", "BLOB"] {
        #expect(!table.contains(word), "\(table)")
      }
    }
  }

  @Test func `views never use count of star, which DuckDB cannot read`() throws {
    let folder = try published()
    let views = try folder.rows(
      "SELECT sql FROM sqlite_schema WHERE type = 'view' AND name NOT LIKE 'untyped_%'")
    #expect(views.count == FigureDefinition.all.count - FigureDefinition.figures.count)
    #expect(views.filter { $0.lowercased().contains("count(*)") } == [])
  }

  @Test func `foreign keys are deferred`() throws {
    let folder = try published()
    let sql = try folder.rows("SELECT group_concat(sql) FROM sqlite_schema")[0]
    let references = sql.components(separatedBy: "REFERENCES").count - 1
    #expect(references == 7)
    #expect(
      sql.components(separatedBy: "DEFERRABLE INITIALLY DEFERRED").count - 1 == references)
  }

  @Test func `the file carries its marks`() throws {
    let folder = try published()
    #expect(try folder.rows("PRAGMA application_id") == ["1348761448"])  // "Pdwh"
    #expect(try folder.rows("PRAGMA user_version") == ["11"])
    #expect(try folder.rows("PRAGMA journal_mode") == ["wal"])
    #expect(try folder.rows("PRAGMA integrity_check") == ["ok"])
  }
}
