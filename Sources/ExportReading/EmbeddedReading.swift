internal import PurchaseModel

/// Objects that stand as JSON text inside a string of another.
extension RecordReader {
  /// Reads `response`: an object, or the same as JSON text inside a string.
  mutating func readInnerResponse(
    _ cursor: inout JSONCursor, level: Int
  ) throws(JSONFault) {
    var bank = FieldBank<ReceiptKey>()
    guard cursor.byte(at: cursor.position) == Byte.quote else {
      try expect(Byte.openBrace, cursor, key: "response")
      try readResponse(&cursor, bank: &bank, depth: .response, level: level)
      return
    }
    try readEmbedded(try cursor.readString(), of: cursor, key: "response") {
      (reader, inner) throws(JSONFault) in
      try reader.readResponse(&inner, bank: &bank, depth: .response, level: level)
    }
  }

  /// Reads an object that stands as JSON text inside a string.
  mutating func readEmbedded(
    _ scalar: Scalar, of cursor: JSONCursor, key: String,
    _ read: (inout RecordReader, inout JSONCursor) throws(JSONFault) -> Void
  ) throws(JSONFault) {
    // Taken out while it is read, and put back for the next record.
    var text: [UInt8] = []
    swap(&text, &innerText)
    defer { swap(&text, &innerText) }
    text.removeAll(keepingCapacity: true)
    cursor.unescape(scalar, into: &text)
    let count = text.count
    text.append(contentsOf: repeatElement(0, count: JSONCursor.padding))
    unsafe try text.withUnsafeBufferPointer { buffer throws(JSONFault) in
      guard let base = buffer.baseAddress else { return }
      var inner = unsafe JSONCursor(base, count: count)
      do throws(JSONFault) {
        inner.skipBlanks()
        try expect(Byte.openBrace, inner, key: key)
        try read(&self, &inner)
        guard inner.isAtEndOfText() else { throw inner.invalid() }
      } catch {
        throw error.key.isEmpty
          ? JSONFault(reason: error.reason, offset: error.offset, key: key) : error
      }
    }
  }
}
