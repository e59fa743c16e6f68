@testable import SQLiteFiles
@testable import StateStore
@testable import Warehouse
import Diagnostics
import Foundation
import GRDB
import Testing

/// The schema of state.db has one version.
///
/// The next version is simulated by an additional column, and by rebuilding a table to which others
/// refer.
@Suite struct `A database of another version` {
  private static let step = """
    ALTER TABLE generation ADD COLUMN weight INTEGER; UPDATE generation SET weight = generation + 5;
    CREATE TABLE former_run AS SELECT * FROM run;
    DROP TABLE run;
    CREATE TABLE run (run_id INTEGER NOT NULL PRIMARY KEY, kind TEXT NOT NULL) STRICT;
    INSERT INTO run SELECT run_id, kind || 's' FROM former_run;
    DROP TABLE former_run;
    """

  private static func next(_ step: String = step) -> DatabaseFormat {
    var format = DatabaseFormat.state
    format.steps = [Array(step.utf8)]
    return format
  }

  /// A state.db of the current version, with a run and a file that refers to it.
  private func current(in folder: StateFolder) throws -> String {
    try folder.store([SampleContent.file(seed: 1)])
    let queue = try DatabaseQueue(path: folder.statePath)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try queue.close()
    return folder.statePath
  }

  private func schema(_ path: String) throws -> [String] {
    try DatabaseQueue(path: path).read { db in
      try String.fetchAll(db, sql: "SELECT sql FROM sqlite_schema WHERE sql > '' ORDER BY name")
    }
  }

  @Test(arguments: [DatabaseAccess.readWrite, .createIfMissing])
  func `is brought up to date when it is opened to write`(access: DatabaseAccess) throws {
    let folder = try StateFolder()
    let path = try current(in: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let refusal = failure {
      _ = try DatabaseFile(path: path, format: Self.next(), access: .readOnly)
    }
    #expect(
      refusal?.message.contains("has schema version \(DatabaseFormat.state.firstVersion)") == true)
    #expect(refusal?.message.contains("Run the pipeline once") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)

    let file = try DatabaseFile(path: path, format: Self.next(), access: access)
    let rows = try file.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT run.kind, weight FROM input_file JOIN run ON first_run_id = run_id, generation
          """
      ).map { "\($0[0] as String) \($0[1] as Int)" }
    }
    #expect(rows == ["runs 6"], "generation 1, and 5 more")
    #expect(try file.lookUp { try Int.fetchOne($0, sql: "PRAGMA foreign_keys") } == 1)
    try file.close()
    let after = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(
      after[63] == UInt8(DatabaseFormat.state.firstVersion + 1),
      "an older program sees the version in the header")

    let fresh = try StateFolder()
    try DatabaseFile(path: fresh.statePath, format: Self.next(), access: .createIfMissing).close()
    #expect(
      try schema(path) == schema(fresh.statePath), "an old file and a new one have one schema")

    let newer = failure { _ = try StateDatabase.open(path: path, create: false) }
    #expect(newer?.status == .badConfiguration)
    #expect(newer?.message.contains("A newer version of Paidline wrote this file") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == after)
  }

  @Test(arguments: [
    "ALTER TABLE generation ADD COLUMN weight INTEGER; INSERT INTO generation VALUES (1);",
    "DELETE FROM run;",
  ])
  func `keeps its version when a step fails, or would leave broken references`(step: String)
    throws
  {
    let folder = try StateFolder()
    let path = try current(in: folder)
    let before = try schema(path)
    let failure = failure {
      _ = try DatabaseFile(path: path, format: Self.next(step), access: .readWrite)
    }
    #expect(failure?.status == .invariantBroken)
    #expect(try schema(path) == before)
    #expect(try StateDatabase.open(path: path, create: false).generation() == 1)
  }

  @Test(arguments: [DatabaseAccess.readOnly, .readWrite, .createIfMissing])
  func `is refused untouched when it is older than the first one, with the way out`(
    access: DatabaseAccess
  ) throws {
    let folder = try StateFolder()
    for (format, advice) in [
      (DatabaseFormat.state, "run the pipeline with all exports"),
      (WarehouseSchema.format, "rebuilds the warehouse from state.db"),
    ] {
      let path = folder.path + "/\(format.name).db"
      var older = format
      older.firstVersion -= 1
      try DatabaseFile(path: path, format: older, access: .createIfMissing).close()
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let refusal = failure { _ = try DatabaseFile(path: path, format: format, access: access) }
      #expect(refusal?.status == .badConfiguration)
      #expect(refusal?.message.contains("version \(older.version)") == true)
      #expect(refusal?.message.contains("Move this file away") == true)
      #expect(refusal?.message.contains(advice) == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  }
}
