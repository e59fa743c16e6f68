public import CivilTime
internal import Diagnostics
internal import ExportReading

/// The customer and the time of receipt that the record contains outside of its tokens.
public struct RecordContext: Hashable, Sendable {
  /// The customer; `nil` if the record has no customer id.
  public internal(set) var customerID: String?
  /// The time at which the app's server received the tokens; `nil` if the record lacks the time.
  public internal(set) var receivedAt: Instant?

  /// Creates a context without values.
  public init() {}

  /// Adds the customer and the time of receipt of an object; keeps values that were added before.
  ///
  /// Inner objects are added before the objects that contain them, so the innermost value is used.
  mutating func add(_ members: ContextMembers) {
    customerID = customerID ?? members.customerID ?? members.appUserID
    receivedAt = receivedAt ?? members.receivedAt
  }
}

/// The customer, time of receipt and environment in one object that contains tokens.
struct ContextMembers {
  private(set) var environment: StoreEnvironment?
  private(set) var customerID: String?
  private(set) var appUserID: String?
  private(set) var receivedAt: Instant?
  private var seen: Set<RecordKey> = []

  /// Reads the value of a key; a key may occur only once.
  mutating func read(
    _ key: RecordKey, _ cursor: inout JSONCursor, level: Int
  ) throws(JSONFault) {
    guard seen.insert(key).inserted else {
      throw JSONFault(reason: .duplicateKey, offset: cursor.position)
    }
    switch key {
    case .customerID: customerID = try Self.text(&cursor)
    case .appUserID: appUserID = try Self.text(&cursor)
    case .receivedAt: receivedAt = try Self.time(&cursor)
    case .environment:
      // An object under this key belongs to the app's server.
      guard cursor.byte(at: cursor.position) == Byte.quote else {
        return try cursor.skipValue(level: level)
      }
      environment = try Self.text(&cursor).map { StoreEnvironment(around: $0) }
    case .token, .tokens, .container, .payloadMark: break
    }
  }

  /// Reads the value of the customer or of the time, which was found by a path.
  mutating func read(_ key: RecordKey, _ value: SignedValues.Value) throws(JSONFault) {
    guard value.isText else {
      return try PaddedText(value.bytes.span).read { cursor throws(JSONFault) in
        try read(key, &cursor, level: 1)
        guard cursor.isAtEndOfText() else { throw cursor.invalid() }
      }
    }
    if key == .receivedAt {
      receivedAt = Self.time(value.bytes.span)
    } else {
      customerID = try Self.text(value.bytes, at: 0)
    }
  }

  private static func text(_ cursor: inout JSONCursor) throws(JSONFault) -> String? {
    let scalar = try cursor.readScalar()
    guard scalar.kind != .null else { return nil }
    let bytes = unsafe cursor.text(scalar) ?? Array(cursor.bytes(scalar))
    return try text(bytes, at: cursor.position)
  }

  private static func text(_ bytes: [UInt8], at position: Int) throws(JSONFault) -> String? {
    guard bytes.count <= RejectReason.longestID else {
      throw JSONFault(reason: .idTooLong, offset: position)
    }
    guard bytes.allSatisfy({ $0 >= 0x20 }) else {
      throw JSONFault(reason: .controlCharacter, offset: position)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  private static func time(_ cursor: inout JSONCursor) throws(JSONFault) -> Instant? {
    let bytes = unsafe cursor.bytes(try cursor.readScalar())
    return unsafe time(bytes.span)
  }

  /// Reads a date text, or milliseconds since 1970; `nil` for any other value.
  private static func time(_ text: Span<UInt8>) -> Instant? {
    let time: Instant? =
      if let value = wholeMilliseconds(text) {
        value >= 100_000_000_000 ? Instant(milliseconds: value) : nil
      } else {
        Instant(text: text)
      }
    return time.flatMap { $0.isWritable ? $0 : nil }
  }
}
