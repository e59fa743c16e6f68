internal import SQLiteFiles
internal import GRDB
internal import Glibc
public import Diagnostics

extension StateDatabase {
  private static let scrubSetting = "scrub"

  /// Returns true if removed data may remain in state.db's freed pages, or in the warehouse.
  public func needsScrub() throws(RunFailure) -> Bool {
    try setting(Self.scrubSetting) != nil
  }

  static func requireScrub(on db: Database) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO setting (key, value) VALUES (?, 'needed')",
      arguments: [scrubSetting])
  }

  /// Records that the warehouse may contain removed data, which the next run deletes.
  public func noteTraces() throws(RunFailure) {
    try set("needed", for: Self.scrubSetting)
  }

  /// Records that state.db and the warehouse no longer contain removed data.
  public func noteScrubbed() throws(RunFailure) {
    try set(nil, for: Self.scrubSetting)
  }

  /// Rewrites the file without its freed pages and empties its log.
  ///
  /// SQLite overwrites deleted rows with zeros (`secure_delete`). But when rows move within a page,
  /// their old content remains in the gaps. Only a rewrite of the file removes this content.
  ///
  /// - Returns: Whether all removed data is gone; `false` while a reader uses the log.
  public func scrub() throws(RunFailure) -> Bool {
    try file.scrub()
  }
}
