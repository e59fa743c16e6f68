internal import Diagnostics

/// One value of a record, with the kind that its first bytes and keys show.
struct JSONValue {
  /// A cursor at its first byte.
  let start: JSONCursor
  /// The length in bytes.
  let length: Int

  init(_ start: JSONCursor, end: Int) {
    self.start = start
    length = end - start.position
  }

  /// Its first byte.
  var first: UInt8 { start.byte(at: start.position) }

  /// Whether it is a text.
  var isText: Bool { first == Byte.quote }

  /// Whether it is a signed text (JWS): a header `{"…`, a payload and a signature in base64url.
  var isSigned: Bool { isText && SignedText.isOne(textBytes) }

  /// Whether it is a text of base64 that is long enough for a receipt.
  var isBase64: Bool {
    isText && length > 64 && textBytes.allSatisfy { SignedText.isBase64($0) }
  }

  /// Whether it is an answer of verifyReceipt or a notification of version 1, or the same as text.
  var holdsAnswer: Bool {
    if first == Byte.openBrace {
      var cursor = start
      return (try? cursor.holdsAnswerKeys()) ?? false
    }
    guard isText, length > 20 else { return false }
    let text = textBytes.prefix(4096)
    return text.first == Byte.openBrace
      && ["latest_receipt_info", "in_app", "unified_receipt", "\\\"receipt\\\"", "\\\"status\\\""]
        .contains { text.contains(Array($0.utf8)) }
  }

  /// Whether it is a text of JSON that begins as an object and has one of some keys.
  func holds(_ keys: Set<String>) -> Bool {
    guard isText, length > 20 else { return false }
    let text = textBytes.prefix(4096)
    return text.first == Byte.openBrace
      && keys.contains { text.contains(Array("\\\"\($0)\\\"".utf8)) }
  }

  private var textBytes: [UInt8] {
    (1..<max(1, length - 1)).map { start.byte(at: start.position + $0) }
  }
}

extension JSONCursor {
  /// The bytes of a key as a text, with its escapes.
  func text(of name: Scalar) -> String {
    unsafe String(decoding: bytes(name), as: UTF8.self)
  }

  /// Whether the object at the position has a key that Apple's answers have.
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

  /// Whether the object at the position has one of some keys.
  mutating func hasKey(of keys: Set<String>) throws(JSONFault) -> Bool {
    try enter(1)
    var isFirst = true
    while let name = try nextKey(isFirst: &isFirst) {
      if keys.contains(text(of: name)) { return true }
      try skipValue(level: 1)
    }
    return false
  }

  /// The first key in the value at the position that Swift programs use for a column of a row.
  mutating func firstForeignRowKey(depth: Int) throws(JSONFault) -> (
    key: String, standard: String
  )? {
    let standards = [
      "transactionId": "transaction_id", "transactionID": "transaction_id",
      "originalTransactionId": "original_transaction_id", "productId": "product_id",
      "productID": "product_id", "purchaseDate": "purchase_date",
      "purchaseDateMs": "purchase_date_ms",
    ]
    guard depth < 8 else { return nil }
    var isFirst = true
    switch byte(at: position) {
    case Byte.openBrace:
      try enter(depth)
      while let name = try nextKey(isFirst: &isFirst) {
        let key = text(of: name)
        if let standard = standards[key] { return (key, standard) }
        var ahead = self
        if let found = try ahead.firstForeignRowKey(depth: depth + 1) { return found }
        try skipValue(level: depth)
      }
    case Byte.openBracket:
      try enter(depth)
      while try nextElement(isFirst: &isFirst) {
        var ahead = self
        if let found = try ahead.firstForeignRowKey(depth: depth + 1) { return found }
        try skipValue(level: depth)
      }
    default: break
    }
    return nil
  }
}

/// Texts that Apple signs: three parts in base64url with points between them.
enum SignedText {
  /// Whether some bytes are such a text; the header begins with `{"`.
  static func isOne(_ bytes: some Collection<UInt8>) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return bytes.starts(with: "eyJ".utf8) && parts.count == 3 && bytes.count > 40
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isBase64) }
  }

  /// Whether a byte encodes six bits in either alphabet of base64, or is padding.
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
