internal import PurchaseModel

/// Encoded rows of facts, each with its table, chain, sort key and record.
@safe
struct FactRows: ~Copyable {
  /// A row, as a range of the bytes.
  struct Row {
    var table: FactTable
    /// The chain of the row.
    ///
    /// For a row of a household, its first chain.
    var chain: ChainKey
    /// A hash of the row's content and provenance, to compare rows with equal keys in one table.
    var hash: UInt64
    /// The start of the sort key; the record follows the sort key.
    fileprivate var start: Int
    fileprivate var record: Int
    fileprivate var end: Int
  }

  private var bytes = ByteSink(capacity: 1 << 16)
  /// The rows, in the order in which they were encoded.
  private(set) var rows: [Row] = []
  /// The sum of the rows' digests.
  private(set) var digest = ContentDigest()

  /// Removes all rows but keeps the capacity.
  mutating func removeAll() {
    bytes.truncate(to: 0)
    rows.removeAll(keepingCapacity: true)
    digest = ContentDigest()
  }

  mutating func add(
    _ table: FactTable, chain: ChainKey, key: UnsafeRawBufferPointer,
    record values: UnsafeRawBufferPointer, digest: ContentDigest, hash: UInt64
  ) {
    let start = bytes.count
    bytes.append(table.rawValue)
    unsafe bytes.append(key)
    let record = bytes.count
    unsafe bytes.append(values)
    rows.append(
      Row(
        table: table, chain: chain, hash: hash, start: start, record: record, end: bytes.count))
    self.digest.add(digest)
  }

  /// The sort key of a row: its table, then its primary key in byte order.
  func key(_ row: Row) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: bytes.written[row.start..<row.record])
  }

  /// The row's values, without a primary key that is a whole number; that key is in the sort key.
  func record(_ row: Row) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: bytes.written[row.record..<row.end])
  }
}

/// Encodes primary keys as bytes with the same order.
enum SortKey {
  /// Appends a whole number.
  @inline(__always)
  static func append(_ value: Int64, to key: inout ByteSink) {
    key.appendBigEndian(UInt64(bitPattern: value) ^ 1 << 63, bytes: 8)
  }

  /// Ends a text with a byte that is smaller than every byte in a text.
  @inline(__always)
  static func endText(_ key: inout ByteSink) { key.append(0) }

  /// The whole number in a sort key.
  static func number(_ key: UnsafeRawBufferPointer) -> Int64 {
    let bits = unsafe key.loadUnaligned(fromByteOffset: 1, as: UInt64.self)
    return Int64(bitPattern: UInt64(bigEndian: bits) ^ 1 << 63)
  }
}
