internal import SQLiteFiles
internal import GRDB
internal import PaidAmounts

/// The schema of the analysts' database, stored as SQL in `Schema/warehouse_*.sql`.
enum WarehouseSchema {
  /// The identification of the file: "Pdwh" as a number, and the schema version.
  ///
  /// The version is raised when a table or view changes.
  static let format = DatabaseFormat(
    name: "warehouse", applicationID: 0x5064_7768, firstVersion: 11,
    schema: PackageResources.warehouse_tables_sql + PackageResources.warehouse_figures_sql
      + Array(FigureDefinition.views.utf8),
    advice: "Move this file away with its -wal and -shm files, and run the pipeline: the run "
      + "rebuilds the warehouse from state.db, with the list of runs and restatements.",
    isPrivate: false, pageSize: 4096)

  /// The names of a table's or view's columns, in their order.
  static func columns(of table: String, on db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
  }

  /// The tables that `content_digest` covers, in the order of the cases of ``FactTable``.
  static let hashedTables = FactTable.allCases.map(\.name)

  /// The names of the columns that the content digest leaves out.
  ///
  /// They contain runs, source files, source lines, and the lengths of offers.
  static let unhashedColumns: Set<String> = [
    "first_run_id", "changed_run_id", "source_file_id", "source_line", "offer_length",
  ]

  /// The columns of a table that the content digest covers, in their order.
  static func hashedColumns(of table: String, on db: Database) throws -> [String] {
    try columns(of: table, on: db).filter { !unhashedColumns.contains($0) }
  }

  /// The columns of a table's primary key, in their order.
  static func primaryKey(of table: String, on db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
      arguments: [table])
  }

  /// Whether a table's primary key is one whole number, which is then also the rowid.
  static func hasNumberAsKey(_ table: String, on db: Database) throws -> Bool {
    let types = try String.fetchAll(
      db, sql: "SELECT type FROM pragma_table_info(?) WHERE pk > 0", arguments: [table])
    return types == ["INTEGER"]
  }

  /// Creates the indexes of a new file, after all rows are written.
  static func createIndexes(on db: Database) throws {
    try db.execute(sql: String(decoding: PackageResources.warehouse_indexes_sql, as: UTF8.self))
  }

  /// Rewrites the tables `meta_…`, which explain columns, metrics and rules.
  static func writeMeta(on db: Database) throws {
    for table in ["meta_column", "meta_metric", "meta_rule"] {
      try db.execute(sql: "DELETE FROM \(table)")
    }
    try db.execute(sql: String(decoding: PackageResources.warehouse_meta_sql, as: UTF8.self))
    let statement = try RawStatement(
      "meta_rule", "INSERT INTO meta_rule VALUES (?, ?, ?, ?)", on: db)
    for rule in RuleText.all.sorted(by: { $0.rule < $1.rule }) {
      try statement.run(rule.rule, rule.condition, rule.result, rule.why)
    }
  }
}
