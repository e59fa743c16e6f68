internal import SQLiteFiles
internal import CivilTime
public import Diagnostics
internal import GRDB
internal import PurchaseModel
internal import TemporaryFiles

/// state.db: the content of all input files, from which the facts can be recomputed at any time.
///
/// It is private, because it contains customer ids; analysts use the warehouse. One process writes
/// at a time, under the pipeline's lock.
public final class StateDatabase: Sendable {
  let file: DatabaseFile

  /// Opens state.db.
  ///
  /// - Parameters:
  ///   - create: Whether a missing file is created, readable only by its owner.
  ///   - isPatient: Whether to wait while another process writes; otherwise an error is thrown.
  /// - Throws: ``RunFailure`` with status 66 for a missing file, 78 for a file of another program
  ///   or a newer version (it is left unchanged), and 73, 74, 75 or 77 for an error of the system.
  public static func open(path: String, create: Bool, isPatient: Bool = true) throws(RunFailure)
    -> StateDatabase
  {
    StateDatabase(
      file: try DatabaseFile(
        path: path, format: .state, access: create ? .createIfMissing : .readWrite,
        isPatient: isPatient))
  }

  /// Opens state.db for reading only, while a run may be writing.
  public static func openToRead(path: String) throws(RunFailure) -> StateDatabase {
    StateDatabase(file: try DatabaseFile(path: path, format: .state, access: .readOnly))
  }

  private init(file: DatabaseFile) {
    self.file = file
  }

  /// Closes the file; the database must not be used afterwards.
  public func close() throws(RunFailure) {
    try file.close()
  }

  /// The generation of state.db, a number that grows with each commit that changes the content.
  ///
  /// - Returns: The generation; 0 for a new database.
  public func generation() throws(RunFailure) -> Int64 {
    try file.read { try Self.generation(on: $0) }
  }

  static func generation(on db: Database) throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT generation FROM generation") ?? 0
  }

  static func incrementGeneration(on db: Database) throws -> Int64 {
    try db.execute(sql: "UPDATE generation SET generation = generation + 1")
    return try generation(on: db)
  }

  // MARK: Settings

  /// Reads the value that an earlier run stored under a key of table `setting`; `nil` without a
  /// value.
  public func setting(_ key: String) throws(RunFailure) -> String? {
    try file.read { db in
      try String.fetchOne(db, sql: "SELECT value FROM setting WHERE key = ?", arguments: [key])
    }
  }

  /// Stores a value for later runs under a key of table `setting`; `nil` removes the stored value.
  public func set(_ value: String?, for key: String) throws(RunFailure) {
    try file.write(.settingKept) { db in
      guard let value else {
        return try db.execute(sql: "DELETE FROM setting WHERE key = ?", arguments: [key])
      }
      try db.execute(
        sql: "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", arguments: [key, value])
    }
  }

  // MARK: Ingest

  /// Starts a batch for the new files of a run.
  ///
  /// - Parameter memory: The largest size of encoded rows in memory, in bytes. Rows beyond this
  ///   limit are stored in an unlinked file next to state.db.
  /// - Returns: A batch, to which several threads may add files.
  public func beginIngest(memory: Int = 256 << 20) throws(RunFailure) -> IngestBatch {
    IngestBatch(
      stored: try files(), interner: try SymbolInterner(file: file),
      store: SortMemory(bytes: memory, path: file.path + "-rows"))
  }
}
