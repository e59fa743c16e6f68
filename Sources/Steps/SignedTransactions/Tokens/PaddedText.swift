internal import ExportReading

/// A JSON text in memory that is followed by the zero bytes that ``JSONCursor`` reads beyond it.
struct PaddedText {
  private var bytes: [UInt8] = []
  private(set) var count = 0

  /// An empty text, to be filled by ``fill(_:)``.
  init() {}

  /// A copy of a text.
  init(_ text: Span<UInt8>) {
    fill { bytes in
      bytes.reserveCapacity(text.count + JSONCursor.padding)
      unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
  }

  /// Replaces the text: a function appends to an empty array whose memory is reused.
  mutating func fill<Value>(_ append: (inout [UInt8]) -> Value) -> Value {
    bytes.removeAll(keepingCapacity: true)
    let value = append(&bytes)
    count = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: JSONCursor.padding))
    return value
  }

  /// The bytes of a part of the text.
  func bytes(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

  /// Lets the text be read.
  func read<Value, Fault: Error>(_ body: (inout JSONCursor) throws(Fault) -> Value) throws(Fault)
    -> Value
  {
    try unsafe bytes.withUnsafeBufferPointer { buffer throws(Fault) in
      guard let base = buffer.baseAddress else {
        preconditionFailure("a padded text is never empty")
      }
      var cursor = unsafe JSONCursor(base, count: count)
      return try body(&cursor)
    }
  }
}
