import SharedTables
import Diagnostics
import GRDB
import Testing

@testable import Warehouse

/// Examines finished facts before they become visible.
@Suite struct `Examination of finished facts` {
  /// Examines the hand-made store after a change that bypasses its CHECKs.
  private func examine(_ change: String) throws -> [DataTestResult] {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: folder.warehouse.path, configuration: configuration)
    return try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
      try db.execute(sql: change)
      try db.execute(sql: "PRAGMA ignore_check_constraints = OFF")
      return try DataTest.run(on: db)
    }
  }

  @Test func `rows that break one test are counted for it alone`() throws {
    // All six purchases get a product id that does not exist.
    let results = try examine("UPDATE fct_revenue SET product_id = 'none'")
    let failed = results.filter { $0.failingRows > 0 }
    #expect(
      failed.map { "\($0.test.name) \($0.failingRows)" } == ["relationships_product 6"])
  }

  @Test func `a warning is counted where nothing is wrong`() throws {
    let results = try examine(
      """
      UPDATE fct_revenue SET price_status = 'unresolved', price_rule = 'unresolved',
        paid_milli = NULL, paid_low_milli = 0, paid_high_milli = NULL WHERE purchase_key = 400;
      DELETE FROM fct_revenue_entry WHERE purchase_key = 400
      """)
    let failed = results.filter { $0.failingRows > 0 }
    #expect(failed.map { "\($0.test.name) \($0.failingRows)" } == ["unresolved_amounts 1"])
    #expect(failed.allSatisfy { !$0.isFailure })
  }

  /// Examines the published store after changes by hand, of which the given keys are recorded as
  /// touched or removed.
  private func examineTouched(
    _ touched: [String: [Int64]], _ change: String, after changes: [String: TableChanges] = [:]
  ) throws -> [String] {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: folder.warehouse.path, configuration: configuration)
    return try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
      try db.execute(sql: change)
      for table in ExaminationScope.notedTables {
        try db.execute(sql: "CREATE TEMP TABLE touched_\(table) (number INTEGER PRIMARY KEY)")
        for number in touched[table] ?? [] {
          try db.execute(sql: "INSERT INTO temp.touched_\(table) VALUES (?)", arguments: [number])
        }
      }
      try ExaminationScope.notePointers(after: changes, on: db)
      try db.execute(sql: "PRAGMA ignore_check_constraints = OFF")
      return try DataTest.run(.touched, on: db).filter { $0.failingRows > 0 }.map(\.test.name)
    }
  }

  @Test(arguments: [
    ("relationships_product", "fct_revenue", "UPDATE fct_revenue SET product_id = 'none'"),
    (
      "amount_exact_is_believed", "fct_revenue",
      "UPDATE fct_revenue SET evidence_id = 12345 WHERE purchase_key = 400"
    ),
    (
      "ledger_entry_agrees_with_purchase", "fct_revenue",
      "UPDATE fct_revenue SET paid_milli = 1, paid_low_milli = 1, paid_high_milli = 1"
    ),
    (
      "ledger_entry_agrees_with_purchase", "fct_revenue_entry",
      "UPDATE fct_revenue_entry SET currency = 'XTS'"
    ),
  ])
  func `faults are looked for, and found, in the touched rows alone`(
    test: String, table: String, change: String
  ) throws {
    let numbers: [Int64] = [400, 401, 402, 403, 408]
    let columns: Set = ["product_id", "evidence_id", "paid_milli", "currency"]
    let changes = [table: TableChanges(changed: 5, changedColumns: columns)]
    #expect(try examineTouched([table: numbers], change, after: changes).contains(test))
    #expect(try examineTouched([:], change, after: changes).contains(test) == false)
  }

  @Test(arguments: [
    ("price_evidence", "evidence_id", 41, "amount_exact_is_believed"),
    ("price_evidence", "evidence_id", 41, "relationships_foreign_keys"),
    ("fct_revenue", "purchase_key", 400, "ledger_entry_agrees_with_purchase"),
    ("fct_revenue", "purchase_key", 400, "relationships_bridge_purchase"),
  ])
  func `rows that point to a row that is gone are examined though nobody touched them`(
    table: String, key: String, number: Int64, test: String
  ) throws {
    let change = "DELETE FROM \(table) WHERE \(key) = \(number)"
    let loss = [table: TableChanges(removed: 1)]
    #expect(try examineTouched([table: [number]], change, after: loss).contains(test))
    #expect(try examineTouched([table: [number]], change).contains(test) == false)
  }

  @Test(arguments: [("verdict", true), ("reference_milli", false)])
  func `purchases are examined if their report's verdict changes, not if it says something else`(
    column: String, isFound: Bool
  ) throws {
    let change = "UPDATE price_evidence SET verdict = 'implausible' WHERE evidence_id = 41"
    let changes = ["price_evidence": TableChanges(changed: 1, changedColumns: [column])]
    let found = try examineTouched(["price_evidence": [41]], change, after: changes)
    #expect(found.contains("amount_exact_is_believed") == isFound)
  }

  @Test func `a purchase whose report is gone keeps a run from being published`() throws {
    let folder = try WorkFolder()
    let first = try folder.warehouse.publish(SampleFacts().content)
    var next = SampleFacts(run: 2).content
    next.run.stateGeneration = 5
    next.amounts.reports.remove(at: 0)
    let refusal = #expect(throws: RunFailure.self) { try folder.warehouse.publish(next) }
    #expect(refusal?.status == .dataRefused)
    #expect(refusal?.message.contains("amount_exact_is_believed: 3 rows") == true)
    #expect(try folder.warehouse.contentDigest() == first.contentDigest)
  }

  /// 1,600 has a key like that of an item's refund, which does not contain the purchase's key.
  @Test(arguments: [401, 1600])
  func `a changed refund of an unchanged purchase is found, whatever its key`(key: Int64) throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    let queue = try DatabaseQueue(path: folder.warehouse.path)
    let failure = try queue.writeWithoutTransaction { db in
      for table in ExaminationScope.notedTables {
        try db.execute(sql: "CREATE TEMP TABLE touched_\(table) (number INTEGER PRIMARY KEY)")
      }
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO fct_revenue_entry
          VALUES (?, 400, 'refund', '2021-05-01', -1, 'USD', NULL, 'apple_share')
          """, arguments: [key])
      try db.execute(
        sql: "INSERT INTO temp.touched_fct_revenue_entry VALUES (?)", arguments: [key])
      var scope = FactScope()
      scope.audited = [
        try #require(
          try String.fetchOne(
            db,
            sql: "SELECT original_transaction_id FROM fct_revenue WHERE purchase_key = 400"))
      ]
      return try ScopeTables.auditFailure(scope, on: db)
    }
    #expect(failure?.hasSuffix(": 1 row of fct_revenue_entry") == true)
    #expect(failure?.hasPrefix("chain ?") == false)
  }

  @Test func `everything is examined once rows are gone whose numbers nobody notes`() {
    var changes = Dictionary(
      uniqueKeysWithValues: WarehouseSchema.hashedTables.map { ($0, TableChanges()) })
    #expect(ExaminationScope(after: changes) == .touched)
    changes["fct_revenue"]?.removed = 3
    #expect(ExaminationScope(after: changes) == .touched)
    changes["dim_product"]?.removed = 1
    #expect(ExaminationScope(after: changes) == .everything)
    #expect(ExaminationScope(after: [:]) == .everything)
  }
}
