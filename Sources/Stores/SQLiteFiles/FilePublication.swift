package import Diagnostics
internal import Glibc
internal import TemporaryFiles

/// Creates database files, and moves finished ones to their final path.
package enum FilePublication {
  /// Creates an empty file with the permissions of its format.
  ///
  /// SQLite gives its log files the permissions of this file, independently of the umask.
  package static func createEmpty(_ path: String, format: DatabaseFormat) throws(RunFailure) {
    let mode: mode_t = format.isPrivate ? 0o600 : 0o644
    let descriptor = DatabaseFile.openDescriptor(path, O_RDWR | O_CREAT, mode: mode)
    guard descriptor >= 0 else { throw failure(errno, path: path, doing: "created") }
    defer { DatabaseFile.closeDescriptor(descriptor) }
    guard !format.isPrivate || fchmod(descriptor, mode) == 0 else {
      throw failure(errno, path: path, doing: "made private")
    }
  }

  /// Moves a finished file to its final path: syncs the file, renames it, and syncs the folder.
  ///
  /// - Precondition: Neither path has a write-ahead log.
  package static func publish(_ finished: String, as path: String) throws(RunFailure) {
    try sync(finished)
    try CommitBoundary.fileNamed.pass(.before, in: "warehouse")
    guard unsafe rename(finished, path) == 0 else {
      throw failure(errno, path: path, doing: "replaced")
    }
    try CommitBoundary.fileNamed.pass(.after, in: "warehouse")
    let folder = path.lastIndex(of: "/").map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) }
    try sync(folder ?? ".")
  }

  /// Converts an `errno` to a failure for an operator; `doing` is the failed action, as a
  /// participle.
  package static func failure(_ code: Int32, path: String, doing: String) -> RunFailure {
    .system(code, path: path, doing: doing)
  }

  private static func sync(_ path: String) throws(RunFailure) {
    let descriptor = DatabaseFile.openDescriptor(path, O_RDONLY)
    guard descriptor >= 0 else { throw failure(errno, path: path, doing: "opened") }
    let result = fsync(descriptor)
    let code = errno
    DatabaseFile.closeDescriptor(descriptor)
    guard result == 0 else { throw failure(code, path: path, doing: "synced") }
  }
}
