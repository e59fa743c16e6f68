import GRDB
import TestSupport
import Testing

@testable import Warehouse

/// Conditions asked of records by ourselves, with SQLite as the judge.
@Suite struct `Conditions over stored rows` {
  /// The published sample with room for everything that CHECKs and NOT NULL refuse.
  private func looseFile(_ folder: WorkFolder) throws -> DatabaseQueue {
    _ = try folder.warehouse.publish(SampleFacts().content)
    let published = try folder.analyst()
    let tables = try published.read { db in
      try String.fetchAll(db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'table'")
    }
    try published.close()
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: folder.path + "/loose.db", configuration: configuration)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
      for sql in tables {
        let loose = ["TEXT", "INTEGER"].reduce(sql) { sql, type in
          sql.split(separator: type + " NOT NULL").joined(separator: type)
        }
        try db.execute(sql: loose)
      }
      try db.execute(sql: "ATTACH ? AS published", arguments: [folder.warehouse.path])
      for table in WarehouseSchema.replacedTables {
        try db.execute(sql: "INSERT INTO main.\(table) SELECT * FROM published.\(table)")
      }
      try db.execute(sql: "DETACH published")
    }
    return queue
  }

  /// Adds rows whose columns hold what some row holds there, nothing, or something else; what is
  /// odd, only SQLite can judge.
  private func addRandomRows(
    _ count: Int, to table: String, isOdd: Bool, seed: UInt64, on db: Database
  ) throws {
    var random = SeededGenerator(seed: seed)
    let columns = try Row.fetchAll(
      db, sql: "SELECT name, type FROM pragma_table_info(?)", arguments: [table])
    let pools = try columns.map { column -> [DatabaseValue] in
      let name: String = column[0]
      let isText = column[1] == "TEXT"
      let texts = ["2021-03-01"] + (isOdd ? ["", "x", "é", "2021-03-01T00:00:00Z", "0123"] : [])
      let numbers = [0, 1, -1, 2, 255] + (isOdd ? [1 << 40, Int64.min, Int64.max] : [])
      let others = isText ? texts.map(\.databaseValue) : numbers.map(\.databaseValue)
      return try DatabaseValue.fetchAll(db, sql: "SELECT \(name) FROM \(table) LIMIT 50")
        + others + [.null]
    }
    let places = columns.map { _ in "?" }.joined(separator: ",")
    for _ in 0..<count {
      let values = pools.map { $0.randomElement(using: &random) ?? .null }
      try db.execute(
        sql: "INSERT OR IGNORE INTO \(table) VALUES (\(places))",
        arguments: StatementArguments(values))
    }
  }

  @Test(arguments: [(1, false), (2, false), (3, true)] as [(UInt64, Bool)])
  func `every condition is broken by the rows that SQLite says`(seed: UInt64, isOdd: Bool) throws {
    let folder = try WorkFolder()
    let queue = try looseFile(folder)
    try queue.writeWithoutTransaction { db in
      for (index, table) in WarehouseSchema.replacedTables.enumerated() {
        try addRandomRows(250, to: table, isOdd: isOdd, seed: 100 * seed + UInt64(index), on: db)
      }
      let pages = try StoredPages(path: folder.path + "/loose.db")
      var asked = 0
      for table in WarehouseSchema.replacedTables {
        let subqueries = Subqueries(db)
        let conditions = try TableConditions(table, subqueries: subqueries, on: db)
        let sets = try subqueries.queries.map { query in
          let set = ValueSet()
          try set.fill(from: try RawStatement("a set", query, on: db))
          return set
        }
        let root = try UInt32.fetchOne(
          db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table])
        let rows = try StoredTable(pages, root: try #require(root))
        var evaluator = ConditionEvaluator(conditions.program, conditions.shape, sets: sets)
        unsafe try rows.forEachRow(in: rows.leaves.indices) { row, record in
          unsafe evaluator.ask(record, row: row)
        }
        let findings = evaluator.finish()
        for (text, count) in zip(conditions.texts, findings.counts) {
          let expected = try Int.fetchOne(
            db, sql: "SELECT count(1) FROM \(table) WHERE \(text)")
          // A row that only SQLite can judge makes the whole answer doubtful.
          #expect(isOdd || !findings.isDoubtful)
          if !findings.isDoubtful { #expect(count == expected, "\(table): \(text)") }
          asked += 1
        }
      }
      #expect(asked == 86, "as many as the schema and the data tests have")
    }
    try queue.close()
  }

  @Test(arguments: [4, 5, 6] as [UInt64])
  func `entries disagree with their purchases where SQLite says so`(seed: UInt64) throws {
    let folder = try WorkFolder()
    let queue = try looseFile(folder)
    try queue.writeWithoutTransaction { db in
      let index = try #require(DataTest.all.firstIndex { $0.joined != nil })
      let joined = try #require(DataTest.all[index].joined)
      try addRandomRows(250, to: joined.table, isOdd: false, seed: seed, on: db)
      try addRandomRows(250, to: joined.parent, isOdd: false, seed: seed + 100, on: db)
      // In the order of their purchases, most of which exist.
      try db.execute(
        sql: """
          UPDATE fct_revenue_entry SET entry_key = -1000 - entry_key WHERE entry_key < 0;
          UPDATE fct_revenue_entry SET purchase_key = entry_key & ~3;
          UPDATE OR IGNORE fct_revenue SET purchase_key = purchase_key & ~3
          """)
      let pages = try StoredPages(path: folder.path + "/loose.db")
      let conditions = try JoinedConditions(
        joined, test: index, subqueries: Subqueries(db), on: db)
      let tables = try [joined.table, joined.parent].map { name in
        let root = try UInt32.fetchOne(
          db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [name])
        return try StoredTable(pages, root: try #require(root))
      }
      let findings = try conditions.ask(
        tables[0].rows(in: tables[0].leaves.indices), parents: tables[1], sets: [])
      let expected = try Int.fetchOne(
        db, sql: "SELECT count(1) FROM (\(DataTest.all[index].sql))")
      #expect(!findings.isDoubtful)
      #expect(findings.counts == [try #require(expected)], "seed \(seed)")
      #expect(findings.counts[0] > 10)
    }
    try queue.close()
  }

  @Test func `what conditions do not need is left to SQLite`() throws {
    for sql in ["a LIKE 'x'", "a || b", "upper(a)", "\"a\" = 1", "a IN (1", "a = 1 b"] {
      #expect(throws: UnknownCondition.self, "\(sql)") {
        let queue = try DatabaseQueue()
        try queue.write { db in
          var parser = ConditionParser(
            try ConditionToken.all(in: sql), columns: ["a", "b"], into: ConditionProgram(),
            subqueries: Subqueries(db))
          try parser.read()
        }
      }
    }
  }
}
