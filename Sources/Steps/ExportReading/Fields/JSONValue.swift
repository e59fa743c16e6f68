internal import Diagnostics

/// One value of a record, classified by its first bytes and keys.
struct JSONValue {
  /// A cursor at the first byte of the value.
  let start: JSONCursor
  /// The length of the value in bytes.
  let length: Int

  /// Whether the value is the text of a table's cell, without quotation marks.
  let isCell: Bool

  init(_ start: JSONCursor, end: Int, isCell: Bool = false) {
    self.start = start
    self.isCell = isCell
    length = end - start.position
  }

  var first: UInt8 { start.byte(at: start.position) }

  var isText: Bool { isCell || first == Byte.quote }

  /// Whether the value is a JWS: a header that begins with `{"`, a payload and a signature, all in
  /// base64url.
  var isSigned: Bool { isText && SignedText.isOne(start, content) }

  /// Whether the value is base64 text that is long enough for a receipt, by its first characters.
  var isBase64: Bool {
    isText && length > 64
      && content.prefix(256).allSatisfy { SignedText.isBase64(start.byte(at: $0)) }
  }

  /// Whether the value is a verifyReceipt response or a notification of version 1, as an object or
  /// as JSON text.
  var holdsAnswer: Bool {
    if first == Byte.openBrace {
      var cursor = start
      return (try? cursor.holdsAnswerKeys()) ?? false
    }
    return beginsWithOne(of: [
      "latest_receipt_info", "in_app", "unified_receipt", "\\\"receipt\\\"", "\\\"status\\\"",
    ])
  }

  /// Returns true if the value is JSON text of an object that has any of the given keys.
  func holds(_ keys: Set<String>) -> Bool {
    beginsWithOne(of: keys.map { "\\\"\($0)\\\"" })
  }

  /// Returns true if the value is JSON text of an object, and contains any of the given texts near
  /// its beginning.
  private func beginsWithOne(of texts: [String]) -> Bool {
    guard isText, length > 20, start.byte(at: content.lowerBound) == Byte.openBrace else {
      return false
    }
    let beginning = content.prefix(4096)
    return texts.contains { start.contains(Array($0.utf8), in: beginning) }
  }

  /// The range of the bytes between the quotes of a string, or of the bytes of a cell.
  var content: Range<Int> {
    isCell
      ? start.position..<start.position + length
      : start.position + 1..<max(start.position + 1, start.position + length - 1)
  }
}

extension JSONCursor {
  /// The text of a key, without resolving escapes.
  func text(of name: Scalar) -> String {
    unsafe String(decoding: bytes(name), as: UTF8.self)
  }

  /// Returns true if the object at the position has a key of Apple's responses.
  fileprivate mutating func holdsAnswerKeys() throws(JSONFault) -> Bool {
    let answers: Set<String> = [
      "latest_receipt_info", "pending_renewal_info", "unified_receipt", "in_app",
      "latest_expired_receipt_info",
    ]
    try enter(1)
    var isFirst = true
    var hasStatus = false
    var hasReceipt = false
    while let name = try nextKey(isFirst: &isFirst) {
      let key = text(of: name)
      let first = byte(at: position)
      try skipValue(level: 1)
      if answers.contains(key) { return true }
      if key == "status" { hasStatus = first != Byte.openBrace }
      if key == "receipt" { hasReceipt = first == Byte.openBrace }
    }
    return hasStatus && hasReceipt
  }

  /// Returns true if the object at the position has any of the given keys.
  mutating func hasKey(of keys: Set<String>) throws(JSONFault) -> Bool {
    try enter(1)
    var isFirst = true
    while let name = try nextKey(isFirst: &isFirst) {
      if keys.contains(text(of: name)) { return true }
      try skipValue(level: 1)
    }
    return false
  }

  /// Finds the first key of Apple's rows that a Swift program has renamed; `nil` if there is none.
  ///
  /// Example: `transactionId` for `transaction_id`. The cursor stops after this key. Without such a
  /// key, the cursor skips the whole value. `depth` is the nesting depth of the value.
  mutating func firstForeignRowKey(depth: Int) throws(JSONFault) -> ForeignRowKey? {
    var isFirst = true
    switch byte(at: position) {
    case Byte.openBrace:
      try enter(depth)
      while let name = try nextKey(isFirst: &isFirst) {
        if let key = ForeignRowKey.all.first(where: { $0.isKey(name, in: self) }) { return key }
        if let found = try firstForeignRowKey(depth: depth + 1) { return found }
      }
    case Byte.openBracket:
      try enter(depth)
      while try nextElement(isFirst: &isFirst) {
        if let found = try firstForeignRowKey(depth: depth + 1) { return found }
      }
    default: try skipValue(level: depth)
    }
    return nil
  }
}

/// A key of Apple's rows that Swift programs often rename.
struct ForeignRowKey {
  /// The key in the Swift program, such as `transactionId`.
  let own: StaticString
  /// Apple's key, such as `transaction_id`.
  let standard: StaticString

  static let all = [
    ForeignRowKey(own: "transactionId", standard: "transaction_id"),
    ForeignRowKey(own: "transactionID", standard: "transaction_id"),
    ForeignRowKey(own: "originalTransactionId", standard: "original_transaction_id"),
    ForeignRowKey(own: "productId", standard: "product_id"),
    ForeignRowKey(own: "productID", standard: "product_id"),
    ForeignRowKey(own: "purchaseDate", standard: "purchase_date"),
    ForeignRowKey(own: "purchaseDateMs", standard: "purchase_date_ms"),
  ]

  /// Returns true if a key in the text equals ``own``.
  func isKey(_ name: Scalar, in cursor: JSONCursor) -> Bool {
    guard Int(name.length) == own.utf8CodeUnitCount else { return false }
    return (0..<own.utf8CodeUnitCount).allSatisfy { index in
      unsafe own.utf8Start[index] == cursor.byte(at: Int(name.start) + index)
    }
  }
}

/// Recognizes a JWS: three parts in base64url, separated by dots.
enum SignedText {
  /// Returns true if a part of a text is a JWS whose header begins with `{"`.
  static func isOne(_ text: JSONCursor, _ range: Range<Int>) -> Bool {
    guard range.count > 40, text.word(at: range.lowerBound) & 0xFF_FFFF == 0x4A_7965 else {
      return false  // eyJ
    }
    var points: [Int] = []
    for position in range {
      let byte = text.byte(at: position)
      if byte == UInt8(ascii: ".") {
        // For an empty part, start and end are equal.
        let partStart = (points.last ?? -1) + 1
        guard points.count < 2, position > partStart else { return false }
        points.append(position)
      } else if !isBase64(byte) {
        return false
      }
    }
    return points.count == 2 && points[1] < range.upperBound - 1
  }

  /// Returns true if a byte belongs to either alphabet of base64, or is padding.
  static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
      UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
