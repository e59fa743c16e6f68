package import GRDB
internal import SQLiteFiles

/// Reads the description of a warehouse from its schema and `meta_` tables.
package enum DescriptionReading {
  /// Reads all tables, views and metrics, with the meanings of columns from `meta_column`.
  package static func read(on db: Database) throws -> WarehouseDescription {
    var meanings: [String: [String: StoredRow]] = [:]
    for row in try StoredRow.fetchAll(
      db, sql: "SELECT table_name, column_name, unit, null_means, description FROM meta_column")
    {
      meanings[row[0], default: [:]][row[1]] = row
    }
    let tables = try StoredRow.fetchAll(
      db,
      sql: """
        SELECT name, type, sql FROM sqlite_schema
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' AND name NOT LIKE ?
        ORDER BY type, rowid
        """, arguments: ["\(FigureDefinition.untypedPrefix)%"])
    return WarehouseDescription(
      tables: try tables.map { row in
        try table(row[0], isView: row[1] == "view", sql: row[2], meanings[row[0]] ?? [:], on: db)
      },
      metrics: try StoredRow.fetchAll(
        db, sql: "SELECT metric, definition, view_name, differs_from FROM meta_metric ORDER BY 1"
      ).map { row in
        DescribedMetric(name: row[0], definition: row[1], view: row[2], differsFrom: row[3])
      })
  }

  private static func table(
    _ name: String, isView: Bool, sql: String, _ meanings: [String: StoredRow], on db: Database
  ) throws -> DescribedTable {
    let columns = try StoredRow.fetchAll(
      db, sql: #"SELECT name, type, "notnull" FROM pragma_table_info(?) ORDER BY cid"#,
      arguments: [name])
    let references = try StoredRow.fetchAll(
      db, sql: #"SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)"#, arguments: [name])
    let line = isView ? "" : SchemaText.line(of: sql)
    return DescribedTable(
      name: name, isView: isView, grain: SchemaText.grain(of: sql),
      columns: columns.map { row in
        let column: String = row[0]
        let reference = references.first { $0[0] == column }
        return DescribedColumn(
          name: column, type: isView ? "" : row[1], isRequired: row[2] == 1,
          unit: meanings[column]?[2], nullMeans: meanings[column]?[3],
          meaning: meanings[column]?[4] ?? "",
          words: isView ? [] : SchemaText.words(of: column, in: line),
          reference: reference.map { .init(table: $0[1], column: $0[2]) })
      },
      primaryKey: try String.fetchAll(
        db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
        arguments: [name]))
  }
}
