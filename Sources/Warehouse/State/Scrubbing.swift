internal import GRDB
internal import Glibc
public import Diagnostics

extension StateDatabase {
  private static let scrubSetting = "scrub"

  /// Whether something was taken out whose traces may still lie in freed pages, here or in what is
  /// published.
  public func needsScrub() throws(RunFailure) -> Bool {
    try setting(Self.scrubSetting) != nil
  }

  static func requireScrub(on db: Database) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO setting (key, value) VALUES (?, 'needed')",
      arguments: [scrubSetting])
  }

  /// Notes that traces may be left in what is published, which the next run removes.
  public func noteTraces() throws(RunFailure) {
    try set("needed", for: Self.scrubSetting)
  }

  /// Notes that no trace is left.
  public func noteScrubbed() throws(RunFailure) {
    try set(nil, for: Self.scrubSetting)
  }

  /// Writes the file anew without its freed pages and empties its log.
  ///
  /// Freed cells are overwritten with zeros anyway, yet the gaps that moving cells within a page
  /// leaves are not.
  ///
  /// - Returns: whether no trace is left; `false` while a reader holds the log.
  /// - Throws: ``RunFailure`` when writing fails.
  public func scrub() throws(RunFailure) -> Bool {
    try file.scrub()
  }
}

extension WarehouseDatabase {
  /// Where the first warehouse is made before it gets its name.
  public var unfinishedPath: String { path + ".building" }

  /// Removes what a run left that was stopped while it built the first warehouse beside its place.
  ///
  /// - Throws: ``RunFailure`` when removing fails.
  public func removeUnfinished() throws(RunFailure) {
    for suffix in ["", "-journal", "-wal", "-shm"] {
      let file = unfinishedPath + suffix
      guard unsafe unlink(file) != 0, errno != ENOENT else { continue }
      throw FilePublication.failure(errno, path: file, doing: "removed")
    }
  }

  /// Writes the published file anew without its freed pages and empties its log.
  ///
  /// - Returns: whether no trace of earlier facts is left; `false` while a reader holds the log.
  /// - Throws: ``RunFailure`` when writing fails.
  public func scrub() throws(RunFailure) -> Bool {
    let file = try DatabaseFile(path: path, format: WarehouseSchema.format, access: .readWrite)
    let isScrubbed = try file.scrub()
    try file.close()
    return isScrubbed
  }
}

extension DatabaseFile {
  /// Writes the file anew by `VACUUM`, then empties its log.
  ///
  /// It needs the size of the file twice over: once in a file without a name beside it, once in the
  /// log.
  func scrub() throws(RunFailure) -> Bool {
    let bytes = try lookUp { db in
      let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      return pages * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
    try FreeSpace.require(2 * bytes, at: path)
    let end = path.lastIndex(of: "/")
    let folder = end.map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
    try outsideTransaction { db in
      // In memory it would cost as much as the file has bytes, and elsewhere others could see it.
      let former = try Int.fetchOne(db, sql: "PRAGMA temp_store") ?? 0
      try db.execute(sql: "PRAGMA temp_store = FILE")
      try db.execute(sql: "PRAGMA temp_store_directory = '\(folder.replacing("'", with: "''"))'")
      defer {
        try? db.execute(sql: "PRAGMA temp_store_directory = ''")
        try? db.execute(sql: "PRAGMA temp_store = \(former)")
      }
      try CommitBoundary.pagesRewritten.pass(.before, in: format.name)
      try db.execute(sql: "VACUUM")
      try CommitBoundary.pagesRewritten.pass(.after, in: format.name)
    }
    return try checkpoint()
  }
}
