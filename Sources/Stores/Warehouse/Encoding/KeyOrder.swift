internal import Diagnostics
internal import Glibc

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
