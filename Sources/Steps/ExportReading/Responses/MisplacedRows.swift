internal import Diagnostics

/// Finds rows that are in a response, but under a key that Apple does not use.
extension RecordReader {
  /// Returns true if a record without usable rows has rows under a key that Apple does not use.
  ///
  /// Example:
  /// `{"response":{"status":0,"receipt":{"in_app":[]},"latest_receipts":[{"transaction_id":
  /// "1000000831360853",…}]}}`. Without this check the customer would seem to have no purchases.
  /// Values outside of the response belong to the owner's program and are not rows.
  ///
  /// Most customers have no purchases. Their records contain no key of a transaction id, so that
  /// one text search is enough for them.
  func hasMisplacedRows(_ record: JSONCursor) -> Bool {
    guard mayHaveRows, record.quotesTransactionKey(in: 0..<record.end) else { return false }
    var cursor = record
    return (try? holdsMisplacedRows(&cursor)) ?? false
  }

  /// Returns true if a found response without usable rows has such rows.
  func hasMisplacedRows(_ text: JSONCursor, in response: RecordFinder.Value) -> Bool {
    guard mayHaveRows, text.quotesTransactionKey(in: response.range) else { return false }
    var cursor = text
    cursor.position = response.range.lowerBound
    return response.isText || (try? cursor.findsRow(level: 1)) ?? false
  }

  private var mayHaveRows: Bool { [nil, 0, 21006].contains(draft.status) }

  private func holdsMisplacedRows(_ cursor: inout JSONCursor) throws(JSONFault) -> Bool {
    guard cursor.byte(at: cursor.position) == Byte.openBrace else { return false }
    try cursor.enter(1)
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      let key = receiptTables.record.key(name, in: cursor)
      guard key != .priceReport, key == .response || !draft.hasInnerResponse else {
        try cursor.skipValue(level: 1)
        continue
      }
      if try cursor.findsRow(level: 1) { return true }
    }
    return false
  }
}

extension JSONCursor {
  /// Skips a value up to the first object with a transaction id.
  ///
  /// The object may be JSON or JSON text.
  ///
  /// - Returns: True if there is such an object; if not, the whole value is skipped.
  fileprivate mutating func findsRow(level: Int) throws(JSONFault) -> Bool {
    var isFirst = true
    switch byte(at: position) {
    case Byte.quote:
      let text = try readString()
      let start = Int(text.start)
      return quotesTransactionKey(in: start..<start + Int(text.length))
    case Byte.openBrace:
      try enter(level + 1)
      while let name = try nextKey(isFirst: &isFirst) {
        if isTransactionKey(at: Int(name.start)) { return true }
        if try findsRow(level: level + 1) { return true }
      }
    case Byte.openBracket:
      try enter(level + 1)
      while try nextElement(isFirst: &isFirst) {
        if try findsRow(level: level + 1) { return true }
      }
    default: try skipValue(level: level)
    }
    return false
  }

  /// Returns true if a part of the text contains the quoted key of a transaction id.
  ///
  /// Base64 contains no quotes, so long receipts are skipped as fast as memory can be read.
  fileprivate func quotesTransactionKey(in range: Range<Int>) -> Bool {
    var offset = range.lowerBound
    while let quote = position(of: Byte.quote, in: offset..<range.upperBound) {
      offset = quote + 1
      if isTransactionKey(at: offset) { return true }
    }
    return false
  }

  /// Returns true if a transaction key begins at an offset: `transaction_id`, `transactionId` or
  /// `transactionID`, then a quote, escaped or not.
  @inline(__always) private func isTransactionKey(at offset: Int) -> Bool {
    guard word(at: offset) == 0x7463_6173_6E61_7274 else { return false }  // transact
    let length: Int
    switch word(at: offset + 8) & 0xFF_FFFF_FFFF {
    case 0x64_496E_6F69, 0x44_496E_6F69: length = 13  // ionId, ionID
    case 0x69_5F6E_6F69 where byte(at: offset + 13) == UInt8(ascii: "d"): length = 14  // ion_i
    default: return false
    }
    let next = byte(at: offset + length)
    return next == Byte.quote || next == Byte.backslash
  }
}
