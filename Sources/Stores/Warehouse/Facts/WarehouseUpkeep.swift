internal import GRDB
internal import Glibc
public import Diagnostics
internal import SQLiteFiles
internal import TemporaryFiles

extension WarehouseDatabase {
  /// The path of the first warehouse while it is being built.
  public var unfinishedPath: String { path + ".building" }

  /// Removes the unfinished file of a run that was stopped during the first publication.
  public func removeUnfinished() throws(RunFailure) {
    for suffix in ["", "-journal", "-wal", "-shm"] {
      let file = unfinishedPath + suffix
      guard unsafe unlink(file) != 0, errno != ENOENT else { continue }
      throw .system(errno, "removing \(file)", isOutput: true)
    }
  }

  /// Rewrites the published file without its freed pages and empties its log.
  ///
  /// - Returns: Whether all traces of earlier facts are gone; `false` while a reader uses the log.
  public func scrub() throws(RunFailure) -> Bool {
    let file = try DatabaseFile(path: path, format: WarehouseSchema.format, access: .readWrite)
    let isScrubbed = try file.scrub()
    try file.close()
    return isScrubbed
  }
}

extension WarehouseDatabase {
  /// Checks the file for damage.
  ///
  /// - Returns: The findings in SQLite's words; empty for an intact file.
  public func damage(isThorough: Bool) throws(RunFailure) -> [String] {
    let file = try DatabaseFile(path: path, format: WarehouseSchema.format, access: .readOnly)
    let found = try file.damage(isThorough: isThorough)
    try file.close()
    return found
  }
}
