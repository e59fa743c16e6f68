internal import GRDB

/// The CHECKs of the tables, run once over the finished rows.
///
/// SQLite builds the lists of a CHECK anew for every row it inserts or examines, which costs more
/// than everything else about the row. The same expressions in one query build them once.
enum SchemaChecks {
  /// The tables among these that hold a row that breaks one of their CHECKs.
  static func brokenTables(_ tables: [String], on db: Database) throws -> [String] {
    try tables.filter { table in
      let sql = try String.fetchOne(
        db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?",
        arguments: [table])
      let checks = expressions(in: sql ?? "")
      guard !checks.isEmpty else { return false }
      // A CHECK passes when it is NULL, and so does WHERE NOT (NULL).
      let broken = checks.map { "NOT (\($0))" }.joined(separator: " OR ")
      return try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(broken))") ?? false
    }
  }

  /// The expressions of all CHECKs in a CREATE TABLE statement of ours.
  static func expressions(in sql: String) -> [String] {
    var found: [String] = []
    var rest = sql[...]
    while let start = rest.firstRange(of: "CHECK (") {
      rest = rest[start.upperBound...]
      var depth = 1
      var isQuoted = false
      let end = rest.firstIndex { character in
        if character == "'" { isQuoted.toggle() }
        if !isQuoted, character == "(" { depth += 1 }
        if !isQuoted, character == ")" { depth -= 1 }
        return depth == 0
      }
      guard let end else { break }
      found.append(String(rest[..<end]))
      rest = rest[end...]
    }
    return found
  }
}
