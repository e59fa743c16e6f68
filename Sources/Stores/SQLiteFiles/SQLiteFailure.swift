package import Diagnostics
internal import GRDB

/// Converts SQLite's errors to failures for an operator.
package enum SQLiteFailure {
  /// Converts an error of a database at `path` to a failure with exit status and remedy.
  ///
  /// A ``RunFailure`` is returned unchanged. An error that is not from SQLite is treated as a bug.
  package static func translated(_ error: any Error, path: String) -> RunFailure {
    if let failure = error as? RunFailure { return failure }
    if let error = error as? DamagedRow {
      return RunFailure(.inputOutput, "\(path): \(error). \(damaged)")
    }
    if error is RowDecodingError {
      // Its description contains the row.
      return RunFailure(
        .inputOutput, "\(path): a row has no value where one must be. \(damaged)")
    }
    guard let error = error as? DatabaseError else {
      return RunFailure(.invariantBroken, "\(path): \(error). This is a bug; please report it.")
    }
    if error.resultCode == .SQLITE_ERROR, let message = error.message,
      message.contains("no such table: ") || message.contains("no such column: ")
    {
      return removedByHand(message, path: path)
    }
    let (status, remedy) =
      error.resultCode == .SQLITE_CANTOPEN && FreeSpace.takesNoFile(at: path)
      ? (
        .inputOutput,
        "The disk has no inodes left, so no file can be created: remove some files and run again."
      ) : meaning(of: error.resultCode)
    let code = error.extendedResultCode.rawValue
    return RunFailure(
      status, "\(path): \(error.message ?? "SQLite failed") (SQLite error \(code)). \(remedy)")
  }

  /// The failure for a table, view or column that somebody removed, such as `no such table: x`.
  static func removedByHand(_ message: String, path: String) -> RunFailure {
    RunFailure(
      .inputOutput,
      "\(path): \(message): this table, view or column was removed or renamed by hand. Restore the "
        + "database from a backup, or move it away with its -wal and -shm files (not "
        + "state.db.removals), and run: the run builds it again.")
  }

  private static let damaged =
    "The database is damaged: restore it from a backup, or move it away with its -wal and "
    + "-shm files (not state.db.removals), and run again with all inputs of the pipeline."

  private static func meaning(of code: ResultCode) -> (status: ExitStatus, remedy: String) {
    switch code {
    case .SQLITE_FULL:
      (.inputOutput, "The disk is full: free some space and run again; nothing was changed.")
    case .SQLITE_IOERR:
      (.inputOutput, "Reading or writing failed: check the disk, then run again.")
    case .SQLITE_CORRUPT: (.inputOutput, damaged)
    case .SQLITE_NOMEM:
      (.inputOutput, "Out of memory: give the run more memory, or use fewer --jobs.")
    case .SQLITE_CANTOPEN:
      (
        .cannotCreate,
        "The file cannot be opened: check that its folder exists, and that this user may write to "
          + "the folder, the file, and the -wal and -shm files next to it."
      )
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      (
        .noPermission,
        "The file may not be written: check the permissions of the file, of the -wal and -shm "
          + "files next to it, and of their folder."
      )
    case .SQLITE_NOTADB:
      (.badConfiguration, "The file is not a SQLite database: name another file in the pipeline.")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      (.tryAgain, "Another program is writing to the database: run again later.")
    default:
      (.invariantBroken, "This is a bug; please report it.")
    }
  }
}
