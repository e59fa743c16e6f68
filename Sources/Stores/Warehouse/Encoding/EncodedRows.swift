/// Encoded rows of one table: their keys and records, one after another.
@safe
struct EncodedRows: ~Copyable {
  /// The primary keys; empty for a table whose primary key is not one whole number.
  private(set) var keys: [Int64] = []
  private var records = ByteSink(capacity: 1 << 18)
  private var ends: [Int] = []

  var count: Int { ends.count }

  mutating func removeAll() {
    keys.removeAll(keepingCapacity: true)
    records.truncate(to: 0)
    ends.removeAll(keepingCapacity: true)
  }

  mutating func add(_ record: UnsafeRawBufferPointer, key: Int64?) {
    unsafe records.append(record)
    ends.append(records.count)
    if let key { keys.append(key) }
  }

  /// The primary key of a row; `nil` for a table whose primary key is not one whole number.
  @inline(__always)
  func key(_ row: Int) -> Int64? {
    keys.isEmpty ? nil : keys[row]
  }

  @inline(__always)
  func record(_ row: Int) -> UnsafeRawBufferPointer {
    let start = row == 0 ? 0 : ends[row - 1]
    return unsafe UnsafeRawBufferPointer(rebasing: records.written[start..<ends[row]])
  }
}
