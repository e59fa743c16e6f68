internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// The floor with which runs are compared must do the documented work.
struct FloorTests {
  @Test func `the floor inflates every byte and inserts every row of the warehouse`() throws {
    let shop = try Shop(receipts: "receipts/*.gz")
    // A file with two gzip members, and a file of three bytes.
    let lines = Export.purchase(1, day: "2021-03-01") + Export.purchase(2, day: "2021-03-02")
    try shop.folder.write("receipts/a.ndjson.gz", bytes: gzip(lines) + gzip(lines))
    try shop.folder.write("prices/b.ndjson.gz", bytes: gzip("{}\n"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)

    let floor = try shop.run(
      "paidline-bench", "floor", ".", "--warehouse", "out/warehouse.db", "--copy", "copy.db",
      "--keep-copy", "--jobs", "2")
    #expect(floor.status == 0, "\(floor.errors)")
    let found = try #require(
      try JSONSerialization.jsonObject(with: Data(floor.output.utf8)) as? [String: Int])
    #expect(found["files"] == 2)
    #expect(found["text_bytes"] == lines.utf8.count * 2 + 3)

    let queue = try DatabaseQueue(path: shop.folder.path("copy.db"))
    try queue.inDatabase { db in
      #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      try db.execute(sql: "ATTACH ? AS original", arguments: [shop.folder.path("out/warehouse.db")])
      let schema = "SELECT type, name, tbl_name, sql FROM"
      #expect(
        try Row.fetchAll(db, sql: "\(schema) main.sqlite_schema ORDER BY 1, 2")
          == Row.fetchAll(db, sql: "\(schema) original.sqlite_schema ORDER BY 1, 2"))
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
      var rows = 0
      for table in tables {
        let all = try Row.fetchAll(db, sql: "SELECT rowid, * FROM main.\(table) ORDER BY rowid")
        #expect(
          try all == Row.fetchAll(db, sql: "SELECT rowid, * FROM original.\(table) ORDER BY rowid"),
          "\(table)")
        rows += all.count
      }
      #expect(found["rows"] == rows)
      #expect(tables.contains("fct_revenue"))
      #expect(rows > 400)  // meta_column alone.
    }
  }

  @Test func `the floor refuses what it cannot measure`() throws {
    let shop = try Shop()
    let early = try shop.run("paidline-bench", "floor", ".")
    #expect(early.status != 0)
    #expect(early.errors.contains("run the store's pipeline first"), "\(early.errors)")
    try shop.folder.write("in/a.ndjson", Export.purchase(1, day: "2021-03-01"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let whole = gzip("a text that is cut off")
    try shop.folder.write("receipts/cut.gz", bytes: Array(whole.dropLast(4)))
    try shop.folder.write("prices/b.gz", bytes: whole)
    let cut = try shop.run("paidline-bench", "floor", ".", "--warehouse", "out/warehouse.db")
    #expect(cut.status != 0)
    #expect(cut.errors.contains("receipts/cut.gz cannot be read"), "\(cut.errors)")
  }
}
