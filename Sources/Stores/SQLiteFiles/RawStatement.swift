package import GRDB
internal import GRDBSQLite

/// A prepared statement, bound and read through SQLite's C interface.
///
/// It is used for statements that run once per row, because GRDB's arguments and rows are five to
/// twelve times slower. As in C, parameters are numbered from 1, and columns from 0. The error of a
/// bind is thrown by the following ``next()``. Numbers and nulls stay bound after a reset; texts
/// and blobs must be bound again after every reset.
///
/// Use it only within the closure that receives its database from GRDB.
@safe
package final class RawStatement {
  private let statement: Statement?  // `nil` where the handle is this object's own
  package let handle: OpaquePointer
  private let name: String
  private let scratch: UnsafeMutableRawPointer
  private var scratchUsed = 0
  private var bindResult = SQLITE_OK

  /// Prepares a statement; errors show its name, but neither the SQL nor bound values.
  package init(_ name: String, _ sql: String, on db: Database) throws {
    let statement = try db.makeStatement(sql: sql)
    self.statement = statement
    unsafe handle = statement.sqliteStatement
    unsafe scratch = UnsafeMutableRawPointer.allocate(
      byteCount: Self.scratchSize, alignment: 16)
    self.name = name
  }

  /// Prepares a statement on the current thread, which must be the only user of the connection.
  ///
  /// GRDB prepares statements only on its own queue; this initializer is for other threads.
  @unsafe package init(_ name: String, _ sql: String, connection: OpaquePointer) throws {
    var prepared: OpaquePointer?
    let result = unsafe sqlite3_prepare_v2(connection, sql, -1, &prepared, nil)
    guard result == SQLITE_OK, let prepared = unsafe prepared else {
      let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
      throw DatabaseError(
        resultCode: ResultCode(rawValue: result), message: "\(name): \(message ?? "no message")")
    }
    statement = nil
    unsafe handle = prepared
    unsafe scratch = UnsafeMutableRawPointer.allocate(
      byteCount: Self.scratchSize, alignment: 16)
    self.name = name
  }

  deinit {
    if statement == nil { unsafe sqlite3_finalize(handle) }
    unsafe scratch.deallocate()
  }

  private static let scratchSize = 32_768

  // MARK: Binding

  /// Binds a whole number.
  @inline(__always)
  package func bind(_ value: Int64, at parameter: Int32) {
    note(unsafe sqlite3_bind_int64(handle, parameter, value))
  }

  /// Binds a whole number, or NULL.
  @inline(__always)
  package func bind(_ value: Int64?, at parameter: Int32) {
    guard let value else { return bindNull(at: parameter) }
    bind(value, at: parameter)
  }

  /// Binds a Boolean as 0 or 1, or NULL.
  @inline(__always)
  package func bind(_ value: Bool?, at parameter: Int32) {
    guard let value else { return bindNull(at: parameter) }
    bind(value ? 1 : 0, at: parameter)
  }

  /// Binds NULL to a parameter.
  @inline(__always)
  package func bindNull(at parameter: Int32) {
    note(unsafe sqlite3_bind_null(handle, parameter))
  }

  /// Binds a text given as UTF-8; it stays bound until the statement is reset.
  @inline(__always)
  package func bind(text: Span<UInt8>, at parameter: Int32) {
    unsafe text.withUnsafeBytes { bytes in
      unsafe bind(bytes, isText: true, at: parameter)
    }
  }

  /// Binds a text given as UTF-8; it stays bound until the statement is reset.
  @inline(__always)
  package func bind(utf8 text: UnsafeRawBufferPointer, at parameter: Int32) {
    unsafe bind(text, isText: true, at: parameter)
  }

  /// Binds a text given as UTF-8, without a copy.
  ///
  /// The bytes must stay valid until the statement is reset.
  @inline(__always)
  package func bind(borrowed text: UnsafeRawBufferPointer, at parameter: Int32) {
    guard let count = Int32(exactly: text.count) else { return note(SQLITE_TOOBIG) }
    let start = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self)
    note(unsafe sqlite3_bind_text(handle, parameter, start, count, nil))
  }

  /// Binds a text; it stays bound until the statement is reset.
  package func bind(_ text: String, at parameter: Int32) {
    var text = text
    text.withUTF8 { bytes in
      unsafe bind(UnsafeRawBufferPointer(bytes), isText: true, at: parameter)
    }
  }

  /// Binds a copy of a text, or NULL; the value stays bound until the statement is reset.
  package func bind(_ text: String?, at parameter: Int32) {
    guard let text else { return bindNull(at: parameter) }
    bind(text, at: parameter)
  }

  /// Binds a copy of a blob; it stays bound until the statement is reset.
  package func bind(blob: Span<UInt8>, at parameter: Int32) {
    unsafe blob.withUnsafeBytes { bytes in
      unsafe bind(bytes, isText: false, at: parameter)
    }
  }

  /// Binds a text or blob.
  ///
  /// Short values are copied to the statement's own buffer, which is cheaper than SQLite's copy.
  @inline(__always)
  private func bind(_ bytes: UnsafeRawBufferPointer, isText: Bool, at parameter: Int32) {
    var start: UnsafeRawPointer? = unsafe UnsafeRawPointer(scratch + scratchUsed)
    var destructor: sqlite3_destructor_type? = nil
    if bytes.count <= Self.scratchSize - scratchUsed {
      if let source = bytes.baseAddress {
        unsafe (scratch + scratchUsed).copyMemory(from: source, byteCount: bytes.count)
      }
      scratchUsed += bytes.count
    } else {
      unsafe start = bytes.baseAddress
      unsafe destructor = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
    guard let count = Int32(exactly: bytes.count) else { return note(SQLITE_TOOBIG) }
    if isText {
      let text = unsafe start?.assumingMemoryBound(to: CChar.self)
      note(unsafe sqlite3_bind_text(handle, parameter, text, count, destructor))
    } else {
      note(unsafe sqlite3_bind_blob(handle, parameter, start, count, destructor))
    }
  }

  @inline(__always)
  private func note(_ result: Int32) {
    if result != SQLITE_OK, bindResult == SQLITE_OK { bindResult = result }
  }

  // MARK: Running

  /// Binds a whole number, a text or NULL to every parameter, and runs the statement.
  ///
  /// This function is slow, because every value is boxed. Use it only for tables with few rows.
  package func run(_ values: (any DatabaseValueConvertible)?...) throws {
    for (value, parameter) in zip(values, (1 as Int32)...) {
      switch value?.databaseValue.storage ?? .null {
      case .null: bindNull(at: parameter)
      case .int64(let number): bind(number, at: parameter)
      case .string(let text): bind(text, at: parameter)
      case .double, .blob: preconditionFailure("\(name): neither a whole number nor a text")
      }
    }
    try run()
  }

  /// Runs a statement without result rows, and resets it for the next values.
  @inline(__always)
  package func run() throws {
    let hasRow = try next()
    precondition(!hasRow, "\(name): the statement returned a row, although it should only write")
  }

  /// The rowid of the last row that the statement's connection inserted.
  package var insertedRow: Int64 { unsafe sqlite3_last_insert_rowid(sqlite3_db_handle(handle)) }

  /// Moves to the next row; after the last row, returns false and resets the statement.
  @inline(__always)
  package func next() throws -> Bool {
    guard bindResult == SQLITE_OK else { throw failure(bindResult) }
    let result = unsafe sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    scratchUsed = 0
    if result == SQLITE_DONE {
      unsafe sqlite3_reset(handle)
      return false
    }
    throw failure(result)
  }

  /// Resets the statement, for a caller that does not read all rows of the result.
  package func reset() {
    unsafe sqlite3_reset(handle)
    scratchUsed = 0
  }

  private func failure(_ result: Int32) -> DatabaseError {
    let connection = unsafe sqlite3_db_handle(handle)
    let code = unsafe sqlite3_extended_errcode(connection)
    let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
    unsafe sqlite3_reset(handle)
    scratchUsed = 0
    bindResult = SQLITE_OK
    return DatabaseError(
      resultCode: ResultCode(rawValue: code == SQLITE_OK ? result : code),
      message: "\(name): \(message ?? "no message")")
  }
}
