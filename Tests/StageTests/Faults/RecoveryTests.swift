internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Runs after a killed run that left files behind.
struct RecoveryTests {
  /// Leaves a database like a writer that is killed within a transaction in rollback-journal mode.
  ///
  /// Only a process that may write can roll the journal back.
  private func leaveJournal(_ name: String, in shop: Shop, _ sql: String) throws {
    let path = shop.folder.path(name)
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      try db.execute(sql: "PRAGMA cache_size = 1")
      try db.execute(sql: "BEGIN IMMEDIATE")
      // The cache is so small that changed pages reach the file before the transaction ends.
      try db.execute(sql: sql)
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
    try leaveJournal(
      "out/warehouse.db", in: shop,
      """
      UPDATE meta_column SET description = description || description;
      UPDATE fct_revenue SET transaction_id = 'torn';
      """)
    #expect(throws: DatabaseError.self) { try shop.contentHash() }

    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending == Ending(status: 0, output: "", errors: ""))
    #expect(try shop.contentHash() == hash)
    #expect(try shop.rows("SELECT transaction_id FROM fct_revenue") == ["1001"])
    #expect(try shop.rows("PRAGMA journal_mode") == ["wal"])
    #expect(try shop.rows("PRAGMA integrity_check") == ["ok"])
  }

  /// The first generations of two state.db files have the same numbers but different content.
  @Test(arguments: [true, false])
  func `news after the loss of state_db, or beside an old copy of it, is published`(
    isLost: Bool
  ) throws {
    let shop = try Shop(gates: "{volume_drop: off}")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let copy = try shop.folder.bytes("var/state.db")
    if !isLost {
      try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-02-05"))
      #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
      try FileManager.default.removeItem(atPath: shop.folder.path("in/b.ndjson"))
    }
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: shop.folder.path("var/state.db" + suffix))
    }
    if !isLost { try shop.folder.write("var/state.db", bytes: copy) }
    try shop.folder.write("in/c.ndjson", Export.purchase(1003, day: "2021-02-06"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(
      try shop.rows("SELECT transaction_id FROM fct_revenue ORDER BY 1") == ["1001", "1003"])
    #expect(try shop.rows("SELECT max(run_id) FROM audit_run") == [isLost ? "2" : "3"])
  }

  @Test func `a killed writer's journal of the first state_db is no missing permission`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    try leaveJournal(
      "var/state.db", in: shop,
      """
      INSERT INTO setting WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9999)
        SELECT 'key ' || i, 'value' FROM n
      """)
    let status = try shop.run("paidline", "status", shop.pipeline)
    #expect(status.status == 66)
    #expect(
      status.errors.contains("stopped while it created this state database"), "\(status.errors)")
    #expect(status.errors.contains("Run the pipeline again as the owner of the file;"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.run("paidline", "status", shop.pipeline).status == 0)
  }

  @Test func `a stream that the caller closed lends its number to no file`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    // Too many records are rejected, so the stage writes a message.
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
