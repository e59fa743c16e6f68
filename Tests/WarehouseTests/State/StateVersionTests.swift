@testable import StateStore
@testable import SharedTables
import CivilTime
import Diagnostics
import Foundation
import GRDB
import Testing

@Suite struct `A state database of version 1` {
  /// The schema of version 1 as it was released.
  ///
  /// It never changes: such files exist.
  private static let version1 = """
    CREATE TABLE generation ( only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
      generation INTEGER NOT NULL ) STRICT;
    INSERT INTO generation VALUES (1, 0);
    CREATE TABLE setting ( key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL ) STRICT;
    CREATE TABLE run ( run_id INTEGER NOT NULL PRIMARY KEY, kind TEXT NOT NULL, started_at
      INTEGER NOT NULL, finished_at INTEGER, status TEXT NOT NULL CHECK (status IN ('running',
      'succeeded', 'failed')), exit_status INTEGER, program_version TEXT NOT NULL, rules_version
      TEXT NOT NULL, as_of INTEGER, generation INTEGER, message TEXT, CHECK ((status = 'running')
      = (finished_at IS NULL)) ) STRICT;
    CREATE TABLE input_file ( file_id INTEGER NOT NULL PRIMARY KEY, sha256 TEXT NOT NULL, kind
      TEXT NOT NULL CHECK (kind IN ('receipts', 'prices')), name TEXT NOT NULL, status TEXT NOT
      NULL CHECK (status IN ('used', 'refused', 'held')), refusal TEXT, export_date TEXT, bytes
      INTEGER NOT NULL, records INTEGER NOT NULL, used INTEGER NOT NULL, duplicates INTEGER NOT
      NULL, rejected INTEGER NOT NULL, newest_snapshot_at INTEGER, receipt_records INTEGER NOT
      NULL, receipt_rows INTEGER NOT NULL, first_run_id INTEGER NOT NULL REFERENCES run (run_id),
      UNIQUE (sha256, kind), CHECK (records = used + duplicates + rejected), CHECK ((status =
      'refused') = (refusal IS NOT NULL)) ) STRICT;
    CREATE TABLE symbol ( symbol_id INTEGER NOT NULL PRIMARY KEY, text TEXT NOT NULL,
      is_customer INTEGER NOT NULL CHECK (is_customer IN (0, 1)), UNIQUE (text, is_customer) )
      STRICT;
    CREATE TABLE chain_part ( chain_key INTEGER NOT NULL, file_id INTEGER NOT NULL REFERENCES
      input_file (file_id), body BLOB NOT NULL, PRIMARY KEY (chain_key, file_id) ) STRICT, WITHOUT
      ROWID;
    CREATE TABLE price_report ( evidence_id INTEGER NOT NULL, file_id INTEGER NOT NULL
      REFERENCES input_file (file_id), body BLOB NOT NULL, PRIMARY KEY (evidence_id, file_id) )
      STRICT, WITHOUT ROWID;
    CREATE TABLE reject ( file_id INTEGER NOT NULL REFERENCES input_file (file_id), line INTEGER
      NOT NULL, reason_code TEXT NOT NULL, detail TEXT NOT NULL, PRIMARY KEY (file_id, line,
      reason_code) ) STRICT, WITHOUT ROWID;
    """

