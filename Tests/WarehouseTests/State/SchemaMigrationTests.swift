@testable import SQLiteFiles
import Diagnostics
import Foundation
import GRDB
import Testing

@Suite struct `A database of an older version` {
  private static let steps = [
    """
    CREATE TABLE run (run_id INTEGER NOT NULL PRIMARY KEY) STRICT;
    CREATE TABLE thing (thing_id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL,
      run_id INTEGER NOT NULL REFERENCES run (run_id)) STRICT;
    """,
    "ALTER TABLE thing ADD COLUMN weight INTEGER; UPDATE thing SET weight = length(name);",
    """
    CREATE TABLE former_run AS SELECT * FROM run;
    DROP TABLE run;
    CREATE TABLE run (run_id INTEGER NOT NULL PRIMARY KEY, kind TEXT NOT NULL) STRICT;
    INSERT INTO run SELECT run_id, 'night' FROM former_run;
    DROP TABLE former_run;
    """,
  ]

  private static func format(version: Int) -> DatabaseFormat {
    .stepwise(
      name: "sample", applicationID: 0x5064_6C54,
      steps: steps.prefix(version).map { Array($0.utf8) },
      isPrivate: false, pageSize: 4096)
  }

  /// A file of version 1 with so many things.
  private func old(in folder: StateFolder, things: Int = 2) throws -> String {
    let path = folder.path + "/sample.db"
    let file = try DatabaseFile(
      path: path, format: Self.format(version: 1), access: .createIfMissing)
    try file.write { db in
      try db.execute(sql: "INSERT INTO run VALUES (7)")
      for number in 0..<things {
        try db.execute(sql: "INSERT INTO thing VALUES (?, ?, 7)", arguments: [number, "thing"])
      }
    }
    try file.checkpoint()
    try file.close()
    return path
  }

  private func schema(_ path: String) throws -> [String] {
    try DatabaseQueue(path: path).read { db in
      try String.fetchAll(db, sql: "SELECT sql FROM sqlite_schema ORDER BY name")
    }
  }

  private func version(_ path: String) throws -> Int? {
    try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
  }

  @Test(arguments: [DatabaseAccess.readWrite, .createIfMissing])
  func `is brought up to date when it is opened to write`(access: DatabaseAccess) throws {
    let folder = try StateFolder()
    let path = try old(in: folder)
    let file = try DatabaseFile(path: path, format: Self.format(version: 3), access: access)
    #expect(!file.isOutdated)
    let rows = try file.read { db in
      try Row.fetchAll(db, sql: "SELECT name, weight, kind FROM thing JOIN run USING (run_id)")
        .map { "\($0[0] as String) \($0[1] as Int) \($0[2] as String)" }
    }
    #expect(rows == ["thing 5 night", "thing 5 night"])
    #expect(try file.lookUp { try Int.fetchOne($0, sql: "PRAGMA foreign_keys") } == 1)
    try file.close()
    let header = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(header[63] == 3, "an older program sees the version in the header")

    let fresh = try StateFolder()
    let new = fresh.path + "/sample.db"
    try DatabaseFile(path: new, format: Self.format(version: 3), access: .createIfMissing).close()
    #expect(try schema(path) == schema(new), "an upgraded file and a new one have one schema")
  }

  @Test func `is not changed by a reader, which says what to do`() throws {
    let folder = try StateFolder()
    let path = try old(in: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let refusal = failure {
      _ = try DatabaseFile(path: path, format: Self.format(version: 2), access: .readOnly)
    }
    #expect(refusal?.status == .badConfiguration)
    #expect(refusal?.message.contains("has schema version 1") == true)
    #expect(refusal?.message.contains("Run the pipeline once") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `is refused untouched when it is newer, by readers and by writers`() throws {
    let folder = try StateFolder()
    let path = try old(in: folder)
    try DatabaseFile(path: path, format: Self.format(version: 3), access: .readWrite).close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for access in [DatabaseAccess.readOnly, .readWrite, .createIfMissing] {
      let refusal = failure {
        _ = try DatabaseFile(path: path, format: Self.format(version: 2), access: access)
      }
      #expect(refusal?.status == .badConfiguration)
      #expect(refusal?.message.contains("A newer Paidline wrote it") == true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `keeps its version when a step fails, or would leave rows that point nowhere`() throws
  {
    let folder = try StateFolder()
    let path = try old(in: folder)
    let before = try schema(path)
    for (step, status) in [
      (
        "ALTER TABLE thing ADD COLUMN weight INTEGER; INSERT INTO nowhere VALUES (1);",
        ExitStatus.invariantBroken
      ),
      ("DELETE FROM run;", .invariantBroken),
    ] {
      var format = Self.format(version: 2)
      format.upgrade = .steps([Array(step.utf8)])
      #expect(
        failure { _ = try DatabaseFile(path: path, format: format, access: .readWrite) }?.status
          == status)
      #expect(try schema(path) == before)
      #expect(try version(path) == 1)
    }
    #expect(
      try DatabaseFile(path: path, format: Self.format(version: 3), access: .readWrite).read {
        try Int.fetchOne($0, sql: "SELECT count(1) FROM thing JOIN run USING (run_id)")
      } == 2)
  }

  /// A kill leaves the files as they are at that moment: they are copied at several moments of an
  /// upgrade whose pages do not fit the cache.
  @Test func `killed within an upgrade, it is of the old version or of the new, and goes on`()
    throws
  {
    let folder = try StateFolder()
    let path = try old(in: folder, things: 20_000)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/copies", withIntermediateDirectories: true)
    var copies: [String] = []
    func copy() throws {
      let copy = folder.path + "/copies/\(copies.count).db"
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
      }
      copies.append(copy)
    }
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA cache_size = 10; BEGIN IMMEDIATE")
      for step in Self.steps.dropFirst() {
        for sql in step.split(separator: ";") where sql.contains(" ") && sql.contains("E") {
          try db.execute(sql: String(sql))
          try copy()
        }
      }
      try db.execute(sql: "PRAGMA user_version = 3")
      try copy()
      let beforeCommit = copies.count
      try db.execute(sql: "COMMIT")
      try copy()
      try db.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
      try copy()
      #expect(try Data(contentsOf: URL(fileURLWithPath: copies[1] + "-wal")).count > 100_000)
      for (number, copy) in copies.enumerated() {
        #expect(try version(copy) == (number < beforeCommit ? 1 : 3), "copy \(number)")
        let file = try DatabaseFile(
          path: copy, format: Self.format(version: 3), access: .readWrite)
        let sums = try file.read { db in
          try Row.fetchOne(
            db, sql: "SELECT count(1), sum(weight) FROM thing JOIN run USING (run_id)")
        }
        #expect(sums?[0] == 20_000 && sums?[1] == 100_000)
        #expect(try file.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
        try file.close()
      }
    }
  }
}
