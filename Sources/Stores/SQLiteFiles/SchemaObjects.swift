internal import Diagnostics
internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// The tables and views that a database file of a format must have.
///
/// An analyst's tool with write permission can drop or change them. Many are read by nobody but
/// analysts, so no statement of a run would fail.
struct SchemaObjects {
  /// A table or view.
  struct Object: Hashable {
    var isView: Bool
    var name: String
    var sql: String
  }

  /// The tables that the file lacks.
  var lostTables: [Object] = []
  /// The views that the file lacks, or that have another definition.
  var otherViews: [Object] = []

  /// Compares the tables and views of a file with those of its format.
  init(of db: Database, format: DatabaseFormat) throws {
    let found = Dictionary(
      uniqueKeysWithValues: try Self.read(db).map { ($0.name.lowercased(), $0) })
    for object in try Self.expected(format) {
      let own = found[object.name.lowercased()]
      if !object.isView {
        if own == nil { lostTables.append(object) }
      } else if own?.sql != object.sql {
        otherViews.append(object)
      }
    }
  }

  /// Creates the views anew that are missing or changed; fails if a table is missing.
  static func restoreViews(on db: Database, path: String, format: DatabaseFormat) throws {
    let objects = try SchemaObjects(of: db, format: format)
    if let table = objects.lostTables.first {
      throw SQLiteFailure.removedByHand("no such table: \(table.name)", path: path)
    }
    guard !objects.otherViews.isEmpty else { return }
    try DatabaseFile.commit(.schemaWritten, format: format, on: db) {
      for view in objects.otherViews {
        try db.execute(sql: "DROP VIEW IF EXISTS \(view.name)")
        try db.execute(sql: view.sql)
      }
    }
  }

  private static let known = Mutex<[Int32: [Object]]>([:])

  private static func expected(_ format: DatabaseFormat) throws -> [Object] {
    if let objects = known.withLock({ $0[format.applicationID] }) { return objects }
    // A table that a step changes is stored with SQLite's own text.
    let objects =
      format.steps.isEmpty
      ? stated(in: String(decoding: format.schema, as: UTF8.self))
      : try DatabaseFile.inMemory { db in
        for sql in [format.schema] + format.steps {
          try db.execute(sql: String(decoding: sql, as: UTF8.self))
        }
        return try read(db)
      }
    known.withLock { $0[format.applicationID] = objects }
    return objects
  }

  /// The tables and views that a schema creates, with the texts that SQLite stores.
  ///
  /// SQLite stores a statement as it is written, from `CREATE` at the start of a line to before the
  /// semicolon.
  static func stated(in schema: String) -> [Object] {
    var objects: [Object] = []
    var statement = ""
    for line in schema.split(separator: "\n", omittingEmptySubsequences: false) {
      if statement.isEmpty {
        guard line.hasPrefix("CREATE TABLE ") || line.hasPrefix("CREATE VIEW ") else { continue }
      }
      statement += statement.isEmpty ? line : "\n" + line
      guard line.hasSuffix(";"), unsafe sqlite3_complete(statement) == 1 else { continue }
      let isView = statement.hasPrefix("CREATE VIEW ")
      let name = statement.split(separator: " ", maxSplits: 3)[2]
      objects.append(
        Object(isView: isView, name: String(name), sql: String(statement.dropLast())))
      statement = ""
    }
    return objects
  }

  private static func read(_ db: Database) throws -> [Object] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT type = 'view', name, COALESCE(sql, '') FROM sqlite_schema
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY rowid
        """
    ).compactMap { row in
      guard let isView = Bool.fromDatabaseValue(row[0]),
        let name = String.fromDatabaseValue(row[1]), let sql = String.fromDatabaseValue(row[2])
      else { return nil }
      return Object(isView: isView, name: name, sql: sql)
    }
  }
}
