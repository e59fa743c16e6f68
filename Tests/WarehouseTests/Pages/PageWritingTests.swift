internal import Foundation
internal import GRDB
internal import TestSupport
internal import TemporaryFiles
internal import Testing

@testable internal import Warehouse

/// Rows of a table with a number as key, and of one with a key of a text and a number.
private struct Rows {
  var numbered: [(key: Int64, text: String?, number: Int64?)] = []
  var keyed: [(text: String, number: Int64, rest: String)] = []

  /// Hands the rows on as deciding would, some at a time.
  func drain(into sink: any FactSink) throws {
    try sink.begin("numbered")
    for start in stride(from: 0, to: numbered.count, by: 500) {
      var portion = EncodedRows()
      for row in numbered[start..<min(start + 500, numbered.count)] {
        let values = [
          .null, row.text.map(Value.text) ?? .null, row.number.map(Value.number) ?? .null,
        ]
        unsafe record(values).withUnsafeBytes { unsafe portion.add($0, key: row.key) }
      }
      try sink.add(portion)
    }
    try sink.end()
    try sink.begin("keyed")
    for start in stride(from: 0, to: keyed.count, by: 500) {
      var portion = EncodedRows()
      for row in keyed[start..<min(start + 500, keyed.count)] {
        let values = [Value.text(row.text), .number(row.number), .text(row.rest)]
        unsafe record(values).withUnsafeBytes { unsafe portion.add($0, key: nil) }
      }
      try sink.add(portion)
    }
    try sink.end()
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

/// The value of a column.
private enum Value {
  case null
  case number(Int64)
  case text(String)
}

/// A record as SQLite's file format (section 2.1) describes it; numbers take eight bytes, or none.
private func record(_ values: [Value]) -> [UInt8] {
  var types: [UInt8] = []
  var body: [UInt8] = []
  for value in values {
    switch value {
    case .null: types += varint(0)
    case .number(0): types += varint(8)
    case .number(1): types += varint(9)
    case .number(let number):
      types += varint(6)
      body += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    case .text(let text):
      types += varint(UInt64(13 + 2 * text.utf8.count))
      body += text.utf8
    }
  }
  // The header's length counts itself: one byte, as these headers are short.
  return varint(UInt64(types.count + 1)) + types + body
}

/// Seven bits a byte, the most significant first.
private func varint(_ number: UInt64) -> [UInt8] {
  var bytes = [UInt8(number & 0x7F)]
  var rest = number >> 7
  while rest > 0 {
    bytes.append(UInt8(rest & 0x7F) | 0x80)
    rest >>= 7
  }
  return bytes.reversed()
}

/// The schema of both files: one with written pages, and one that SQLite filled.
private let schema = """
  PRAGMA page_size = 4096;
  CREATE TABLE numbered (id INTEGER NOT NULL PRIMARY KEY, a TEXT, n INTEGER) STRICT;
  CREATE TABLE keyed (a TEXT NOT NULL, b INTEGER NOT NULL, c TEXT, PRIMARY KEY (a, b)) STRICT;
  CREATE INDEX numbered_by_a ON numbered (a);
  CREATE TABLE neighbour (x TEXT) STRICT;
  INSERT INTO neighbour VALUES ('stays');
  """

@Suite struct `Pages written straight from rows` {
  private func filled(_ rows: Rows, in folder: TemporaryFolder, byPages: Bool)
    throws -> DatabaseQueue
  {
    let path = folder.path + (byPages ? "/pages.db" : "/rows.db")
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: schema) }
    if byPages {
      let roots = try queue.read { try PageSink.Roots($0) }
      try queue.close()
      let file = try PageFile(path: path)
      let memory = SortMemory(bytes: 1 << 20, path: folder.path + "/sort")
      let sink = PageSink(file: file, roots: roots, memory: memory)
      try rows.drain(into: sink)
      try sink.finish()
      try file.finish()
      return try DatabaseQueue(path: path)
    }
    try queue.write { db in try rows.drain(into: RowSink(on: db)) }
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
    let pages = try content(filled(rows, in: folder, byPages: true))
    let ordinary = try content(filled(rows, in: folder, byPages: false))
    #expect(pages.first == "ok")
    #expect(pages == ordinary, "rows \(count), longest \(longest)")
  }

  @Test(arguments: 1...40)
  func `hold every number of rows around a full page`(seed: Int) throws {
    let folder = try TemporaryFolder()
    let rows = Rows(count: 8 * seed, longest: 3 * seed, seed: UInt64(seed))
    let pages = try content(filled(rows, in: folder, byPages: true))
    #expect(pages.first == "ok", "seed \(seed)")
    #expect(pages.count == 2 + 3 * 8 * seed, "seed \(seed)")
  }

  @Test func `can be changed by SQLite afterwards`() throws {
    let folder = try TemporaryFolder()
    let queue = try filled(
      Rows(count: 3000, longest: 50, seed: 9), in: folder, byPages: true)
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
      try filled(rows, in: folder, byPages: true)
    }
    var twins = Rows(count: 20, longest: 5, seed: 1)
    twins.keyed[7] = twins.keyed[6]
    let second = try TemporaryFolder()
    #expect(throws: (any Error).self) {
      try filled(twins, in: second, byPages: true)
    }
  }
}
