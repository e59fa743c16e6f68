import Diagnostics
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
