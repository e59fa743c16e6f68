internal import GRDBSQLite

/// The second part of a run's minimum time: inserting a warehouse's rows into a new database.
///
/// The new database has the same tables, rows and rowids. Rows are inserted in key order by
/// prepared statements, in one transaction, without a journal, without a sync and without CHECK
/// constraints. Then the indexes and views are created. Rows are first read into memory, a limited
/// number at a time; the time of reading is not included.
struct InsertLowerBound {
  private(set) var rows = 0
  /// The time spent inserting.
  private(set) var used = UsedTime()

  private static let batchRows = 50_000

  /// Writes a copy of a warehouse; a file with the copy's name must not exist.
  init(warehouse: String, copy: String) throws {
    let source = try PlainDatabase(warehouse, isNew: false)
    let schema = try source.texts(
      """
      SELECT type, name, sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY rowid
      """
    ).map { (type: $0[0], name: $0[1], sql: $0[2]) }
    let pageSize = try source.texts("PRAGMA page_size")[0][0]
    let target = try used.add {
      let target = try PlainDatabase(copy, isNew: true)
      try target.execute(
        """
        PRAGMA page_size = \(pageSize); PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA ignore_check_constraints = ON; BEGIN;
        """)
      for table in schema where table.type == "table" { try target.execute(table.sql) }
      return target
    }
    let buffer = RowBuffer()
    for table in schema where table.type == "table" {
      try insert(table.name, from: source, into: target, buffer: buffer)
    }
    try used.add {
      for other in schema where other.type != "table" { try target.execute(other.sql) }
      try target.execute("COMMIT")
    }
  }

  private mutating func insert(
    _ table: String, from source: PlainDatabase, into target: PlainDatabase, buffer: RowBuffer
  ) throws {
    let columns = try Self.columns(of: table, in: source)
    let names = columns.joined(separator: ", ")
    let order = try source.texts("SELECT wr FROM pragma_table_list('\(table)')")[0][0]
    let sorted = order == "0" ? " ORDER BY rowid" : ""
    let read = unsafe try source.prepare("SELECT \(names) FROM \"\(table)\"\(sorted)")
    defer { unsafe sqlite3_finalize(read) }
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let write = unsafe try target.prepare("INSERT INTO \"\(table)\" (\(names)) VALUES (\(marks))")
    defer { unsafe sqlite3_finalize(write) }
    let count = Int32(columns.count)
    var isAtEnd = false
    while !isAtEnd {
      buffer.clear()
      while buffer.rows < Self.batchRows, !isAtEnd {
        switch unsafe sqlite3_step(read) {
        case SQLITE_ROW: unsafe buffer.append(rowOf: read, columns: count)
        case SQLITE_DONE: isAtEnd = true
        case let result: try source.check(result)
        }
      }
      let failed = used.add { unsafe buffer.insert(with: write, columns: count) }
      if let failed { try target.check(failed) }
      rows += buffer.rows
    }
  }

  /// Lists the columns to copy, and `rowid` if the table has a rowid that no column contains.
  private static func columns(of table: String, in source: PlainDatabase) throws -> [String] {
    let known = try source.texts(
      "SELECT name, upper(type), pk FROM pragma_table_xinfo('\(table)') WHERE hidden = 0")
    let keys = known.filter { $0[2] != "0" }
    let isAlias = keys.count == 1 && keys[0][1] == "INTEGER"
    let hasRowID = try source.texts("SELECT wr FROM pragma_table_list('\(table)')")[0][0] == "0"
    return (hasRowID && !isAlias ? ["rowid"] : []) + known.map { "\"\($0[0])\"" }
  }
}
