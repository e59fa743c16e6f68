/// The `psql` script that loads exported tables into PostgreSQL.
///
/// It uses one transaction, so readers see either the old or the new rows. It can be run
/// repeatedly.
package struct LoadScript {
  /// The exported tables, each with its number of rows.
  package let tables: [(table: ExportedTable, rows: Int)]

  package init(tables: [(table: ExportedTable, rows: Int)]) {
    self.tables = tables
  }

  /// The file name of the script in the folder of the exported files.
  package static let name = "load.sql"

  package var text: String {
    var lines = [
      "-- Loads what `paidline export --format pgcopy` wrote beside this script. Run it in this folder:",
      "--   psql --no-psqlrc --file=load.sql DATABASE",
      "-- Creates missing tables, and replaces the rows of all tables in one transaction.",
      "\\set ON_ERROR_STOP on", "\\encoding UTF8", "BEGIN;",
      "SET LOCAL client_min_messages = warning;",
    ]
    for (table, rows) in tables { lines += ["", Self.lines(of: table, rows: rows)] }
    return (lines + ["", "COMMIT;", ""]).joined(separator: "\n")
  }

  private static func lines(of table: ExportedTable, rows: Int) -> String {
    let name = identifier(table.name)
    var columns = table.columns.map { column in
      "  \(identifier(column.name)) \(type(of: column))" + (column.isRequired ? " NOT NULL" : "")
    }
    if !table.key.isEmpty {
      columns.append("  PRIMARY KEY (\(table.key.map(identifier).joined(separator: ", ")))")
    }
    var lines = ["CREATE TABLE IF NOT EXISTS \(name) (", columns.joined(separator: ",\n"), ");"]
    // Adds missing columns to a table that an older version created.
    lines += table.columns.filter { !table.key.contains($0.name) }.map { column in
      "ALTER TABLE \(name) ADD COLUMN IF NOT EXISTS \(identifier(column.name)) \(type(of: column));"
    }
    if let grain = table.grain { lines.append("COMMENT ON TABLE \(name) IS \(literal(grain));") }
    for column in table.columns {
      guard let meaning = column.meaning else { continue }
      lines.append(
        "COMMENT ON COLUMN \(name).\(identifier(column.name)) IS \(literal(meaning));")
    }
    let list = table.columns.map { identifier($0.name) }.joined(separator: ", ")
    lines += [
      "DELETE FROM \(name);",
      "\\copy \(name) (\(list)) FROM '\(table.name).\(ExportFormat.pgcopy.fileExtension)' "
        + "WITH (FORMAT text, ENCODING 'UTF8')",
      "DO $$ BEGIN IF (SELECT count(*) FROM \(name)) <> \(rows) THEN",
      "  RAISE EXCEPTION '\(table.name): loaded % rows, expected \(rows); nothing was changed; export again', "
        + "(SELECT count(*) FROM \(name)); END IF; END $$;",
    ]
    return lines.joined(separator: "\n")
  }

  /// PostgreSQL's type of a column; dates and times are recognized by the name of the column.
  private static func type(of column: ExportedTable.Column) -> String {
    switch (column.kind, column.moment) {
    case (.whole, _): "bigint"
    case (.decimal, _): "double precision"
    case (.text, .day): "date"
    case (.text, .time): "timestamptz"
    case (.text, nil): "text"
    }
  }

  private static func identifier(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  private static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }
}
