/// A record taken apart: SQLite's file format, section 2.1.
@safe
struct RecordCursor {
  private let record: UnsafeRawBufferPointer
  private var header: Int
  private let headerEnd: Int
  private var body: Int

  /// The values of a record, from the first on.
  @inline(__always)
  init(_ record: UnsafeRawBufferPointer) {
    unsafe self.record = record
    let (length, start) = unsafe Varint.read(record, at: 0)
    header = start
    headerEnd = Int(length)
    body = headerEnd
  }

  /// The value of a column.
  @unsafe enum Value {
    case null
    case integer(Int64)
    case text(UnsafeRawBufferPointer)
  }

  /// The next column's value; `nil` after the last.
  @inline(__always)
  mutating func next() -> Value? {
    guard header < headerEnd else { return nil }
    let (type, end) = unsafe Varint.read(record, at: header)
    header = end
    let width = SerialType.width(of: type)
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: record[body..<body + width])
    body += width
    switch type {
    case 0: return unsafe .null
    case 8: return unsafe .integer(0)
    case 9: return unsafe .integer(1)
    case 1...6:
      var value = unsafe Int64(Int8(bitPattern: bytes[0]))
      for index in 1..<max(width, 1) { value = unsafe value << 8 | Int64(bytes[index]) }
      return unsafe .integer(value)
    default: return unsafe .text(bytes)
    }
  }
}