  /// A file of version 1 with two runs and one input file.
  private func fixture(_ folder: StateFolder) throws {
    let queue = try DatabaseQueue(path: folder.statePath)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL")
      try db.execute(sql: Self.version1)
      try db.execute(
        sql: """
          INSERT INTO run VALUES (1, 'run', 1000, 2000, 'failed', 65, '0.1.0', '1', NULL, 0, 'why');
          INSERT INTO run VALUES (2, 'run', 3000, 4000, 'succeeded', 0, '0.1.0', '1', 500, 1, NULL);
          INSERT INTO input_file VALUES (1, 'ab', 'receipts', 'in/a', 'used', NULL, '2021-01-05',
            10, 3, 2, 0, 1, 500, 2, 2, 2);
          INSERT INTO symbol VALUES (1, 'c-1', 1);
          UPDATE generation SET generation = 1;
          PRAGMA application_id = \(0x5064_6C53); PRAGMA user_version = 1;
          PRAGMA wal_checkpoint(TRUNCATE);
          """)
    }
    try queue.close()
  }

  private func schema(_ path: String) throws -> [String] {
    try DatabaseQueue(path: path).read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY name")
    }
  }

  @Test func `keeps all it knows when it is brought up to date`() throws {
    let folder = try StateFolder()
    try fixture(folder)
    #expect(
      failure { _ = try StateDatabase.openToRead(path: folder.statePath) }?.status
        == .badConfiguration)
    let state = try StateDatabase.open(path: folder.statePath, create: false)
    #expect(try state.generation() == 1)
    #expect(try state.files().map(\.name) == ["in/a"])
    #expect(try state.runs().map(\.exitStatus) == [65, 0])
    #expect(try state.history() == PublicationHistory())
    #expect(try state.beginRun(.sample) == 3)
    try state.close()
    let fresh = try StateFolder()
    try StateDatabase.open(path: fresh.statePath, create: true).close()
    #expect(try schema(folder.statePath) == schema(fresh.statePath))
  }

  @Test func `is what the first step makes: a released step is never edited`() throws {
    let folder = try StateFolder()
    try fixture(folder)
    let words: (String) throws -> [String] = { path in
      try DatabaseQueue(path: path).read { db in
        try String.fetchAll(
          db, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
      }.map { sql in
        sql.split(separator: "\n").map { $0.prefix { $0 != "-" } }.joined(separator: " ")
          .split(separator: " ").joined(separator: " ").filter { $0 != " " }
      }
    }
    let released = folder.statePath + ".v1"
    let queue = try DatabaseQueue(path: released)
    try queue.write {
      try $0.execute(sql: String(decoding: PackageResources.state_v001_sql, as: UTF8.self))
    }
    #expect(try words(released) == words(folder.statePath))
  }
}

@Suite struct `A state database of version 4` {
  /// A file of version 4 with a used, a refused and a held file, and their content.
  private func fixture(_ folder: StateFolder) throws {
    let queue = try DatabaseQueue(path: folder.statePath)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL")
      for step in [
        PackageResources.state_v001_sql, PackageResources.state_v002_sql,
        PackageResources.state_v003_sql, PackageResources.state_v004_sql,
      ] { try db.execute(sql: String(decoding: step, as: UTF8.self)) }
      try db.execute(
        sql: """
          INSERT INTO run VALUES (1, 'run', 1000, 2000, 'failed', 65, '0.1.0', '1', NULL, 0, 'why');
          INSERT INTO input_file VALUES
            (1, 'ab', 'receipts', 'in/a', 'used', NULL, '2021-01-05', 10, 3, 2, 0, 1, 500, 2, 7, 1),
            (2, 'cd', 'receipts', 'in/b', 'refused', 'cut off', NULL, 10, 0, 0, 0, 0, NULL, 0, 0, 1),
            (3, 'ef', 'prices', 'in/c', 'held', NULL, NULL, 10, 4, 1, 1, 2, NULL, 0, 0, 1);
          INSERT INTO reject VALUES (1, 2, 'invalid_json', 'at byte 1'), (3, 1, 'price_negative', 'x');
          INSERT INTO symbol VALUES (1, 'c-1', 1);
          PRAGMA application_id = \(0x5064_6C53); PRAGMA user_version = 4;
          PRAGMA wal_checkpoint(TRUNCATE);
          """)
    }
    try queue.close()
  }

  @Test func `keeps each file with its status and account, read by the reader of its time`() throws
  {
    let folder = try StateFolder()
    try fixture(folder)
    let state = try StateDatabase.open(path: folder.statePath, create: false)
    let files = try state.files()
    #expect(files.map(\.status) == [.used, .refused, .held])
    #expect(files.map(\.refusal) == [nil, "cut off", nil])
    #expect(files.map(\.tally.records) == [3, 0, 4])
    #expect(files.map(\.tally.rejected) == [1, 0, 2])
    #expect(files.map(\.tally.rows.used) == [7, 0, 0])
    // So that a file of which nothing could be used is read once more by this version.
    #expect(files.allSatisfy { $0.reading == FileReading(spelling: "", readerVersion: 1) })
    #expect(try state.rejects().map(\.line) == [2, 1])
    #expect(try state.rejects(ofFiles: [3]).map(\.line) == [1])
    #expect(try state.gates() == [])
    #expect(try state.standingFaults() == [])
    try state.supersede(files: [2], restoring: [])
    #expect(try state.files().map(\.status) == [.used, .superseded, .held])
    #expect(try state.files()[1].refusal == "cut off", "it says why, should it come back")
    try state.supersede(files: [3], restoring: [])
    #expect(try state.rejects().map(\.line) == [2], "what was replaced counts no more")
    try state.close()
    let faults = try DatabaseQueue(path: folder.statePath).read {
      try Row.fetchAll($0, sql: "PRAGMA foreign_key_check").count
    }
    #expect(faults == 0)
  }
}
