public import Diagnostics
internal import GRDB
internal import SQLiteFiles

/// The tables and views of the warehouse: columns, descriptions and statements.
///
/// Figures are views here, because only a publication fills them as tables. They are read from the
/// schema in the program, so that a process needs no warehouse.
public enum WarehouseLayout {
  /// A column of a table.
  public struct Column: Hashable, Sendable {
    /// The name in the schema.
    public var name: String
    /// Whether the column has texts; otherwise it has whole numbers.
    public var isText: Bool
    /// Whether the column belongs to the primary key.
    public var isKey: Bool
  }

  /// The columns of each table in the table's order, keyed by table.
  ///
  /// - Throws: ``RunFailure`` if the schema cannot be read, which is a bug.
  public static func columns() throws(RunFailure) -> [String: [Column]] {
    try read { db in
      var columns: [String: [Column]] = [:]
      for table in try tables(on: db) {
        columns[table] = try StoredRow.fetchAll(
          db, sql: "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid",
          arguments: [table]
        ).map { Column(name: $0["name"], isText: $0["type"] == "TEXT", isKey: $0["pk"] > 0) }
      }
      return columns
    }
  }

  /// The rows of `meta_column`, `meta_metric` and `meta_rule`, as JSON objects.
  ///
  /// - Throws: ``RunFailure`` if the schema cannot be read, which is a bug.
  public static func descriptions() throws(RunFailure) -> [(table: String, json: String)] {
    try read { db in
      try WarehouseSchema.writeMeta(on: db)
      var rows: [(table: String, json: String)] = []
      for table in try tables(on: db) where table.hasPrefix("meta_") {
        rows += try descriptions(in: table, on: db).map { (table, $0) }
      }
      return rows
    }
  }

  /// The rows of one of the tables `meta_…`, as JSON objects.
  static func descriptions(in table: String, on db: Database) throws -> [String] {
    let pairs = try WarehouseSchema.columns(of: table, on: db).map { "'\($0)', \"\($0)\"" }
    return try String.fetchAll(
      db, sql: "SELECT json_object(\(pairs.joined(separator: ", "))) FROM \(table)")
  }

  /// The views; each view comes after the views that it reads.
  ///
  /// - Throws: ``RunFailure`` if the schema cannot be read, which is a bug.
  public static func views() throws(RunFailure) -> [(name: String, sql: String)] {
    FigureDefinition.all.map { ($0.name, $0.view) }
  }

  private static func tables(on db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
  }

  private static func read<Value>(_ body: (Database) throws -> Value) throws(RunFailure) -> Value {
    do {
      return try DatabaseFile.inMemory { db in
        try db.execute(
          sql: String(decoding: PackageResources.warehouse_tables_sql, as: UTF8.self))
        return try body(db)
      }
    } catch {
      throw RunFailure(
        .invariantBroken,
        "the schema of the warehouse cannot be read: \(error). This is a bug, please report it.")
    }
  }
}
