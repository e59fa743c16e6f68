import Foundation
import GRDB
import PurchaseModel
import TestSupport
import Testing

@testable import Warehouse

/// Rows are compared with published ones portion by portion, on several threads: what all portions
/// find together must be the difference of the two tables.
@Suite struct `A published table that is read from its pages` {
  private static let columns = ["number", "word"]

  @Test(arguments: [(1, 0), (2, 1), (3, 40), (4, 600), (5, 3_000), (6, 9_000)] as [(UInt64, Int)])
  func `is brought to what new rows say`(seed: UInt64, size: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let stored = Self.rows(size, &generator)
    // A third of the rows goes, in runs too; a third says something else; others come.
    var new = stored.filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }
    if let middle = new.keys.sorted().dropFirst(new.count / 2).first {
      new = new.filter { !(middle..<middle + 1 << 56).contains($0.key) }
    }
    for key in new.keys.sorted() where Bool.random(using: &generator) { new[key] = "changed" }
    new.merge(Self.rows(size / 3, &generator)) { old, _ in old }

    let folder = try WorkFolder()
    let (queue, table) = try Self.table(of: stored, in: folder)
    let portions = Self.portions(of: new.keys.sorted(), &generator)
    try queue.write { db in
      let changed = try ChangedTable("t", pages: table, on: db)
      for keys in portions {
        var encoder = RowEncoder(
          "t", columns: Self.columns, texts: SymbolTexts(SymbolTable()), isHashed: false)
        for key in keys {
          encoder.unhashedKey("number", key)
          encoder.text("word", new[key])
          encoder.insert()
        }
        try changed.add(encoder.rows, try changed.published?.differences(of: encoder.rows))
      }
      try changed.end()
      let found = try Row.fetchAll(db, sql: "SELECT number, word FROM t ORDER BY number")
      #expect(found.map { $0[0] } == new.keys.sorted(), "seed \(seed)")
      #expect(found.map { $0[1] } == new.sorted { $0.key < $1.key }.map(\.value), "seed \(seed)")
      let differing = stored.filter { key, word in new[key].map { $0 != word } ?? false }
      #expect(
        changed.changes
          == TableChanges(
            rows: new.count, added: new.keys.count { stored[$0] == nil }, changed: differing.count,
            removed: stored.keys.count { new[$0] == nil }), "seed \(seed)")
    }
    try queue.close()
  }

  @Test func `that is damaged is refused as SQLite would`() throws {
    var generator = SeededGenerator(seed: 7)
    let folder = try WorkFolder()
    let (queue, table) = try Self.table(of: Self.rows(1_000, &generator), in: folder)
    try queue.close()
    let comparison = RowComparison("t", columns: Self.columns, hasNumberAsKey: true)
    let published = PublishedTable("t", table, comparison: comparison)
    #expect(try published.numbers(after: .min, before: nil).count == 1_000)
    let file = try #require(FileHandle(forUpdatingAtPath: folder.path + "/t.db"))
    try file.seek(toOffset: UInt64(table.leaves[1] - 1) * UInt64(PageFile.pageSize))
    file.write(Data([0x42]))
    try file.close()
    let error = #expect(throws: DatabaseError.self) {
      try published.numbers(after: .min, before: nil)
    }
    #expect(error?.resultCode == .SQLITE_CORRUPT)
  }

  /// Keys as they would be encoded: some at a time.
  private static func portions(of keys: [Int64], _ generator: inout SeededGenerator) -> [[Int64]] {
    var portions: [[Int64]] = []
    var rest = keys[...]
    while !rest.isEmpty {
      portions.append(Array(rest.prefix(Int.random(in: 1...60, using: &generator))))
      rest = rest.dropFirst(portions[portions.count - 1].count)
    }
    return portions
  }

  /// Rows with evenly spread numbers.
  private static func rows(_ count: Int, _ generator: inout SeededGenerator) -> [Int64: String] {
    var rows: [Int64: String] = [:]
    for _ in 0..<count {
      let length = Int.random(in: 0...800, using: &generator)
      rows[Int64.random(in: 0...Int64.max, using: &generator)] = String(
        repeating: "w", count: length)
    }
    return rows
  }

  /// A table with these rows.
  private static func table(
    of rows: [Int64: String], in folder: WorkFolder
  ) throws -> (DatabaseQueue, StoredTable) {
    let path = folder.path + "/t.db"
    let queue = try DatabaseQueue(path: path)
    // What a transaction writes goes to the log, and the pages stay as they are.
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    let root = try queue.write { db -> UInt32? in
      try db.execute(sql: "CREATE TABLE t (number INTEGER PRIMARY KEY, word TEXT) STRICT")
      for (key, word) in rows.sorted(by: { $0.key < $1.key }) {
        try db.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: [key, word])
      }
      return try UInt32.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 't'")
    }
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    return (queue, try StoredTable(StoredPages(path: path), root: try #require(root)))
  }
}
