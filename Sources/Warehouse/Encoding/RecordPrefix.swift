internal import Diagnostics
internal import Glibc

/// What an index holds of a row: a record of its first columns and its number.
enum RecordPrefix {
  /// Appends the entry of a row.
  static func append(
    _ record: UnsafeRawBufferPointer, columns: Int, row: Int64, to sink: inout ByteSink
  ) {
    let (headerEnd, start) = unsafe Varint.read(record, at: 0)
    var types = start
    var body = 0
    for _ in 0..<columns {
      let (type, end) = unsafe Varint.read(record, at: types)
      types = end
      body += SerialType.width(of: type)
    }
    let number = SerialType(integer: row)
    // Columns of a key are short: their types take fewer than 127 bytes.
    sink.append(UInt8(types - start + 2))
    unsafe sink.append(UnsafeRawBufferPointer(rebasing: record[start..<types]))
    sink.append(number.code)
    let bodyStart = Int(headerEnd)
    unsafe sink.append(UnsafeRawBufferPointer(rebasing: record[bodyStart..<bodyStart + body]))
    sink.appendBigEndian(UInt64(bitPattern: row), bytes: number.width)
  }
}

/// The order of rows by a primary key of several columns or of texts.
enum KeyOrder {
  /// Whether the first columns of a record come before, equal or after those of another.
  static func compare(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, columns: Int
  ) -> Int {
    var left = unsafe RecordCursor(left)
    var right = unsafe RecordCursor(right)
    for _ in 0..<columns {
      let order = unsafe compare(left.next(), right.next())
      if order != 0 { return order }
    }
    return 0
  }

  private static func compare(_ left: RecordCursor.Value?, _ right: RecordCursor.Value?) -> Int {
    switch unsafe (left, right) {
    case (.integer(let left), .integer(let right)): return left < right ? -1 : left > right ? 1 : 0
    case (.text(let left), .text(let right)): return unsafe compare(left, right)
    case (.integer, .text): return -1
    case (.text, .integer): return 1
    default: preconditionFailure("a primary key holds no NULL")
    }
  }

  /// The byte order of two texts.
  static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let common = min(left.count, right.count)
    if common > 0, let first = left.baseAddress, let second = right.baseAddress {
      let order = unsafe memcmp(first, second, common)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }

  /// Makes sure that a row's key comes after the one before; nothing comes before the first.
  static func check(
    _ record: UnsafeRawBufferPointer, after last: [UInt8], columns: Int, in table: String
  ) throws {
    guard !last.isEmpty else { return }
    let order = unsafe last.withUnsafeBytes { unsafe compare($0, record, columns: columns) }
    guard order >= 0 else { return }
    throw RunFailure(
      .invariantBroken,
      "\(table): two rows have the same key, or stand in the wrong order. Nothing was published; "
        + "this is a bug, please report it.")
  }
}
