internal import Diagnostics
internal import PurchaseModel

/// Reads objects that a record contains as JSON text inside a string.
extension RecordReader {
  /// Reads `response` or `unified_receipt`: an object, as JSON or as JSON text in a string.
  ///
  /// `response` may also be a list of rows.
  mutating func readResponse(
    under key: String, depth: ResponseDepth, _ cursor: inout JSONCursor, level: Int
  ) throws(JSONFault) {
    guard cursor.byte(at: cursor.position) == Byte.quote else {
      return try readUnquotedResponse(under: key, depth: depth, &cursor, level: level)
    }
    let text = try cursor.readString()
    try readResponse(inText: text, of: cursor, under: key, depth: depth, level: level)
  }

  /// Reads a response that is JSON text in a string.
  mutating func readResponse(
    inText text: Scalar, of cursor: JSONCursor, under key: String, depth: ResponseDepth, level: Int
  ) throws(JSONFault) {
    try readEmbedded(text, of: cursor, key: key) { (reader, inner) throws(JSONFault) in
      try reader.readUnquotedResponse(under: key, depth: depth, &inner, level: level)
      return true
    }
  }

  private mutating func readUnquotedResponse(
    under key: String, depth: ResponseDepth, _ cursor: inout JSONCursor, level: Int
  ) throws(JSONFault) {
    if depth == .response, cursor.beginsObjectList() {
      guard !isPriceLog(cursor, level: level) else {
        throw JSONFault(reason: .notAReceipt, offset: 0)
      }
      return try readRows(&cursor, list: "response", rank: .latest, level: level)
    }
    try expect(Byte.openBrace, cursor, key: key)
    let start = cursor
    var bank = FieldBank<ReceiptKey>()
    try readResponse(&cursor, bank: &bank, depth: depth, level: level)
    try readBareRow(start, under: "response", level: level)
  }

  /// Reads a list that is JSON text in a string, as in a text column of a table.
  ///
  /// An empty text is an empty list. Text that is not a list is recorded as a fault; the other
  /// values of the record are used.
  mutating func readEntries(
    inTextAt cursor: inout JSONCursor, of list: EntryList, level: Int
  ) throws(JSONFault) {
    let text = try cursor.readString()
    guard text.length > 0 else { return }
    try readEmbedded(text, of: cursor, key: list.name.description) {
      (reader, inner) throws(JSONFault) in
      guard inner.beginsObjects() else {
        reader.notePartFault(of: list, index: nil)
        return false
      }
      try reader.readEntries(&inner, of: list, level: level)
      return true
    }
  }

  /// Reads JSON text in a string.
  ///
  /// `read` reads the value in the text and returns true; then only blanks may follow the value. If
  /// `read` returns false, the rest of the text is not validated.
  mutating func readEmbedded(
    _ scalar: Scalar, of cursor: JSONCursor, key: String,
    _ read: (inout RecordReader, inout JSONCursor) throws(JSONFault) -> Bool
  ) throws(JSONFault) {
    // The buffer is moved out during use, and moved back for the next record.
    var text = PaddedText()
    swap(&text, &innerText)
    defer { swap(&text, &innerText) }
    text.fill { cursor.unescape(scalar, into: &$0) }
    if let again = text.textInQuotes() { text = again }
    try text.read { inner throws(JSONFault) in
      do throws(JSONFault) {
        inner.skipBlanks()
        guard try read(&self, &inner) else { return }
        guard inner.isAtEndOfText() else { throw inner.invalid() }
      } catch {
        throw error.within(key)
      }
    }
  }
}

extension PaddedText {
  /// Decodes a text that is JSON text in quotation marks, so that it is encoded twice.
  ///
  /// Example: `"{\"status\":0}"` → `{"status":0}`. `nil` for any other text.
  func textInQuotes() -> PaddedText? {
    read { cursor in
      cursor.skipBlanks()
      return cursor.textInQuotes()
    }
  }
}

extension JSONCursor {
  /// Decodes an object that is JSON text in quotation marks; `nil` for any other value.
  func textInQuotes() -> PaddedText? {
    var cursor = self
    guard byte(at: position) == Byte.quote, byte(at: position + 1) == Byte.openBrace,
      byte(at: position + 2) == Byte.backslash, let text = try? cursor.readString(),
      cursor.isAtEndOfText()
    else { return nil }
    var decoded = PaddedText()
    decoded.fill { cursor.unescape(text, into: &$0) }
    return decoded
  }

  /// Skips an empty array, object or text, which some programs write for an absent value.
  ///
  /// Returns `false` for any other value, without reading it.
  mutating func passesEmptyValue() throws(JSONFault) -> Bool {
    let close: UInt8
    switch byte(at: position) {
    case Byte.quote: close = Byte.quote
    case Byte.openBracket: close = Byte.closeBracket
    case Byte.openBrace: close = Byte.closeBrace
    default: return false
    }
    var ahead = self
    ahead.position += 1
    if close != Byte.quote { ahead.skipBlanks() }
    guard ahead.byte(at: ahead.position) == close else { return false }
    ahead.position += 1
    self = ahead
    return true
  }

  /// Skips the value of an unknown key; returns true if the value may contain Apple's data.
  ///
  /// True for an object or list that is not empty, and for a string that begins with `{` or `[`.
  mutating func skipForeignValue(level: Int) throws(JSONFault) -> Bool {
    if try passesEmptyValue() { return false }
    let first = byte(at: position)
    let inner = first == Byte.quote ? byte(at: position + 1) : first
    try skipValue(level: level)
    return inner == Byte.openBrace || inner == Byte.openBracket
  }

  /// Returns true if an array begins here, with an object as its first element.
  func beginsObjectList() -> Bool {
    guard byte(at: position) == Byte.openBracket else { return false }
    var ahead = self
    ahead.position += 1
    ahead.skipBlanks()
    return ahead.byte(at: ahead.position) == Byte.openBrace
  }

  /// Returns true if an object or a list of objects begins here; the list may be empty.
  ///
  /// Only the first element of a list is examined.
  fileprivate func beginsObjects() -> Bool {
    guard byte(at: position) == Byte.openBracket else {
      return byte(at: position) == Byte.openBrace
    }
    var ahead = self
    ahead.position += 1
    ahead.skipBlanks()
    let first = ahead.byte(at: ahead.position)
    return first == Byte.openBrace || first == Byte.closeBracket
  }
}
