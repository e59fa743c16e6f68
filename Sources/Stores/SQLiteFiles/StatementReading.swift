internal import GRDBSQLite

extension RawStatement {
  /// The number of columns in the result; 0 for a statement that returns no rows.
  package var columnCount: Int32 { unsafe sqlite3_column_count(handle) }

  /// The whole number in a column; 0 for NULL.
  @inline(__always)
  package func int64(_ column: Int32) -> Int64 {
    unsafe sqlite3_column_int64(handle, column)
  }

  /// Returns true if a column of the current row is NULL; columns are numbered from 0.
  @inline(__always)
  package func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// Returns true if a column of the current row holds a whole number.
  @inline(__always)
  package func isInteger(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER
  }

  /// Returns true if a column of the current row holds a text.
  @inline(__always)
  package func isText(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT
  }

  /// The whole number in a column; `nil` for NULL.
  @inline(__always)
  package func optionalInt64(_ column: Int32) -> Int64? {
    isNull(column) ? nil : int64(column)
  }

  /// The text in a column; empty for NULL.
  package func text(_ column: Int32) -> String {
    unsafe withBytes(column) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// The text in a column; `nil` for NULL.
  package func optionalText(_ column: Int32) -> String? {
    isNull(column) ? nil : text(column)
  }

  /// Calls a function with the bytes of a text or blob, without a copy.
  @inline(__always)
  package func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result)
    rethrows -> Result
  {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return try unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// Calls a function with a span over the bytes of a text or blob, without a copy.
  @inline(__always)
  package func withSpan<Result>(_ column: Int32, _ body: (Span<UInt8>) throws -> Result) rethrows
    -> Result
  {
    try unsafe withBytes(column) { bytes in
      try unsafe bytes.withMemoryRebound(to: UInt8.self) { try unsafe body($0.span) }
    }
  }
}
