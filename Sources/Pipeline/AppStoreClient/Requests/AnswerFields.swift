internal import ExportReading

/// The fields of a response that determine the next request.
///
/// These fields are the token for the next page, whether that page exists already, and Apple's
/// error code.
struct AnswerFields {
  private enum Key: UInt8, Sendable {
    case revision, paginationToken, hasMore, errorCode
    case signedTransactions, notificationHistory
  }

  private static let keys = KeyTable<Key>([
    ("revision", .revision), ("paginationToken", .paginationToken), ("hasMore", .hasMore),
    ("errorCode", .errorCode),
    ("signedTransactions", .signedTransactions), ("notificationHistory", .notificationHistory),
  ])

  /// `revision` or `paginationToken`: the token for the next page.
  private(set) var next: String?
  private(set) var hasMore = false
  private(set) var errorCode: Int?
  /// The number of transactions or notifications in the page; `nil` if the page has no list.
  private(set) var count: Int?

  /// Reads a response; `nil` if the bytes are not one complete JSON object.
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
      case .errorCode: errorCode = Self.text(try cursor.readScalar(), cursor).flatMap { Int($0) }
      case .signedTransactions, .notificationHistory: count = try Self.elements(&cursor)
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
}
