internal import SQLiteFiles
internal import Glibc

extension RawStatement {
  /// Binds the columns of a record to the parameters from 1 on.
  ///
  /// If the primary key is one whole number, the record has NULL in its place, and `key` is bound.
  @inline(__always)
  func bind(_ record: UnsafeRawBufferPointer, key: Int64?) {
    var values = unsafe RecordCursor(record)
    var parameter: Int32 = 0
    while let value = unsafe values.next() {
      parameter += 1
      if parameter == 1, let key, case .null = unsafe value {
        bind(key, at: 1)
      } else {
        unsafe bind(value, at: parameter)
      }
    }
  }

  /// Binds a value of a record; a text must stay valid until the statement has run.
  @inline(__always)
  func bind(_ value: RecordCursor.Value, at parameter: Int32) {
    switch unsafe value {
    case .null: bindNull(at: parameter)
    case .integer(let number): bind(number, at: parameter)
    case .text(let text): unsafe bind(borrowed: text, at: parameter)
    }
  }

  /// Returns true if a column of the current row has the given value, with equal type.
  @inline(__always)
  func holds(_ value: RecordCursor.Value, at column: Int32) -> Bool {
    switch unsafe value {
    case .null: isNull(column)
    case .integer(let number): isInteger(column) && int64(column) == number
    case .text(let text): unsafe isText(column) && withBytes(column) { unsafe $0.equals(text) }
    }
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let own = baseAddress, let others = other.baseAddress else { return true }
    return unsafe memcmp(own, others, count) == 0
  }
}
