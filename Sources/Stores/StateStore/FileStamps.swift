internal import SQLiteFiles
public import CivilTime
public import Diagnostics
internal import GRDB

/// The metadata of a file in the file system: identity, size and times.
///
/// A file is not read again if its stamp is unchanged.
public struct FileStamp: Hashable, Sendable {
  /// The device number; together with ``inode`` the identity of the file.
  public var device: UInt64
  /// The number of the file on its device.
  public var inode: UInt64
  /// The size in bytes.
  public var bytes: Int64
  /// The time of the last change of the file's content, in nanoseconds since 1970.
  public var modified: Int64
  /// The time of the last change of content or metadata, in nanoseconds since 1970.
  ///
  /// No program can set this time.
  public var changed: Int64

  /// Creates a stamp from its fields.
  public init(device: UInt64, inode: UInt64, bytes: Int64, modified: Int64, changed: Int64) {
    self.device = device
    self.inode = inode
    self.bytes = bytes
    self.modified = modified
    self.changed = changed
  }

  /// Returns true if every change of the file after a time also changes the stamp.
  ///
  /// File systems store times in steps of up to two seconds. So if the file changed less than two
  /// seconds before `time`, a change after `time` may leave the stamp equal.
  public func isSettled(at time: Instant) -> Bool {
    let limit = (time.milliseconds - 2000).multipliedReportingOverflow(by: 1_000_000)
    return !limit.overflow && modified < limit.partialValue && changed < limit.partialValue
  }
}

/// The stamps to add and to remove in a commit.
public struct FileStampChanges: Sendable {
  /// The hashes of the files that were read, keyed by stamp.
  public var learned: [FileStamp: String] = [:]
  /// The stamps of files that were removed or changed.
  public var outdated: [FileStamp] = []

  /// Creates an empty list of changes.
  public init() {}
}

extension StateDatabase {
  /// The hashes of files on disk, keyed by stamp.
  public func fileStamps() throws(RunFailure) -> [FileStamp: String] {
    try file.read { db in
      let rows = try RawStatement(
        "read file stamps",
        "SELECT device, inode, bytes, modified, changed, sha256 FROM file_stamp", on: db)
      var stamps: [FileStamp: String] = [:]
      while try rows.next() {
        let stamp = FileStamp(
          device: UInt64(bitPattern: rows.int64(0)), inode: UInt64(bitPattern: rows.int64(1)),
          bytes: rows.int64(2), modified: rows.int64(3), changed: rows.int64(4))
        stamps[stamp] = rows.text(5)
      }
      return stamps
    }
  }

  static func write(_ changes: FileStampChanges, on db: Database) throws {
    let delete = try RawStatement(
      "delete file stamp", "DELETE FROM file_stamp WHERE device = ?1 AND inode = ?2", on: db)
    for stamp in changes.outdated {
      try delete.run(Int64(bitPattern: stamp.device), Int64(bitPattern: stamp.inode))
    }
    let insert = try RawStatement(
      "insert file stamp",
      """
      INSERT OR REPLACE INTO file_stamp (device, inode, bytes, modified, changed, sha256)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """, on: db)
    let learned = changes.learned.sorted {
      ($0.key.device, $0.key.inode) < ($1.key.device, $1.key.inode)
    }
    for (stamp, hash) in learned {
      try insert.run(
        Int64(bitPattern: stamp.device), Int64(bitPattern: stamp.inode), stamp.bytes,
        stamp.modified, stamp.changed, hash)
    }
  }
}
