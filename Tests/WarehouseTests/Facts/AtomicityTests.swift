import SharedTables
internal import Warehouse
@testable import SQLiteFiles
import Amounts
import Diagnostics
import Foundation
import GRDB
import PaidAmounts
import PriceLearning
import Purchases
import Testing

@Suite struct `A publication is whole or nothing` {
  /// Content that breaks a data test: an exact amount whose report has no reference.
  private func refused() -> HandMadeContent {
    var content = SampleFacts(run: 2).content
    content.run.stateGeneration = 5
    content.amounts.reports[0].reportVerdict.verdict = .noReference
    return content
  }

  /// Content that breaks a CHECK: bounds that contradict the amount.
  private func impossible() -> HandMadeContent {
    var content = SampleFacts(run: 2).content
    content.run.stateGeneration = 5
    content.amounts.amounts[4].low = Milliunits(70_000)
    return content
  }

  /// Content that SQLite refuses while rows are written: an id that occurs twice.
  private func doubled() -> HandMadeContent {
    var content = SampleFacts(run: 2).content
    content.run.stateGeneration = 5
    content.purchases.aliases.append(content.purchases.aliases[0])
    return content
  }

  @Test func `a failed data test publishes nothing, and says which one and how to see it`() throws {
    let folder = try WorkFolder()
    let failure = #expect(throws: RunFailure.self) { try folder.warehouse.publish(refused()) }
    #expect(failure?.status == .dataRefused)
    #expect(
      failure?.message.contains("amount_exact_is_believed: 1 row. An amount rests on a report")
        == true)
    #expect(failure?.message.contains("JOIN main.price_evidence AS e") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `after a failure in the middle the old facts stand`() throws {
    let folder = try WorkFolder()
    let first = try folder.warehouse.publish(SampleFacts().content)
    let refusal = #expect(throws: RunFailure.self) { try folder.warehouse.publish(refused()) }
    #expect(refusal?.status == .dataRefused)
    let breakage = #expect(throws: RunFailure.self) { try folder.warehouse.publish(impossible()) }
    #expect(breakage?.status == .invariantBroken)
    #expect(breakage?.message.contains("CHECK constraint failed") == true)
    let stop = #expect(throws: RunFailure.self) { try folder.warehouse.publish(doubled()) }
    #expect(stop?.message.contains("UNIQUE constraint failed") == true)
    #expect(try folder.warehouse.contentDigest() == first.contentDigest)
    #expect(try folder.rows("SELECT run_id FROM audit_run") == ["1"])
    #expect(
      try folder.rows(
        "SELECT count(1) FROM sqlite_schema WHERE type = 'index' AND name LIKE '%\\_by\\_%' ESCAPE '\\'"
      ) == ["6"])
    #expect(try folder.rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test func `a first build that breaks leaves no file`() throws {
    let folder = try WorkFolder()
    let breakage = #expect(throws: RunFailure.self) { try folder.warehouse.publish(impossible()) }
    #expect(breakage?.status == .invariantBroken)
    #expect(breakage?.message.contains("fct_revenue: CHECK constraint failed") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `two rows under one key end a first publication with 70, and leave no file`() throws {
    let folder = try WorkFolder()
    let clash = #expect(throws: RunFailure.self) { try folder.warehouse.publish(doubled()) }
    #expect(clash?.status == .invariantBroken)
    #expect(clash?.message.contains("bridge_transaction_id: UNIQUE constraint failed") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `leftovers of a killed build and of a removed warehouse do no harm`() throws {
    let folder = try WorkFolder()
    for name in [".building", ".building-wal", "-wal", "-shm"] {
      try Data("rubbish".utf8).write(to: URL(fileURLWithPath: folder.warehouse.path + name))
    }
    _ = try folder.warehouse.publish(SampleFacts().content)
    #expect(try folder.rows("SELECT count(1) FROM fct_revenue") == ["6"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "warehouse.db", "warehouse.db-shm", "warehouse.db-wal",
      ])
  }

  @Test func `a reader keeps the facts it began with while a run publishes`() throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    var next = SampleFacts(run: 2)
    next.content.run.stateGeneration = 5
    next.content.amounts.amounts[4].paid = Milliunits(49_990)
    next.content.amounts.amounts[4].low = Milliunits(49_990)
    next.content.amounts.amounts[4].high = Milliunits(49_990)
    let total = "SELECT SUM(paid_milli) FROM fct_revenue WHERE currency = 'USD'"
    // Three times 9,990, and the year: 89,960 before, 79,960 after.
    try folder.analyst().read { db in
      #expect(try Int.fetchOne(db, sql: total) == 89_960)
      let report = try folder.warehouse.publish(next.content)
      #expect(report.outcome == .replaced)
      #expect(!report.isCheckpointed, "a reader holds the log")
      #expect(try Int.fetchOne(db, sql: total) == 89_960)
      #expect(try Int.fetchOne(db, sql: "SELECT MAX(run_id) FROM audit_run") == 1)
    }
    #expect(try folder.rows(total) == ["79960"])
    #expect(try folder.rows("SELECT MAX(run_id) FROM audit_run") == ["2"])
  }

  @Test func `a file that is not ours is left alone`() throws {
    let folder = try WorkFolder()
    let theirs = Data("not a database".utf8)
    try theirs.write(to: URL(fileURLWithPath: folder.warehouse.path))
    let failure = #expect(throws: RunFailure.self) {
      try folder.warehouse.publish(SampleFacts().content)
    }
    #expect(failure?.status == .badConfiguration)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.warehouse.path)) == theirs)
  }

  @Test func `a customer key that could be guessed is refused`() throws {
    let folder = try WorkFolder()
    var content = SampleFacts().content
    content.customerKey = [1, 2, 3]
    let failure = #expect(throws: RunFailure.self) { try folder.warehouse.publish(content) }
    #expect(failure?.status == .badConfiguration)
  }

  @Test func `a disk too small is told before anything is written`() {
    let failure = #expect(throws: RunFailure.self) {
      try FreeSpace.require(.max, at: "/warehouse.db")
    }
    #expect(failure?.status == .inputOutput)
    #expect(failure?.message.contains("needs about 9223372036854775807 bytes") == true)
  }
}
