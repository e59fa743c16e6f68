@testable import SQLiteFiles
import GRDB
import Testing

@Suite struct `A raw statement` {
  private func with(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE t (i INTEGER, s TEXT, b BLOB)")
      try body(db)
    }
  }

  private func insert(_ db: Database) throws -> RawStatement {
    try RawStatement("insert", "INSERT INTO t (i, s, b) VALUES (?1, ?2, ?3)", on: db)
  }

  @Test func `stores what is bound, of every type`() throws {
    try with { db in
      let insert = try insert(db)
      let three: [UInt8] = [0, 255, 0]
      let none: [UInt8] = []
      insert.bind(Int64.min, at: 1)
      insert.bind("Zürich 東京", at: 2)
      insert.bind(blob: three.span, at: 3)
      try insert.run()
      insert.bind(nil as Int64?, at: 1)
      insert.bind("regular" as String, at: 2)
      insert.bindNull(at: 3)
      try insert.run()
      insert.bind(true as Bool?, at: 1)
      insert.bind("" as String, at: 2)
      insert.bind(blob: none.span, at: 3)
      try insert.run()
      insert.bind(nil as Bool?, at: 1)
      insert.bind(nil as String?, at: 2)
      try insert.run()
      let rows = try String.fetchAll(db, sql: "SELECT quote(i) || quote(s) || quote(b) FROM t")
      #expect(
        rows == [
          "-9223372036854775808'Zürich 東京'X'00FF00'", "NULL'regular'NULL", "1''X''", "NULLNULLX''",
        ])
    }
  }

  /// Texts longer than the statement's buffer, and many texts that fill it together, are stored
  /// completely.
  @Test(arguments: [0, 1, 32_767, 32_768, 32_769, 100_000])
  func `stores texts of any length`(length: Int) throws {
    try with { db in
      let insert = try insert(db)
      let text = String(repeating: "ab", count: length / 2) + (length % 2 == 1 ? "c" : "")
      let bytes = Array(text.utf8)
      for number in 0..<3 as Range<Int64> {
        insert.bind(number, at: 1)
        insert.bind(text, at: 2)
        insert.bind(blob: bytes.span, at: 3)
        try insert.run()
      }
      let equal = try Int.fetchOne(
        db, sql: "SELECT count(1) FROM t WHERE s = ? AND CAST(b AS TEXT) = s", arguments: [text])
      #expect(equal == 3)
    }
  }

  @Test func `reads every type and NULL`() throws {
    try with { db in
      try db.execute(sql: "INSERT INTO t VALUES (7, 'sieben', X'0102'), (NULL, NULL, NULL)")
      let rows = try RawStatement("read", "SELECT i, s, b FROM t ORDER BY i DESC", on: db)
      #expect(try rows.next())
      #expect(rows.int64(0) == 7)
      #expect(rows.optionalInt64(0) == 7)
      #expect(rows.text(1) == "sieben")
      #expect(rows.optionalText(1) == "sieben")
      #expect(rows.withSpan(2) { $0.count } == 2)
      #expect(rows.withSpan(2) { $0[1] } == 2)
      #expect(try rows.next())
      #expect(rows.isNull(0))
      #expect(rows.int64(0) == 0)
      #expect(rows.optionalInt64(0) == nil)
      #expect(rows.text(1).isEmpty)
      #expect(rows.optionalText(1) == nil)
      #expect(rows.withSpan(2) { $0.count } == 0)
      #expect(try !rows.next())
      // After its end the statement can run again.
      #expect(try rows.next())
    }
  }

  @Test func `names itself and never a value when it fails`() throws {
    try with { db in
      try db.execute(sql: "CREATE UNIQUE INDEX only ON t (s)")
      let insert = try insert(db)
      insert.bind("secret" as String, at: 2)
      try insert.run()
      insert.bind("secret" as String, at: 2)
      let error = #expect(throws: DatabaseError.self) { try insert.run() }
      #expect(error?.message == "insert: UNIQUE constraint failed: t.s")
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      #expect(error.map { "\($0)".contains("secret") } == false)
      insert.bind("other" as String, at: 2)
      try insert.run()
      insert.bind(1 as Int64, at: 4)
      #expect(throws: DatabaseError.self) { try insert.run() }
      #expect(throws: DatabaseError.self) {
        _ = try RawStatement("bad", "SELECT missing FROM t", on: db)
      }
    }
  }
}
