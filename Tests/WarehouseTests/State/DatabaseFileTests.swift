@testable import SQLiteFiles
import Diagnostics
import Foundation
import GRDB
import Glibc
import TemporaryFiles
import Testing

@testable import Warehouse

@Suite struct `A database file` {
  private static let format = DatabaseFormat(
    name: "sample", applicationID: 0x5064_6C54, firstVersion: 3,
    schema: Array("CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT;".utf8),
    advice: "Make it anew.", isPrivate: false, pageSize: 4096)

  private func open(_ folder: StateFolder, _ access: DatabaseAccess = .createIfMissing) throws
    -> DatabaseFile
  {
    try DatabaseFile(path: folder.path + "/sample.db", format: Self.format, access: access)
  }

  private func add(_ names: [String], to file: DatabaseFile) throws {
    try file.write { db in
      let insert = try RawStatement("add", "INSERT INTO thing (name) VALUES (?1)", on: db)
      for name in names {
        insert.bind(name, at: 1)
        try insert.run()
      }
    }
  }

  private func names(_ file: DatabaseFile) throws -> [String] {
    try file.read { try String.fetchAll($0, sql: "SELECT name FROM thing ORDER BY id") }
  }

  @Test func `is opened with the settings that keep it whole`() throws {
    let folder = try StateFolder()
    let file = try open(folder)
    let settings = try file.outsideTransaction { db in
      try ["journal_mode", "synchronous", "foreign_keys", "trusted_schema", "cell_size_check"]
        .map { try String.fetchOne(db, sql: "PRAGMA \($0)") }
    }
    #expect(settings == ["wal", "2", "1", "0", "1"])
    #expect(try file.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 3)
    #expect(try file.read { try Int.fetchOne($0, sql: "PRAGMA application_id") } == 0x5064_6C54)
  }

  /// Returns true if SQLite holds the lock by which other processes detect that the file is in use.
  ///
  /// A lock of an open file description conflicts also with locks of this process. Closing the
  /// descriptor of the check would release SQLite's locks, so it stays open.
  private func isLocked(_ descriptor: Int32) -> Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0x4000_0002  // SQLite's 510 shared bytes.
    lock.l_len = 510
    _ = unsafe fcntl(descriptor, 36, &lock)  // F_OFD_GETLK.
    return lock.l_type != Int16(F_UNLCK)
  }

  @Test func `keeps its locks when the same file is opened and closed beside SQLite`() throws {
    let folder = try StateFolder()
    let path = folder.path + "/sample.db"
    let file = try open(folder)
    try add(["a"], to: file)
    let asking = unsafe Glibc.open(path, O_RDWR)
    #expect(isLocked(asking))
    DatabaseFile.closeDescriptor(DatabaseFile.openDescriptor(path, O_RDWR))
    #expect(try DatabaseHeader.check(path: path, format: Self.format))
    try open(folder, .readOnly).close()
    #expect(isLocked(asking))
    try file.close()
    #expect(!isLocked(asking))
    // Closing the last connection also closes the descriptors that had to stay open until then.
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let targets = names.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
    }
    #expect(targets.count { $0.hasSuffix(path) } == 1)
    close(asking)
  }

  @Test func `keeps its log files when it is closed, and empties the log`() throws {
    let folder = try StateFolder()
    let file = try open(folder)
    try add(["a"], to: file)
    #expect(try file.checkpoint())
    try file.close()
    let sizes = try ["", "-wal", "-shm"].map { suffix in
      try FileManager.default.attributesOfItem(atPath: folder.path + "/sample.db" + suffix)[.size]
        as? Int
    }
    #expect(sizes[1] == 0)
    #expect(sizes[2] != nil)
    #expect(try names(try open(folder, .readOnly)) == ["a"])
  }

  @Test func `takes a transaction whole or not at all`() throws {
    let folder = try StateFolder()
    let file = try open(folder)
    try add(["a"], to: file)
    let broken = failure { try add(["b", "c", "a"], to: file) }
    #expect(broken?.status == .invariantBroken)
    #expect(broken?.message.contains("add: UNIQUE constraint failed: thing.name") == true)
    #expect(broken?.message.contains(folder.path) == true)
    #expect(try names(file) == ["a"])
    #expect(
      failure { try file.write { _ in throw RunFailure(.dataRefused, "gate") } }
        == RunFailure(.dataRefused, "gate"))
    try add(["b"], to: file)
    #expect(try names(file) == ["a", "b"])
  }

  @Test func `that is full says so, keeps what it had, and takes more when there is room`() throws {
    let folder = try StateFolder()
    let file = try open(folder)
    try add(["a"], to: file)
    try file.outsideTransaction { try $0.execute(sql: "PRAGMA max_page_count = 8") }
    let many = (0..<2000).map { "name \($0) \(String(repeating: "x", count: 100))" }
    let full = failure { try add(many, to: file) }
    #expect(full?.status == .inputOutput)
    #expect(full?.message.contains("free some space") == true)
    #expect(try names(file) == ["a"])
    try file.outsideTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
    try add(many, to: file)
    #expect(try names(file).count == 2001)
  }

  @Test func `that another program writes to is worth a retry, and no other failure is`() throws {
    let folder = try StateFolder()
    let file = try open(folder)
    let other = try open(folder)
    try other.outsideTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
    try file.write { _ in
      #expect(failure { try add(["a"], to: other) }?.status == .tryAgain)
    }
    let statuses: [(ResultCode, Diagnostics.ExitStatus)] = [
      (.SQLITE_FULL, .inputOutput), (.SQLITE_IOERR, .inputOutput),
      (.SQLITE_CORRUPT, .inputOutput), (.SQLITE_CANTOPEN, .cannotCreate),
      (.SQLITE_READONLY, .noPermission), (.SQLITE_PERM, .noPermission),
      (.SQLITE_NOTADB, .badConfiguration), (.SQLITE_BUSY, .tryAgain), (.SQLITE_LOCKED, .tryAgain),
      (.SQLITE_CONSTRAINT, .invariantBroken), (.SQLITE_MISUSE, .invariantBroken),
    ]
    for (code, status) in statuses {
      let failure = SQLiteFailure.translated(DatabaseError(resultCode: code), path: "p")
      #expect(failure.status == status, "\(code)")
    }
  }

  @Test func `is emptied of its log only when no reader holds it`() throws {
    let folder = try StateFolder()
    let file = try open(folder)
    try add(["a"], to: file)
    let reader = try open(folder, .readOnly)
    try reader.read { db in
      _ = try Row.fetchAll(db, sql: "SELECT * FROM thing")
      try add(["b"], to: file)
      #expect(try !file.checkpoint())
    }
    #expect(try file.checkpoint())
    #expect(try names(reader) == ["a", "b"])
  }

  @Test func `is built beside, then put into its place`() throws {
    let folder = try StateFolder()
    let beside = folder.path + "/sample.db.new"
    let file = try DatabaseFile(path: beside, format: Self.format, access: .build)
    try add(["a"], to: file)
    try file.close()
    #expect(
      failure { _ = try DatabaseFile(path: beside, format: Self.format, access: .build) }?.status
        == .cannotCreate)
    try NewFile.publish(beside, as: folder.path + "/sample.db", .warehouse)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["sample.db"])
    #expect(try names(try open(folder, .readOnly)) == ["a"])
    try add(["b"], to: try open(folder, .readWrite))
    #expect(try names(try open(folder, .readOnly)) == ["a", "b"])
  }
}
