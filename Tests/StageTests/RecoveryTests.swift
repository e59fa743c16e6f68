internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Runs that find what a killed one left behind.
struct RecoveryTests {
  /// Leaves the warehouse as a writer does that is killed in the middle of a transaction under a
  /// rollback journal: with a journal that only somebody who may write can undo.
  private func leaveJournal(in shop: Shop) throws {
    let path = shop.folder.path("out/warehouse.db")
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      try db.execute(sql: "PRAGMA cache_size = 1")
      try db.execute(sql: "BEGIN IMMEDIATE")
      // With so small a cache, changed pages reach the file before the transaction ends.
      try db.execute(sql: "UPDATE meta_column SET description = description || description")
      try db.execute(sql: "UPDATE fct_revenue SET transaction_id = 'torn'")
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: path + suffix + ".torn")
      }
      try db.execute(sql: "ROLLBACK")
    }
    try queue.close()
    for suffix in ["", "-journal"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
      try FileManager.default.moveItem(atPath: path + suffix + ".torn", toPath: path + suffix)
    }
  }

  @Test func `a run undoes a killed writer's journal even when there is nothing new`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let hash = try shop.contentHash()
    try leaveJournal(in: shop)
    #expect(throws: DatabaseError.self) { try shop.contentHash() }

    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending == Ending(status: 0, output: "", errors: ""))
    #expect(try shop.contentHash() == hash)
    #expect(try shop.rows("SELECT transaction_id FROM fct_revenue") == ["1001"])
    #expect(try shop.rows("PRAGMA journal_mode") == ["wal"])
    #expect(try shop.rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test func `a stream that the caller closed lends its number to no file`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    // Too many rejects, so that the stage has something to say.
    try shop.folder.write("in/b.ndjson", "no JSON\n")
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.currentDirectoryURL = URL(fileURLWithPath: shop.folder.path)
    let program = Shop.executables.appendingPathComponent("paidline").path
    shell.arguments = ["-c", "exec \"$0\" run pipeline.yaml <&- >&- 2>&-", program]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 65)

    let lock = try String(contentsOfFile: shop.folder.path("var/.paidline.lock"), encoding: .utf8)
    #expect(lock.split(separator: " ").count == 2, "only the owner, not \(lock)")
  }
}
