internal import GRDBSQLite

/// A database connection that uses only SQLite's C interface, so that only SQLite's time is
/// measured.
@safe
final class PlainDatabase {
  private let handle: OpaquePointer
  private let path: String

  /// Opens a database for reading, or creates a new database.
  init(_ path: String, isNew: Bool) throws {
    var opened: OpaquePointer?
    let flags = isNew ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    let result = unsafe sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let opened = unsafe opened else {
      unsafe sqlite3_close(opened)
      throw BenchFailure(
        "\(path) cannot be opened: \(unsafe String(cString: sqlite3_errstr(result)))")
    }
    unsafe handle = opened
    self.path = path
  }

  deinit {
    unsafe sqlite3_close(handle)
  }

  /// Executes statements whose results are not needed.
  func execute(_ sql: String) throws {
    try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// Prepares a statement; the caller finalizes it.
  func prepare(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    try check(unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    guard let statement = unsafe statement else {
      throw BenchFailure("\(path): no statement: \(sql)")
    }
    return unsafe statement
  }

  /// Returns all rows of a query with a small result, every value as text; NULL is empty.
  func texts(_ sql: String) throws -> [[String]] {
    let statement = unsafe try prepare(sql)
    defer { unsafe sqlite3_finalize(statement) }
    var rows: [[String]] = []
    let columns = unsafe sqlite3_column_count(statement)
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<columns).map { column in
          unsafe sqlite3_column_text(statement, column).map { unsafe String(cString: $0) } ?? ""
        })
    }
    return rows
  }

  /// Throws an error with SQLite's message unless the result code is `SQLITE_OK`.
  func check(_ result: Int32) throws {
    guard result == SQLITE_OK else {
      throw BenchFailure("\(path): \(unsafe String(cString: sqlite3_errmsg(handle)))")
    }
  }
}
