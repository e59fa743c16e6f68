internal import SQLiteFiles
internal import GRDB
internal import Glibc
public import Diagnostics

extension StateDatabase {
  private static let scrubSetting = "scrub"

  /// Whether traces of removed data may still lie in freed pages, here or in the published file.
  public func needsScrub() throws(RunFailure) -> Bool {
    try setting(Self.scrubSetting) != nil
  }

  static func requireScrub(on db: Database) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO setting (key, value) VALUES (?, 'needed')",
      arguments: [scrubSetting])
  }

  /// Notes that traces may be left in the published file, which the next run removes.
  public func noteTraces() throws(RunFailure) {
    try set("needed", for: Self.scrubSetting)
  }

  /// Notes that no trace is left.
  public func noteScrubbed() throws(RunFailure) {
    try set(nil, for: Self.scrubSetting)
  }

  /// Writes the file again without its freed pages and empties its log.
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

extension StateDatabase {
  /// The damage that SQLite finds in the file.
  ///
  /// - Parameter isThorough: whether indexes are compared with their tables.
  /// - Returns: the findings in SQLite's words; empty for a sound file.
  /// - Throws: ``RunFailure`` when reading fails.
  public func damage(isThorough: Bool) throws(RunFailure) -> [String] {
    try file.damage(isThorough: isThorough)
  }
}
