package import GRDB

/// A table or view of the warehouse to export.
package struct ExportedTable {
  /// The type of a text column that has dates or times.
  enum Moment { case day, time }

  struct Column: Hashable {
    var name: String
    var kind: ColumnKind
    var isRequired: Bool
    /// The meaning of the column, from `meta_column`.
    var meaning: String?

    /// The type of a text column with dates or times; `nil` for all other columns.
    ///
    /// The name decides. Dates: `date_day` and names that end in `_date`. Times: `as_of`,
    /// `valid_from`, `valid_to` and names that end in `_at`.
    var moment: Moment? {
      guard kind == .text else { return nil }
      if name.hasSuffix("_date") || name == "date_day" { return .day }
      return name.hasSuffix("_at") || ["as_of", "valid_from", "valid_to"].contains(name)
        ? .time : nil
    }
  }

  package let name: String
  /// The meaning of one row, from the comment in the table's `CREATE` statement.
  let grain: String?
  let columns: [Column]
  /// The columns of the primary key; empty for views.
  let key: [String]

  /// The names of all tables and views, in alphabetical order.
  package static func names(on db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT name FROM sqlite_schema
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%' AND name NOT LIKE ?
        ORDER BY name
        """, arguments: ["\(FigureDefinition.untypedPrefix)%"]
    )
  }

  /// Reads the description of a table or view.
  package init(_ name: String, on db: Database) throws {
    self.name = name
    let sql =
      try String.fetchOne(
        db, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [name])
      ?? ""
    let comment = SchemaText.grain(of: sql)
    grain = comment.isEmpty ? nil : comment
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT p.name, p.type, p."notnull", p.pk, m.description, m.unit, m.null_means
        FROM pragma_table_info(?) AS p
        LEFT JOIN meta_column AS m ON m.table_name = ? AND m.column_name = p.name
        ORDER BY p.cid
        """, arguments: [name, name])
    let kinds = try ColumnKind.Reader(columns: Set(rows.map { $0["name"] }), on: db)
    columns = rows.map { row in
      Column(
        name: row["name"], kind: kinds.kind(of: row["name"], type: row["type"]),
        isRequired: row["notnull"] == 1, meaning: Self.meaning(row))
    }
    key = rows.map { row -> (place: Int, name: String) in (row["pk"], row["name"]) }
      .filter { $0.place > 0 }.sorted { $0.place < $1.place }.map(\.name)
  }

  private static func meaning(_ row: Row) -> String? {
    guard let description: String = row["description"] else { return nil }
    let unit: String? = row["unit"]
    let null: String? = row["null_means"]
    return description + (unit.map { " Unit: \($0)." } ?? "") + (null.map { " NULL: \($0)." } ?? "")
  }

  /// Writes all rows as text, in chunks of about 64 KiB that contain only whole rows.
  ///
  /// - Parameters:
  ///   - text: The converter for the format; its buffer must be empty.
  package func write(
    as text: consuming RowText, on db: Database, to write: ([UInt8]) throws -> Void
  ) throws -> Int {
    text.header(columns.map(\.name))
    var count = 0
    let cursor = try Row.fetchCursor(db, sql: query)
    while let row = try cursor.next() {
      text.row(row)
      count += 1
      if text.bytes.count >= Self.chunkSize { try write(text.take()) }
    }
    try write(text.take())
    return count
  }

  /// The approximate size of a chunk in bytes.
  private static let chunkSize = 1 << 16

  /// The query for all rows, in an order that depends only on the rows.
  private var query: String {
    let order = key.isEmpty ? columns.map(\.name) : key
    let list = { (names: [String]) in
      names.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    }
    return """
      SELECT \(list(columns.map(\.name))) FROM \(name.quotedDatabaseIdentifier)
      ORDER BY \(list(order))
      """
  }
}
