internal import Diagnostics

/// A verifyReceipt response: its status and its text.
public struct AppleAnswer: Hashable, Sendable {
  /// Apple's status of the whole receipt.
  public let status: Int
  /// Apple's `is-retryable`: whether another request can succeed; `nil` if it is missing.
  public let isRetryable: Bool?
  /// The response as one line of JSON.
  public let text: [UInt8]

  /// Creates a response without `is-retryable`.
  public init(status: Int, text: [UInt8]) {
    self.status = status
    isRetryable = nil
    self.text = text
  }

  /// Reads a response; `nil` if the bytes are not one complete JSON object with a status.
  ///
  /// Line ends become spaces. This is safe, because valid JSON has no line ends inside strings.
  public init?(bytes: [UInt8]) {
    let fields = PaddedText(bytes.span).read { AnswerFields($0) }
    guard let status = fields?.status else { return nil }
    self.status = status
    isRetryable = fields?.isRetryable
    text = bytes.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
  }
}

private enum AnswerKey: UInt8, Sendable {
  case status, isRetryable
}

/// The status and `is-retryable` of a response.
private struct AnswerFields {
  private static let table = KeyTable<AnswerKey>([
    ("status", .status), ("is_retryable", .isRetryable), ("is-retryable", .isRetryable),
  ])

  private(set) var status: Int?
  private(set) var isRetryable: Bool?

  init?(_ cursor: JSONCursor) {
    var cursor = cursor
    do {
      try read(&cursor)
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
      switch Self.table.key(name, in: cursor) {
      case .status:
        guard status == nil else { throw cursor.invalid() }
        status = Self.number(try cursor.readScalar(), cursor)
      case .isRetryable: isRetryable = Self.flag(try cursor.readScalar(), cursor)
      case nil: try cursor.skipValue(level: 1)
      }
    }
    guard cursor.isAtEndOfText() else { throw cursor.invalid() }
  }

  private static func text(_ scalar: Scalar, _ cursor: JSONCursor) -> String {
    unsafe String(decoding: cursor.bytes(scalar), as: UTF8.self)
  }

  /// Reads a number, with or without quotes; some proxies add quotes.
  private static func number(_ scalar: Scalar, _ cursor: JSONCursor) -> Int? {
    switch scalar.kind {
    case .integer, .text: Int(text(scalar, cursor))
    case .escapedText, .decimal, .yes, .no, .null: nil
    }
  }

  private static func flag(_ scalar: Scalar, _ cursor: JSONCursor) -> Bool? {
    switch scalar.kind {
    case .yes: true
    case .no: false
    case .integer, .text:
      switch text(scalar, cursor) {
      case "1", "true": true
      case "0", "false": false
      default: nil
      }
    case .escapedText, .decimal, .null: nil
    }
  }
}
