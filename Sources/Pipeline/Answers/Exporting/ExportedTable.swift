internal import Diagnostics
internal import GRDB
internal import Pipeline

/// A table or view of the warehouse that is to be exported.
struct ExportedTable {
  /// A meaning of a text beside words.
  enum Moment { case day, time }

  /// One of its columns.
  struct Column: Hashable {
    var name: String
    var kind: ColumnKind
    var isRequired: Bool
    /// The meaning of the column, from `meta_column`.
    var meaning: String?

    /// The meaning of its text, by its name: days end in `_date`, times in `_at`.
    var moment: Moment? {
      guard kind == .text else { return nil }
      if name.hasSuffix("_date") || name == "date_day" { return .day }
      return name.hasSuffix("_at") || ["as_of", "valid_from", "valid_to"].contains(name)
        ? .time : nil
    }
  }

  /// The name.
  let name: String
  /// The meaning of one row, from the comment in the table's `CREATE` statement.
  let grain: String?
  /// The columns in their order.
  let columns: [Column]
  /// The columns of the primary key; empty for views.
  let key: [String]

  /// All tables, or the named tables and views, in the order in which they are named.
  ///
  /// - Parameters:
  ///   - names: tables and views; empty for all tables.
  ///   - withViews: whether no names mean the views too.
  ///   - db: the warehouse.
  /// - Returns: the tables.
  /// - Throws: ``RunFailure`` with status 66 for a name that the warehouse lacks.
  static func find(_ names: [String], withViews: Bool = false, on db: Database) throws
    -> [ExportedTable]
  {
    let known = try Row.fetchAll(
      db,
      sql: """
        SELECT name, type, sql FROM sqlite_schema
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%' ORDER BY name
        """)
    let all: [String] = known.map { $0["name"] }
    let tables: [String] = known.filter { $0["type"] == "table" }.map { $0["name"] }
    var seen: Set<String> = []
    return try (names.isEmpty ? withViews ? all : tables : names).filter {
      seen.insert($0).inserted
    }.map { name in
      guard let row = known.first(where: { $0["name"] == name }) else {
        let hint = NearestWord.suggestion(for: name, among: all).map {
          " (did you mean \($0)?)"
        }
        throw RunFailure(
          .inputMissing,
          "the warehouse has no table or view \"\(OneLine.text(name))\"\(hint ?? ""); it has "
            + all.joined(separator: ", "))
      }
      return try ExportedTable(name, isView: row["type"] == "view", sql: row["sql"], on: db)
    }
  }

  private init(_ name: String, isView: Bool, sql: String, on db: Database) throws {
    self.name = name
    let comment = sql.split(separator: "\n").map { $0.drop { $0 == " " } }
      .drop { !$0.hasPrefix("-- ") }.prefix { $0.hasPrefix("-- ") }
    grain =
      comment.isEmpty ? nil : comment.map { String($0.dropFirst(3)) }.joined(separator: " ")
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

  /// The query for all rows, in an order that depends on nothing but them.
  var query: String {
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
