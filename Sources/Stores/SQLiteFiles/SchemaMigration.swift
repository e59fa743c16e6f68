internal import Diagnostics
package import GRDB

/// Migrates a file of an older schema version, in one transaction.
///
/// If the process is killed, the file has either the old or the new version.
package enum SchemaMigration {
  /// The schema version of a database: `PRAGMA user_version`.
  ///
  /// The number in the file's header can be out of date, because the newest page may be in the
  /// write-ahead log.
  package static func version(on db: Database) throws -> Int32 {
    try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
  }

  /// Runs the migration steps that a file does not have yet.
  ///
  /// - Throws: The error of SQLite; the file then still has the old version.
  static func upgrade(to format: DatabaseFormat, path: String, on db: Database) throws {
    // A step may have to rebuild a table that other tables reference.
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
    try DatabaseFile.commit(.schemaWritten, format: format, on: db) {
      try applySteps(to: format, path: path, on: db)
    }
    // This also writes the new version to the header, where older programs read the version.
    _ = try? Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private static func applySteps(to format: DatabaseFormat, path: String, on db: Database) throws {
    // Another process may have migrated the file in the meantime.
    let first = try version(on: db)
    try DatabaseHeader.checkVersion(first, path: path, format: format)
    guard first < format.version else { return }
    for step in format.steps[Int(first - format.firstVersion)...] {
      try db.execute(sql: String(decoding: step, as: UTF8.self))
    }
    guard try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil else {
      throw RunFailure(
        .invariantBroken,
        "\(path): the upgrade from schema version \(first) to \(format.version) would leave rows "
          + "with broken references. Nothing was changed; this is a bug, please report it.")
    }
    try db.execute(sql: "PRAGMA user_version = \(format.version)")
  }
}
