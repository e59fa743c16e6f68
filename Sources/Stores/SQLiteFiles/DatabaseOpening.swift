internal import Diagnostics
package import GRDB
internal import GRDBSQLite

extension DatabaseAccess {
  /// Whether a connection may write.
  package var mayWrite: Bool {
    switch self {
    case .readOnly, .analyse: false
    case .readWrite, .createIfMissing, .build: true
    }
  }
}

extension DatabaseFile {
  /// The number of milliseconds to wait for another writer before giving up.
  package static let patience = 5000

  /// The GRDB configuration of a connection: access, timeout and cache.
  package static func configuration(
    format: DatabaseFormat, access: DatabaseAccess, pages: PageMemory, isPatient: Bool
  ) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = !access.mayWrite
    configuration.busyMode = isPatient ? .timeout(Double(patience) / 1000) : .immediateError
    configuration.label = format.name
    configuration.prepareDatabase { db in
      for pragma in pragmas(format: format, access: access, pages: pages) {
        try db.execute(sql: "PRAGMA \(pragma)")
      }
    }
    return configuration
  }

  private static func pragmas(
    format: DatabaseFormat, access: DatabaseAccess, pages: PageMemory
  ) -> [String] {
    var pragmas = ["trusted_schema = OFF"]
    // In kibibytes. Changing rows needs random access; building and most reading are sequential.
    pragmas.append(
      "cache_size = -\(access == .readWrite ? pages.cachedKibibytes : pages.cachedKibibytes / 4)")
    switch access {
    case .build:
      // For a file that this process builds, cell checks on every page are not needed. Pages that
      // are read several times are mapped, not copied.
      pragmas.append("mmap_size = \(pages.mappedBytes)")
    case .readWrite: pragmas += ["cell_size_check = ON", "mmap_size = \(pages.mappedBytes)"]
    case .analyse: pragmas += ["cell_size_check = ON", "mmap_size = \(1 << 30)"]
    case .readOnly, .createIfMissing: pragmas.append("cell_size_check = ON")
    }
    guard access.mayWrite else { return pragmas }
    pragmas.append("page_size = \(format.pageSize)")
    pragmas.append("secure_delete = \(format.isPrivate ? "ON" : "OFF")")
    pragmas.append("temp_store = MEMORY")
    if access == .build {
      pragmas += ["journal_mode = OFF", "synchronous = OFF"]
    } else {
      // With any limit, SQLite empties the log when the last connection is closed. So an older copy
      // of the file can be restored without a thought of the log.
      pragmas += ["synchronous = FULL", "journal_size_limit = \(1 << 30)"]
    }
    return pragmas
  }

  /// Creates the schema of a new file, turns on the write-ahead log, and migrates an older file.
  ///
  /// The schema is committed before the log is turned on. So the file itself, not only the log, has
  /// its identification from the start. A view that was removed or changed by hand is created
  /// again. A file that is opened for reading is only checked.
  package static func prepare(
    _ queue: DatabaseQueue, path: String, format: DatabaseFormat, access: DatabaseAccess
  ) throws {
    try queue.writeWithoutTransaction { db in
      let found = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
      var version = try SchemaMigration.version(on: db)
      if found == format.applicationID {
        try DatabaseHeader.checkVersion(version, path: path, format: format)
      } else {
        let isEmpty = try Int.fetchOne(db, sql: "SELECT count(1) FROM sqlite_schema") == 0
        guard found == 0, isEmpty, access == .createIfMissing || access == .build else {
          throw DatabaseHeader.foreign(path: path, format: format)
        }
        try create(format, on: db)
        version = format.version
      }
      guard access == .readWrite || access == .createIfMissing else {
        guard version == format.version else {
          throw DatabaseHeader.outdated(version, path: path, format: format)
        }
        return
      }
      try turnOnLog(db)
      if version < format.version {
        try SchemaMigration.upgrade(to: format, path: path, on: db)
      }
      if found == format.applicationID {
        try SchemaObjects.restoreViews(on: db, path: path, format: format)
      }
    }
  }

  private static func create(_ format: DatabaseFormat, on db: Database) throws {
    try commit(.schemaWritten, format: format, on: db) {
      for sql in [format.schema] + format.steps {
        try db.execute(sql: String(decoding: sql, as: UTF8.self))
      }
      try db.execute(sql: "PRAGMA application_id = \(format.applicationID)")
      try db.execute(sql: "PRAGMA user_version = \(format.version)")
    }
  }

  private static func turnOnLog(_ db: Database) throws {
    try db.execute(sql: "PRAGMA journal_mode = WAL")
    var persists: Int32 = 1
    let result = unsafe sqlite3_file_control(
      db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &persists)
    guard result == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
  }
}
