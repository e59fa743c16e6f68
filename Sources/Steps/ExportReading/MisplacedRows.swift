internal import Diagnostics

/// Rows of an answer in an unexpected place: under a key that Apple does not have.
extension RecordReader {
  /// Whether a record that gave no row holds some all the same.
  ///
  /// Example:
  /// `{"response":{"status":0,"receipt":{"in_app":[]},"latest_receipts":[{"transaction_id":
  /// "1000000831360853",…}]}}`. Used as it stands it would be a customer who bought nothing. Values
  /// around an answer belong to its owner and are not rows of it.
  func hasMisplacedRows(_ record: JSONCursor) -> Bool {
    switch draft.status {
    case nil, 0, 21006: break
    default: return false
    }
    var cursor = record
    return (try? holdsMisplacedRows(&cursor)) ?? false
  }

  private func holdsMisplacedRows(_ cursor: inout JSONCursor) throws(JSONFault) -> Bool {
    guard cursor.byte(at: cursor.position) == Byte.openBrace else { return false }
    try cursor.enter(1)
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      let key = receiptTables.record.key(name, in: cursor)
      var value = cursor
      try cursor.skipValue(level: 1)
      guard key != .priceReport, key == .response || !draft.hasInnerResponse else { continue }
      if try value.holdsRow(depth: 2, end: cursor.position) { return true }
    }
    return false
  }
}

extension JSONCursor {
  /// Whether an object in the value from the position to an end names a transaction.
  fileprivate mutating func holdsRow(depth: Int, end: Int) throws(JSONFault) -> Bool {
    guard depth < 8 else { return false }
    var isFirst = true
    switch byte(at: position) {
    case Byte.quote: return holdsRowAsText(until: end)
    case Byte.openBrace:
      try enter(depth)
      while let name = try nextKey(isFirst: &isFirst) {
        if Self.rowKeys.contains(text(of: name)) { return true }
        if try memberHoldsRow(depth: depth) { return true }
      }
    case Byte.openBracket:
      try enter(depth)
      while try nextElement(isFirst: &isFirst) {
        if try memberHoldsRow(depth: depth) { return true }
      }
    default: break
    }
    return false
  }

  /// The keys by which Apple, or a Swift program, names a transaction.
  private static let rowKeys: Set<String> = ["transaction_id", "transactionId", "transactionID"]

  private mutating func memberHoldsRow(depth: Int) throws(JSONFault) -> Bool {
    var value = self
    try skipValue(level: depth)
    return try value.holdsRow(depth: depth + 1, end: position)
  }

  /// Whether a text of JSON has such a key, whose quotes are escaped there.
  private func holdsRowAsText(until end: Int) -> Bool {
    guard end - position > 20 else { return false }
    let bytes = (position..<end).map { byte(at: $0) }
    return Self.rowKeys.contains { bytes.contains(Array("\\\"\($0)\\\"".utf8)) }
  }
}
