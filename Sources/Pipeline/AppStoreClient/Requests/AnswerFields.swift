internal import ExportReading

/// The fields of a response that determine what it means and what is requested next.
///
/// A response of verifyReceipt has a status; one of the App Store Server API has the token for the
/// next page, or an error code.
struct AnswerFields {
  private enum Key: UInt8, Sendable {
    case revision, paginationToken, hasMore, errorCode
    case signedTransactions, notificationHistory
    case status, isRetryable
  }

  private static let keys = KeyTable<Key>([
    ("revision", .revision), ("paginationToken", .paginationToken), ("hasMore", .hasMore),
    ("errorCode", .errorCode),
    ("signedTransactions", .signedTransactions), ("notificationHistory", .notificationHistory),
    ("status", .status), ("is_retryable", .isRetryable), ("is-retryable", .isRetryable),
  ])

  /// `revision` or `paginationToken`: the token for the next page.
  private(set) var next: String?
  private(set) var hasMore = false
  private(set) var errorCode: Int?
  /// The number of transactions or notifications in the page; `nil` if the page has no list.
  private(set) var count: Int?
  private(set) var status: Int?
  private(set) var isRetryable: Bool?

  /// Reads a response; `nil` if the bytes are not one complete JSON object, or have two statuses.
  init?(_ bytes: [UInt8]) {
    do throws(JSONFault) {
      try PaddedText(bytes.span).read { (cursor) throws(JSONFault) in try read(&cursor) }
    } catch {
      return nil
    }
  }

  private mutating func read(_ cursor: inout JSONCursor) throws(JSONFault) {
    cursor.skipBlanks()
    guard cursor.byte(at: cursor.position) == Byte.openBrace else { throw cursor.invalid() }
    try cursor.enter(1)
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      switch Self.keys.key(name, in: cursor) {
      case .revision, .paginationToken: next = Self.text(try cursor.readScalar(), cursor)
      case .hasMore: hasMore = try cursor.readScalar().kind == .yes
      case .errorCode: errorCode = Self.number(try cursor.readScalar(), cursor)
      case .signedTransactions, .notificationHistory: count = try Self.elements(&cursor)
      case .status:
        guard status == nil else { throw cursor.invalid() }
        status = Self.number(try cursor.readScalar(), cursor)
      case .isRetryable: isRetryable = Self.flag(try cursor.readScalar(), cursor)
      case nil: try cursor.skipValue(level: 1)
      }
    }
    guard cursor.isAtEndOfText() else { throw cursor.invalid() }
  }

  private static func elements(_ cursor: inout JSONCursor) throws(JSONFault) -> Int? {
    guard cursor.byte(at: cursor.position) == Byte.openBracket else {
      try cursor.skipValue(level: 1)
      return nil
    }
    try cursor.enter(2)
    var count = 0
    var isFirst = true
    while try cursor.nextElement(isFirst: &isFirst) {
      try cursor.skipValue(level: 2)
      count += 1
    }
    return count
  }

  private static func text(_ scalar: Scalar, _ cursor: JSONCursor) -> String? {
    guard scalar.kind != .null, scalar.length > 0 else { return nil }
    var text: [UInt8] = []
    cursor.unescape(scalar, into: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads a number, with or without quotes; some proxies add quotes.
  private static func number(_ scalar: Scalar, _ cursor: JSONCursor) -> Int? {
    text(scalar, cursor).flatMap { Int($0) }
  }

  private static func flag(_ scalar: Scalar, _ cursor: JSONCursor) -> Bool? {
    switch scalar.kind {
    case .yes: true
    case .no: false
    default:
      switch text(scalar, cursor) {
      case "1", "true": true
      case "0", "false": false
      default: nil
      }
    }
  }
}
