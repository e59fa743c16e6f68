internal import GRDB
internal import TestSupport
internal import Testing

/// A reader with an open snapshot prevents SQLite from emptying the write-ahead log.
struct HeldLogTests {
  @Test func `each run names the log that a reader holds, and its size`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).errors == "")
    let reader = try DatabaseQueue(path: shop.folder.path("out/warehouse.db"))
    try reader.read { db in
      #expect(try Int.fetchOne(db, sql: "SELECT count(1) FROM fct_revenue") == 1)
      try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-01-06"))
      let ending = try shop.run("paidline", "run", shop.pipeline)
      #expect(ending.status == 0)
      let bytes = try shop.folder.bytes("out/warehouse.db-wal").count
      #expect(
        ending.errors.contains(
          "write-ahead log out/warehouse.db-wal of the warehouse could not be emptied, because "
            + "another program is reading the warehouse; the log has \(bytes) bytes and grows"))
      #expect(try Int.fetchOne(db, sql: "SELECT count(1) FROM fct_revenue") == 1)
    }
    try shop.folder.write("in/c.ndjson", Export.purchase(1003, day: "2021-01-07"))
    #expect(try shop.run("paidline", "run", shop.pipeline).errors == "")
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["3"])
  }
}
