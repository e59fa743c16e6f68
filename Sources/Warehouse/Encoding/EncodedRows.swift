/// Finished rows of one table: their keys, records, end to end, and digest.
@safe
struct EncodedRows: ~Copyable {
  /// The primary keys, where they are whole numbers; empty for other tables.
  private(set) var keys: [Int64] = []
  private var records = ByteSink(capacity: 1 << 20)
  private var ends: [Int] = []
  /// The sum of the rows' hashes.
  var digest = ContentDigest()

  /// How many rows there are.
  var count: Int { ends.count }

  /// Adds a row from the two parts of its record.
  mutating func add(
    header: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, key: Int64?
  ) {
    // The header's own length counts itself: one byte up to 127, two above.
    let length = header.count + (header.count < 0x7F ? 1 : header.count < 0x3FFE ? 2 : 3)
    records.appendVarint(UInt64(length))
    unsafe records.append(header)
    unsafe records.append(body)
    ends.append(records.count)
    if let key { keys.append(key) }
  }

  /// A row's primary key, where it is a whole number.
  @inline(__always)
  func key(_ row: Int) -> Int64? {
    keys.isEmpty ? nil : keys[row]
  }

  /// A row's record.
  @inline(__always)
  func record(_ row: Int) -> UnsafeRawBufferPointer {
    let start = row == 0 ? 0 : ends[row - 1]
    return unsafe UnsafeRawBufferPointer(rebasing: records.written[start..<ends[row]])
  }
}

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

  /// What a column holds.
  @unsafe enum Value {
    case null
    case integer(Int64)
    case text(UnsafeRawBufferPointer)
  }

  /// Where the header's first type stands.
  var headerStart: Int { header }

  /// Where the next value of the body stands.
  var bodyPosition: Int { body }

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
