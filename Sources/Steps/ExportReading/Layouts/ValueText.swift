/// The values of one record, one behind another in one text.
///
/// A value may come from the record, from JSON text inside of it, or from the cell of a table. In
/// this text all are read in the same way.
struct ValueText {
  private var bytes: [UInt8] = []
  private(set) var count = 0

  /// Adds a value, and returns the position at which it begins.
  @inline(__always) mutating func append(_ value: Span<UInt8>) -> Int {
    truncate(to: count)
    let start = count
    unsafe value.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    count = bytes.count
    return start
  }

  /// Adds a zero byte, which JSON never has, so that no value runs into the next one.
  mutating func endValue() {
    bytes.append(0)
    count = bytes.count
  }

  /// Replaces all values by those of another text, and keeps the memory.
  mutating func replaceAll(by other: ValueText) {
    bytes.removeAll(keepingCapacity: true)
    bytes += other.bytes
    count = other.count
  }

  /// Removes all values that begin at a position or after it.
  @inline(__always) mutating func truncate(to end: Int) {
    if bytes.count > end { bytes.removeSubrange(end...) }
    count = end
  }

  /// Adds the bytes that ``JSONCursor`` may read behind the text; nothing is read without them.
  mutating func pad() {
    guard bytes.count == count else { return }
    bytes.append(contentsOf: repeatElement(0, count: JSONCursor.padding))
  }

  /// Passes a cursor on the padded text to `body`.
  func read<Value, Fault: Error>(
    _ body: (JSONCursor) throws(Fault) -> Value
  ) throws(Fault) -> Value {
    precondition(bytes.count == count + JSONCursor.padding, "a text is padded before it is read")
    return unsafe try bytes.withUnsafeBufferPointer { buffer throws(Fault) in
      guard let base = buffer.baseAddress else {
        preconditionFailure("a padded text is never empty")
      }
      return try body(unsafe JSONCursor(base, count: count))
    }
  }
}
