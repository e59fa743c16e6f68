internal import Foundation
internal import GRDB
internal import PurchaseModel
internal import TestSupport
internal import Testing

@testable internal import Warehouse

/// Rows of a table with a number as key, and of one with a key of a text and a number.
private struct Rows {
  var numbered: [(key: Int64, text: String?, number: Int64?)] = []
  var keyed: [(text: String, number: Int64, rest: String)] = []

  var sources: [FactSource] {
    let (numbered, keyed) = (numbered, keyed)
    let byText = numbered.sorted {
      ($0.text.map { Array($0.utf8) } ?? []).lexicographicallyPrecedes(
        $1.text.map { Array($0.utf8) } ?? []) || $0.text == $1.text && $0.key < $1.key
    }
    return [
      FactSource(.table("numbered"), units: numbered.count) { places, table in
        for row in numbered[places] {
          table.key("id", row.key)
          table.text("a", row.text)
          table.integer("n", row.number)
          table.insert()
        }
      },
      FactSource(.table("keyed"), units: keyed.count) { places, table in
        for row in keyed[places] {
          table.text("a", row.text)
          table.integer("b", row.number)
          table.text("c", row.rest)
          table.insert()
        }
      },
      FactSource(.index("numbered_by_a"), units: byText.count) { places, entry in
        for row in byText[places] {
          entry.text("a", row.text)
          entry.integer("id", row.key)
          entry.insert()
        }
      },
    ]
  }

  /// `count` rows whose texts have up to `longest` bytes.
  init(count: Int, longest: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var key = Int64.random(in: -5...5, using: &random)
    for index in 0..<count {
      let text = String(
        repeating: "x", count: Int.random(in: 0...longest, using: &random))
      let numbers: [Int64] = [
        0, 1, -1, 127, 128, -129, 32_768, 8_388_608, -2_147_483_649, 1 << 47, .max, .min,
      ]
      numbered.append(
        (
          key, index % 7 == 3 ? nil : "\(key)\(text)",
          index % 5 == 0 ? nil : numbers[index % numbers.count]
        ))
      keyed.append((String(1_000_000 + index / 2) + text, Int64(index), text))
      key += Int64.random(in: 1...1 << Int64.random(in: 0...40, using: &random), using: &random)
    }
    keyed.sort {
      Array($0.text.utf8).lexicographicallyPrecedes(Array($1.text.utf8))
        || $0.text == $1.text && $0.number < $1.number
    }
  }
}

/// What is compared: a file whose pages were written, and one that SQLite filled.
private let schema = """
  PRAGMA page_size = 4096;
  CREATE TABLE numbered (id INTEGER NOT NULL PRIMARY KEY, a TEXT, n INTEGER) STRICT;
  CREATE TABLE keyed (a TEXT NOT NULL, b INTEGER NOT NULL, c TEXT, PRIMARY KEY (a, b)) STRICT;
  CREATE INDEX numbered_by_a ON numbered (a);
  CREATE TABLE neighbour (x TEXT) STRICT;
  INSERT INTO neighbour VALUES ('stays');
  """

@Suite struct `Pages written straight from rows` {
  private func filled(_ rows: Rows, in folder: TemporaryFolder, byPages: Bool, workers: Int)
    throws -> DatabaseQueue
  {
    let path = folder.path + (byPages ? "/pages.db" : "/rows.db")
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: schema) }
    let columns = ["numbered": ["id", "a", "n"], "keyed": ["a", "b", "c"]]
    let texts = SymbolTexts(SymbolTable())
    if byPages {
      let roots = try queue.read { try PageSink.Roots($0) }
      try queue.close()
      let file = try PageFile(path: path)
      _ = try EncodingLine.run(
        rows.sources, columns: columns, texts: texts, workers: workers,
        sink: PageSink(file: file, roots: roots))
      try file.finish()
      return try DatabaseQueue(path: path)
    }
    try queue.write { db in
      let tables = Array(rows.sources.prefix(2))
      _ = try EncodingLine.run(
        tables, columns: columns, texts: texts, workers: workers,
        sink: RowSink(tables, on: db))
    }
    return queue
  }

  /// Everything a database holds, and SQLite's opinion of it.
  private func content(_ queue: DatabaseQueue) throws -> [String] {
    try queue.read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check")
        + String.fetchAll(
          db, sql: "SELECT quote(id) || quote(a) || quote(n) FROM numbered ORDER BY id")
        + String.fetchAll(
          db, sql: "SELECT quote(a) || quote(b) || quote(c) FROM keyed ORDER BY a, b")
        + String.fetchAll(
          db, sql: "SELECT quote(id) FROM numbered INDEXED BY numbered_by_a ORDER BY a, id")
        + String.fetchAll(db, sql: "SELECT x FROM neighbour")
    }
  }

  @Test(arguments: [
    (0, 10), (1, 10), (2, 3000), (60, 40), (130, 40), (400, 9), (5000, 60), (900, 1100),
    (500, 5000), (60, 30_000), (70_000, 6),
  ])
  func `are those that SQLite would have written, whatever the size`(count: Int, longest: Int)
    throws
  {
    let folder = try TemporaryFolder()
    let rows = Rows(count: count, longest: longest, seed: UInt64(count))
    let pages = try content(filled(rows, in: folder, byPages: true, workers: 2))
    let ordinary = try content(filled(rows, in: folder, byPages: false, workers: 1))
    #expect(pages.first == "ok")
    #expect(pages == ordinary, "rows \(count), longest \(longest)")
  }

  @Test(arguments: 1...40)
  func `hold every number of rows around a full page`(seed: Int) throws {
    let folder = try TemporaryFolder()
    let rows = Rows(count: 8 * seed, longest: 3 * seed, seed: UInt64(seed))
    let pages = try content(filled(rows, in: folder, byPages: true, workers: 3))
    #expect(pages.first == "ok", "seed \(seed)")
    #expect(pages.count == 2 + 3 * 8 * seed, "seed \(seed)")
  }

  @Test func `can be changed by SQLite afterwards`() throws {
    let folder = try TemporaryFolder()
    let queue = try filled(
      Rows(count: 3000, longest: 50, seed: 9), in: folder, byPages: true, workers: 2)
    try queue.write { db in
      try db.execute(sql: "DELETE FROM numbered WHERE id % 3 = 0; DELETE FROM keyed WHERE b < 900")
      try db.execute(sql: "UPDATE numbered SET a = a || 'y' WHERE n IS NULL")
      try db.execute(sql: "INSERT INTO keyed SELECT a, b + 100000, c FROM keyed")
    }
    #expect(try content(queue).first == "ok")
  }

  @Test func `two rows under one key are refused`() throws {
    let folder = try TemporaryFolder()
    var rows = Rows(count: 20, longest: 5, seed: 1)
    rows.numbered[7].key = rows.numbered[6].key
    #expect(throws: (any Error).self) {
      try filled(rows, in: folder, byPages: true, workers: 2)
    }
    var twins = Rows(count: 20, longest: 5, seed: 1)
    twins.keyed[7] = twins.keyed[6]
    let second = try TemporaryFolder()
    #expect(throws: (any Error).self) {
      try filled(twins, in: second, byPages: true, workers: 2)
    }
  }
}
