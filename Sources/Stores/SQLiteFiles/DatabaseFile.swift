package import Diagnostics
package import GRDB
internal import GRDBSQLite
package import Glibc
internal import TemporaryFiles

/// An open database of Paidline.
///
/// Only this type opens Paidline's databases, through SQLite or as plain file descriptors.
///
/// The database uses WAL mode with persistent log files (`SQLITE_FCNTL_PERSIST_WAL`), so that a
/// reader without write permission in the folder can read during and after a run. `synchronous` is
/// FULL, so that a finished run survives a power failure. If a file of an older version is opened
/// for writing, it is migrated in one transaction (``SchemaMigration``).
package final class DatabaseFile: Sendable {
  /// The path, used in messages.
  package let path: String
  /// The format of the file, for example the format of state.db or of the warehouse.
  package let format: DatabaseFormat
  private let queue: DatabaseQueue
  private let connection: ConnectedFiles.Connection

  /// Opens a database, after checking that it belongs to Paidline and has a usable version.
  ///
  /// A file of another program, or of a newer or too old version, is refused with
  /// ``ExitStatus/badConfiguration`` and left unchanged.
  ///
  /// - Parameters:
  ///   - isPatient: Whether to wait up to five seconds for another writer; otherwise a locked
  ///     database is an error.
  package init(
    path: String, format: DatabaseFormat, access: DatabaseAccess, pages: PageMemory = .standard,
    isPatient: Bool = true
  ) throws(RunFailure) {
    self.path = path
    self.format = format
    let exists = try DatabaseHeader.check(path: path, format: format)
    if !exists {
      switch access {
      case .readOnly, .analyse, .readWrite:
        throw RunFailure(
          .inputMissing, "\(path): there is no \(format.name) database yet. Run the pipeline first."
        )
      case .createIfMissing, .build: try Self.createEmpty(path, format: format)
      }
    } else if access == .build {
      throw RunFailure(.cannotCreate, "\(path): the file exists already. Remove it and run again.")
    }
    if exists, format.numbersTransactions { try LogAgreement.check(path, format: format) }
    connection = ConnectedFiles.Connection(path, format: format)
    do {
      queue = try DatabaseQueue(
        path: path,
        configuration: Self.configuration(
          format: format, access: access, pages: pages, isPatient: isPatient))
      try Self.prepare(queue, path: path, format: format, access: access)
    } catch let error as DatabaseError
      where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
    {
      // A killed writer's journal can be rolled back only by a process with write permission.
      // state.db has a rollback journal only while it is created; a warehouse always has its
      // write-ahead log.
      throw RunFailure(
        .inputMissing,
        "\(path): a run was stopped while it created this \(format.name) database. "
          + "Run the pipeline again as the owner of the file; then this command can read the database."
      )
    } catch {
      throw SQLiteFailure.translated(error, path: path)
    }
  }

  /// Creates an empty file with the permissions of its format.
  ///
  /// SQLite gives its log files the permissions of this file, independently of the umask.
  private static func createEmpty(_ path: String, format: DatabaseFormat) throws(RunFailure) {
    let mode: mode_t = format.isPrivate ? 0o600 : 0o644
    let descriptor = openDescriptor(path, O_RDWR | O_CREAT, mode: mode)
    guard descriptor >= 0 else { throw .system(errno, "creating \(path)", isOutput: true) }
    defer { closeDescriptor(descriptor) }
    guard !format.isPrivate || fchmod(descriptor, mode) == 0 else {
      throw .system(errno, "creating \(path)", isOutput: true)
    }
  }

  /// Calls `body` with a new, empty database in memory, inside a transaction.
  ///
  /// Foreign keys are not checked, because the database may have only some of the rows.
  package static func inMemory<Value>(_ body: (Database) throws -> Value) throws -> Value {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    return try DatabaseQueue(configuration: configuration).write(body)
  }

  /// Opens a descriptor of a database's file; the caller closes it with ``closeDescriptor(_:)``.
  ///
  /// - Returns: The descriptor, or -1 with `errno`.
  package static func openDescriptor(_ path: String, _ flags: Int32, mode: mode_t = 0) -> Int32 {
    while true {
      let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
      if descriptor >= 0 || errno != EINTR { return descriptor }
    }
  }

  /// Closes a descriptor as soon as this process has no SQLite connection to its file.
  package static func closeDescriptor(_ descriptor: Int32) { ConnectedFiles.close(descriptor) }

  /// Returns a value that was read; throws if one of the rows behind it is damaged.
  private static func undamaged<Value>(_ value: Value) throws -> Value {
    try DamagedRow.check()
    return value
  }

  /// Reads in one transaction, so that all results are consistent.
  package func read<Value>(_ body: (Database) throws -> Value) throws(RunFailure) -> Value {
    do {
      return try queue.read { try Self.undamaged(try body($0)) }
    } catch {
      throw SQLiteFailure.translated(error, path: path)
    }
  }

  /// Reads without a transaction.
  ///
  /// Each statement may see another state of the file, so this is only for single look-ups.
  package func lookUp<Value>(_ body: (Database) throws -> Value) throws(RunFailure) -> Value {
    do {
      return try queue.unsafeRead { try Self.undamaged(try body($0)) }
    } catch {
      throw SQLiteFailure.translated(error, path: path)
    }
  }

  /// Writes in one transaction: commits everything, or nothing.
  ///
  /// - Parameters:
  ///   - body: Writes; if it throws, nothing is written.
  package func write<Value>(_ boundary: CommitBoundary, _ body: (Database) throws -> Value)
    throws(RunFailure) -> Value
  {
    do {
      return try queue.writeWithoutTransaction { db in
        try Self.commit(boundary, format: format, on: db) {
          if format.numbersTransactions { try LogAgreement.countTransaction(on: db) }
          return try Self.undamaged(try body(db))
        }
      }
    } catch {
      throw SQLiteFailure.translated(error, path: path)
    }
  }

  /// Runs statements that are not allowed in a transaction, such as `VACUUM`.
  package func outsideTransaction<Value>(_ body: (Database) throws -> Value) throws(RunFailure)
    -> Value
  {
    do {
      return try queue.writeWithoutTransaction { try Self.undamaged(try body($0)) }
    } catch {
      throw SQLiteFailure.translated(error, path: path)
    }
  }

  /// Moves the write-ahead log into the file and empties the log; does not wait for readers.
  ///
  /// - Returns: `false` if a reader uses the log, so that a part of the log remains.
  @discardableResult
  package func checkpoint() throws(RunFailure) -> Bool {
    try outsideTransaction { db in
      try db.execute(sql: "PRAGMA busy_timeout = 0")
      defer { try? db.execute(sql: "PRAGMA busy_timeout = \(Self.patience)") }
      return try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
    }
  }

  /// Closes the connection; the object must not be used afterwards.
  package func close() throws(RunFailure) {
    do {
      try queue.close()
      connection.end()
    } catch {
      throw SQLiteFailure.translated(error, path: path)
    }
  }

  deinit {
    try? queue.close()
    connection.end()
  }

  /// Runs `body` in one transaction, on a connection without an open transaction.
  package static func commit<Value>(
    _ boundary: CommitBoundary, format: DatabaseFormat, on db: Database, _ body: () throws -> Value
  ) throws -> Value {
    try db.execute(sql: "BEGIN IMMEDIATE")
    do {
      let value = try body()
      try boundary.pass(.before, in: format.name)
      try db.execute(sql: "COMMIT")
      try boundary.pass(.after, in: format.name)
      return value
    } catch {
      if db.isInsideTransaction { try? db.execute(sql: "ROLLBACK") }
      throw error
    }
  }
}
