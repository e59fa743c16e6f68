internal import SQLiteFiles
internal import Diagnostics
internal import GRDB

/// A warehouse of another schema: as all facts can be made anew, so can its tables.
///
/// It happens in the transaction that publishes, so that readers see the old tables with the old
/// facts, or the new ones with the new.
enum WarehouseUpgrade {
  /// The former names of columns of the ledger tables.
  private static let formerNames = ["content_digest": "content_sha256"]

  /// Whether tables or views of a file are not those of this program.
  ///
  /// Besides the version their text is compared, so that an upgrade cannot be forgotten. A file
  /// that is newer has been refused before.
  static func isNeeded(by file: DatabaseFile) throws(RunFailure) -> Bool {
    guard !file.isOutdated else { return true }
    let expected: [String]
    do {
      expected = try DatabaseFile.inMemory { db in
        try db.execute(sql: String(decoding: WarehouseSchema.format.schema, as: UTF8.self))
        return try texts(on: db)
      }
    } catch {
      throw SQLiteFailure.translated(error, path: file.path)
    }
    return try file.read { try texts(on: $0) } != expected
  }

  /// The texts of all tables and views, sorted.
  private static func texts(on db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'
        ORDER BY name
        """)
  }

  /// Replaces the file's tables with empty tables of this program's schema.
  ///
  /// The tables that no run can make anew keep their rows, column by column as far as both schemas
  /// have it: a new column of such a table needs a default or may be NULL.
  ///
  /// - Precondition: inside a transaction, with foreign keys off.
  static func replaceSchema(on db: Database) throws {
    try db.execute(
      sql: "CREATE TEMP TABLE former_run AS SELECT purchase_key, first_run_id FROM fct_revenue")
    let kept = try keptTables(on: db)
    for table in kept { try db.execute(sql: "ALTER TABLE \(table) RENAME TO former_\(table)") }
    try db.execute(sql: String(decoding: WarehouseSchema.format.schema, as: UTF8.self))
    for table in kept {
      let former = Set(try WarehouseSchema.columns(of: "former_\(table)", on: db))
      let columns = try WarehouseSchema.columns(of: table, on: db).compactMap { column in
        [column, formerNames[column]].compactMap(\.self).first(where: former.contains)
          .map { (new: column, old: $0) }
      }
      let (new, old) = (columns.map(\.new), columns.map(\.old))
      try db.execute(
        sql: """
          INSERT INTO \(table) (\(new.joined(separator: ", ")))
          SELECT \(old.joined(separator: ", ")) FROM former_\(table)
          """)
      try db.execute(sql: "DROP TABLE former_\(table)")
    }
    try db.execute(sql: "PRAGMA user_version = \(WarehouseSchema.format.version)")
  }

  /// Builds the indexes, and gives rows that were there before the upgrade their first run again.
  static func finish(_ report: inout PublishReport, on db: Database) throws {
    try WarehouseSchema.createIndexes(on: db)
    try db.execute(
      sql: """
        UPDATE fct_revenue SET first_run_id = former_run.first_run_id FROM former_run
        WHERE former_run.purchase_key = fct_revenue.purchase_key
        """)
    let stayed = db.changesCount
    let former = try Int.fetchOne(db, sql: "SELECT count(1) FROM former_run") ?? 0
    report.removed = former - stayed
    report.changed = stayed
    report.added -= stayed
    try db.execute(sql: "DROP TABLE former_run")
  }

  /// Drops everything but the ledger tables, and names these.
  private static func keptTables(on db: Database) throws -> [String] {
    let objects = try Row.fetchAll(
      db,
      sql: """
        SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%'
        ORDER BY type = 'table', name
        """)
    var kept: [String] = []
    for object in objects {
      let (type, name): (String, String) = (object[0], object[1])
      if type == "table", WarehouseSchema.ledgerTables.contains(name) {
        kept.append(name)
      } else {
        try db.execute(sql: "DROP \(type) \(name.quotedDatabaseIdentifier)")
      }
    }
    return kept
  }
}
