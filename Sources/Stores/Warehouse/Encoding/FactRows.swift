/// Encoded rows of facts, each with its table, sort key and record.
@safe
struct FactRows: ~Copyable {
  /// A row, as positions in the buffer of encoded bytes.
  struct Row {
    var table: FactTable
    /// The offset of the row's sort key in the buffer; the record follows the sort key.
    fileprivate var start: Int
    fileprivate var record: Int
    fileprivate var end: Int
  }

  private var bytes = ByteSink(capacity: 1 << 16)
  /// The rows, in the order in which they were encoded.
  private(set) var rows: [Row] = []
  /// The sum of the rows' digests.
  private(set) var digest = ContentDigest()

  mutating func removeAll() {
    bytes.truncate(to: 0)
    rows.removeAll(keepingCapacity: true)
    digest = ContentDigest()
  }

  mutating func add(
    _ table: FactTable, key: UnsafeRawBufferPointer, record values: UnsafeRawBufferPointer,
    digest: ContentDigest
  ) {
    let start = bytes.count
    bytes.append(table.rawValue)
    unsafe bytes.append(key)
    let record = bytes.count
    unsafe bytes.append(values)
    rows.append(Row(table: table, start: start, record: record, end: bytes.count))
    self.digest.add(digest)
  }

  /// The sort key of a row: the number of its table, then its primary key in byte order.
  func key(_ row: Row) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: bytes.written[row.start..<row.record])
  }

  /// The row's encoded values, in the order of the table's columns.
  ///
  /// If the primary key is one whole number, NULL replaces it in the record; the number is in the
  /// sort key.
  func record(_ row: Row) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: bytes.written[row.record..<row.end])
  }
}

/// Encodes primary keys as bytes, so that the bytes sort in the order of the keys.
enum SortKey {
  @inline(__always)
  static func append(_ value: Int64, to key: inout ByteSink) {
    key.appendBigEndian(UInt64(bitPattern: value) ^ 1 << 63, bytes: 8)
  }

  /// Ends a text in a key with a zero byte, so that a text precedes all longer texts that begin
  /// with its bytes.
  @inline(__always)
  static func endText(_ key: inout ByteSink) { key.append(0) }

  /// Reads the whole number in a sort key, after the byte for the table.
  static func number(_ key: UnsafeRawBufferPointer) -> Int64 {
    let bits = unsafe key.loadUnaligned(fromByteOffset: 1, as: UInt64.self)
    return Int64(bitPattern: UInt64(bigEndian: bits) ^ 1 << 63)
  }
}
