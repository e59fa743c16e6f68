import Diagnostics
import Foundation
import GRDB
import PaidAmounts
import PriceLearning
import Testing

@testable import Warehouse

@Suite struct `A warehouse of another schema` {
  /// Makes the warehouse look as an earlier program left it.
  private func disguise(_ folder: WorkFolder, _ sql: String) throws {
    let queue = try DatabaseQueue(path: folder.warehouse.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      try db.execute(sql: sql)
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try queue.close()
  }

  private func next() -> HandMadeContent {
    var content = SampleFacts(run: 2).content
    content.run.stateGeneration = 5
    return content
  }

  /// An older schema: a table that is gone now, a column less, a column more, another view.
  private static let older = """
    CREATE TABLE gone (a TEXT) STRICT; CREATE INDEX gone_by_a ON gone (a);
    DROP VIEW price_outlier; CREATE VIEW old_view AS SELECT run_id FROM audit_run;
    DROP TABLE meta_rule; CREATE TABLE meta_rule (rule TEXT PRIMARY KEY) STRICT;
    ALTER TABLE audit_run ADD COLUMN forgotten TEXT;
    """

  private func schema(_ folder: WorkFolder) throws -> [String] {
    try folder.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
  }

  @Test(arguments: [true, false])
  func `is replaced by the next run, whether its version tells it or only its tables`(
    isVersionOld: Bool
  ) throws {
    let folder = try WorkFolder()
    let first = try folder.warehouse.publish(SampleFacts().content)
    let expected = try schema(folder)
    try disguise(folder, Self.older)
    var content = next()
    if isVersionOld {
      let queue = try DatabaseQueue(path: folder.warehouse.path)
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 1") }
      try queue.close()
    }
    #expect(try folder.warehouse.recover() == false)
    content.run.stateGeneration = 4
    let report = try folder.warehouse.publish(content)
    #expect(report.outcome == .replaced, "a rebuilt schema is no repetition")
    #expect(report.contentDigest == first.contentDigest)
    #expect(report.added == 0 && report.removed == 0)
    #expect(try schema(folder) == expected)
    #expect(try folder.rows("SELECT run_id FROM audit_run ORDER BY run_id") == ["1", "2"])
    #expect(
      try folder.rows("SELECT COUNT(DISTINCT run_id) FROM data_test_result") == ["2"])
    #expect(try folder.rows("SELECT DISTINCT first_run_id FROM fct_revenue") == ["1"])
    #expect(try folder.rows("PRAGMA foreign_key_check") == [])
    #expect(try folder.rows("PRAGMA integrity_check") == ["ok"])
    #expect(try folder.warehouse.recover())
  }

  @Test func `keeps its old tables and facts when the run that would replace it fails`() throws {
    let folder = try WorkFolder()
    let first = try folder.warehouse.publish(SampleFacts().content)
    try disguise(folder, Self.older)
    let before = try schema(folder)
    var refused = next()
    refused.amounts.reports[0].judgement.verdict = .noReference
    #expect(throws: RunFailure.self) { try folder.warehouse.publish(refused) }
    #expect(try schema(folder) == before)
    #expect(
      try folder.rows("SELECT run_id, content_digest FROM audit_run")
        == ["1|\(first.contentDigest)"])
  }

  @Test func `readers see the old tables until the new ones are committed`() throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    try disguise(folder, Self.older)
    try folder.analyst().read { db in
      #expect(try Int.fetchOne(db, sql: "SELECT count(1) FROM old_view") == 1)
      _ = try folder.warehouse.publish(next())
      #expect(try Int.fetchOne(db, sql: "SELECT count(1) FROM old_view") == 1)
      #expect(try Int.fetchOne(db, sql: "SELECT count(1) FROM gone") == 0)
    }
    #expect(try folder.rows("SELECT count(1) FROM audit_run") == ["2"])
  }

  @Test func `is refused untouched when it is newer`() throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    try disguise(folder, "PRAGMA user_version = 99")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.warehouse.path))
    for work in [
      { _ = try folder.warehouse.publish(next()) }, { _ = try folder.warehouse.check() },
      { _ = try PublishedWarehouse(path: folder.warehouse.path) },
    ] {
      let refusal = failure(work)
      #expect(refusal?.status == .badConfiguration)
      #expect(refusal?.message.contains("schema version 99") == true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.warehouse.path)) == before)
  }
}
