import Diagnostics
import Foundation
import GRDB
import Testing

@testable import Warehouse

/// The fast examination of a file that was just built.
@Suite struct `Examination of a fresh file` {
  /// What it says of the published sample after a change behind its constraints' back.
  private func examine(connections: Int = 1, _ change: String? = nil) throws -> [DataTestResult]? {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: folder.warehouse.path, configuration: configuration)
    let results = try queue.writeWithoutTransaction { db -> [DataTestResult]? in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
      if let change { try db.execute(sql: change) }
      let fresh = try FreshExamination(path: folder.warehouse.path, on: db)
      for _ in 0..<connections { fresh.work(on: db) }
      return fresh.results
    }
    try queue.close()
    return results
  }

  @Test(arguments: [1, 2, 3])
  func `a sound file passes, however many take part`(connections: Int) throws {
    let results = try #require(try examine(connections: connections))
    #expect(results.map(\.test) == DataTest.all)
    #expect(results.allSatisfy { $0.failingRows == 0 })
  }

  @Test func `warnings are counted`() throws {
    let results = try examine(
      """
      UPDATE fct_revenue SET price_status = 'unresolved', price_rule = 'unresolved',
        paid_milli = NULL, paid_low_milli = 0, paid_high_milli = NULL WHERE purchase_key = 400;
      DELETE FROM fct_revenue_entry WHERE purchase_key = 400
      """)
    let found = try #require(results).filter { $0.failingRows > 0 }
    #expect(found.map { "\($0.test.name) \($0.failingRows)" } == ["unresolved_amounts 1"])
  }

  @Test(arguments: plants)
  func `a planted fault is seen, or the schema refuses it`(plant: Plant) throws {
    do {
      let results = try examine(plant.sql)
      let test = try #require(DataTest.all.first { $0.name == plant.test })
      if test.severity == .error { #expect(results == nil) }
    } catch let error as DatabaseError {
      #expect(error.resultCode == .SQLITE_CONSTRAINT)
    }
  }

  @Test(arguments: [
    "UPDATE fct_revenue SET product_kind = 'toy' WHERE purchase_key = 400",
    "UPDATE fct_revenue SET is_billing_recovery = 2 WHERE purchase_key = 400",
    "UPDATE fct_revenue_entry SET amount_basis = 'guessed'",
    "UPDATE dim_product SET product_kind = 'toy'",
    "UPDATE audit_run SET kind = 'play'",
    "UPDATE fct_revenue SET evidence_id = 12345 WHERE purchase_key = 400",
    "UPDATE fct_conversion SET converted_purchase_key = 12345",
  ])
  func `a broken CHECK or foreign key is seen`(change: String) throws {
    #expect(try examine(change) == nil)
  }

  @Test(arguments: [
    // Another amount, currency, kind or day than the purchase has.
    "UPDATE fct_revenue_entry SET amount_milli = amount_milli + 1 WHERE purchase_key = 400",
    "UPDATE fct_revenue_entry SET amount_milli = 0 WHERE purchase_key = 400",
    "UPDATE fct_revenue_entry SET currency = 'XTS' WHERE purchase_key = 400",
    "UPDATE fct_revenue_entry SET entry_date = '2021-02-03' WHERE purchase_key = 400",
    "UPDATE fct_revenue SET purchased_date = '2021-02-03' WHERE purchase_key = 400",
    "UPDATE fct_revenue_entry SET entry_date = '2021-02-03' WHERE entry_kind = 'refund'",
    "UPDATE fct_revenue_entry SET amount_milli = -amount_milli WHERE entry_kind = 'refund'",
    "UPDATE fct_revenue SET reversed_at = '2021-02-03T00:00:00Z' WHERE reversal_kind = 'refund'",
    // No purchase, or another one than the key says.
    "UPDATE fct_revenue_entry SET purchase_key = 12345 WHERE purchase_key = 400",
    "UPDATE fct_revenue_entry SET purchase_key = purchase_key + 1 WHERE purchase_key = 400",
    "DELETE FROM fct_revenue WHERE purchase_key = 400",
  ])
  func `an entry that does not agree with its purchase is seen`(change: String) throws {
    #expect(try examine(change) == nil)
  }

  @Test func `entries that point anywhere are left to SQLite`() throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    let queue = try DatabaseQueue(path: folder.warehouse.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      let entries = try #require(DataTest.all.first { $0.joined != nil }?.joined)
      let conditions = try JoinedConditions(entries, test: 0, subqueries: Subqueries(db), on: db)
      let pages = try StoredPages(path: folder.warehouse.path)
      func ask() throws -> ConditionEvaluator.Findings {
        let roots = try [entries.table, entries.parent].map { name in
          try UInt32.fetchOne(
            db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [name])
        }
        let (rows, parents) = (try #require(roots[0]), try #require(roots[1]))
        return try conditions.ask(
          try StoredTable(pages, root: rows).rows(in: 0..<1),
          parents: try StoredTable(pages, root: parents), sets: [])
      }
      let sound = try ask()
      #expect(sound.counts == [0] && !sound.isDoubtful)
      try db.execute(
        sql: """
          UPDATE fct_revenue_entry SET purchase_key = (SELECT max(purchase_key) FROM fct_revenue)
          WHERE entry_key = (SELECT min(entry_key) FROM fct_revenue_entry)
          """)
      #expect(throws: UnknownCondition.self) { try ask() }
    }
    try queue.close()
  }

  @Test func `a page that the schema lost sight of is seen`() throws {
    #expect(
      try examine(
        """
        PRAGMA writable_schema = ON;
        DELETE FROM sqlite_schema WHERE name = 'fct_revenue_by_date'
        """) == nil)
  }

  @Test(arguments: [
    // NULL where there must be a text, a text of another length, a float, a BLOB, a number.
    ("fct_revenue_entry", "entry_kind", [0x00, 0x01, 0x07, 0x0C, 0x0D, 0x7E, 0xFF]),
    // As many bytes as the text has: a number of three, where only the type tells.
    ("price_evidence", "storefront", [0x03]),
  ])
  func `a column that holds what it may not is seen`(
    table: String, column: String, types: [UInt8]
  ) throws {
    for type in types {
      let folder = try WorkFolder()
      _ = try folder.warehouse.publish(SampleFacts().content)
      let queue = try DatabaseQueue(path: folder.warehouse.path)
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = DELETE")
        let root = try UInt32.fetchOne(
          db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table])
        let place = try Int.fetchOne(
          db, sql: "SELECT cid FROM pragma_table_info(?) WHERE name = ?",
          arguments: [table, column])
        let file = try #require(FileHandle(forUpdatingAtPath: folder.warehouse.path))
        let start = UInt64(try #require(root) - 1) * UInt64(PageFile.pageSize)
        try file.seek(toOffset: start)
        let page = [UInt8](try #require(try file.read(upToCount: PageFile.pageSize)))
        try #require(page[0] == 13, "the table is one leaf")
        // Behind the cell's two lengths, of seven bits a byte, comes the header: its own length,
        // then a type a column.
        var cell = Int(page[8]) << 8 | Int(page[9])
        for _ in 0..<2 { cell = try #require(page[cell...].firstIndex { $0 < 0x80 }) + 1 }
        let header = page[cell...].prefix(Int(page[cell]))
        try #require(header.allSatisfy { $0 < 0x80 }, "a byte a type")
        let target = cell + 1 + (try #require(place))
        #expect(page[target] != type)
        try file.seek(toOffset: start + UInt64(target))
        file.write(Data([type]))
        try file.close()
        let fresh = try FreshExamination(path: folder.warehouse.path, on: db)
        fresh.work(on: db)
        #expect(fresh.results == nil, "type \(type)")
      }
      try queue.close()
    }
  }

  @Test func `a damaged page is left to SQLite`() throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    let queue = try DatabaseQueue(path: folder.warehouse.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      let root = try UInt32.fetchOne(
        db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'fct_revenue'")
      let file = try PageFile(path: folder.warehouse.path)
      let zeros = [UInt8](repeating: 0, count: PageFile.pageSize)
      try unsafe zeros.withUnsafeBytes { try unsafe file.replace(try #require(root), with: $0) }
      #expect(throws: DamagedPage.self) {
        try FreshExamination(path: folder.warehouse.path, on: db)
      }
    }
    try queue.close()
  }
}
