/// A JSON text in memory, followed by the padding that ``JSONCursor`` requires.
package struct PaddedText {
  private var bytes: [UInt8] = []
  package private(set) var count = 0

  /// Creates an empty text; ``fill(_:)`` adds the content.
  package init() {}

  /// Creates a copy of a text.
  package init(_ text: Span<UInt8>) {
    fill { bytes in
      bytes.reserveCapacity(text.count + JSONCursor.padding)
      unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
  }

  /// Replaces the text by the bytes that `append` adds to an empty array.
  ///
  /// The memory of the previous text is reused.
  package mutating func fill<Value>(_ append: (inout [UInt8]) -> Value) -> Value {
    bytes.removeAll(keepingCapacity: true)
    let value = append(&bytes)
    count = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: JSONCursor.padding))
    return value
  }

  /// The bytes of a part of the text.
  package func bytes(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

  /// Passes a cursor on the text to `body`.
  package func read<Value, Fault: Error>(
    _ body: (inout JSONCursor) throws(Fault) -> Value
  ) throws(Fault) -> Value {
    try unsafe bytes.withUnsafeBufferPointer { buffer throws(Fault) in
      guard let base = buffer.baseAddress else {
        preconditionFailure("a padded text is never empty")
      }
      var cursor = unsafe JSONCursor(base, count: count)
      return try body(&cursor)
    }
  }
}
