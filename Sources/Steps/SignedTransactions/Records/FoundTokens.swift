internal import ExportReading

/// The tokens of one record in order, with their environments and with the record's customer and
/// time.
///
/// The following forms are found:
///
/// - a token with or without quotes
/// - `signedTransactionInfo` and `signedRenewalInfo`, together or separately
/// - `signedTransactions` of history, refund and order look-ups
/// - status responses and the notification history
/// - `signedPayload` of a notification
/// - a decoded payload where a token is expected, or as the record itself
///
/// Each form may also be inside a record with `customer_id` and `received_at`, as an object or as
/// JSON text. Other texts that look like tokens, such as session tokens, are skipped.
public struct FoundTokens: Sequence, Sendable {
  /// The customer and the time of receipt that the record contains outside of its tokens.
  public private(set) var context = RecordContext()
  /// The tokens in the order of the record.
  public private(set) var tokens: [FoundToken] = []
  /// Whether one of Apple's lists is present but empty, as in a response without purchases.
  public private(set) var hasEmptyList = false

  /// Finds the tokens of a record.
  public init(_ record: Span<UInt8>) throws(RecordFault) {
    var start = 0
    var end = record.count
    while start < end, Byte.isBlank(record[start]) { start += 1 }
    while end > start, Byte.isBlank(record[end - 1]) { end -= 1 }
    let text = PaddedText(record.extracting(start..<end))
    if Self.looksLikeToken(record.extracting(start..<end)) {
      tokens = [FoundToken(place: TokenPath(), text: .token(text.bytes(0..<text.count)))]
      return
    }
    do throws(JSONFault) {
      try search(text, level: 1)
    } catch {
      throw RecordFault(reason: error.reason, detail: "byte \(start + error.offset)")
    }
  }

  /// Finds the tokens in the values of a record.
  init(_ values: SignedValues) throws(RecordFault) {
    var about = ContextMembers()
    var name = ""
    do throws(JSONFault) {
      if let customer = values.customerID {
        name = "customer_id"
        try about.read(.customerID, customer)
      }
      if let time = values.receivedAt {
        name = "received_at"
        try about.read(.receivedAt, time)
      }
      if let signed = values.signed {
        name = values.isRecord ? "the record" : "data"
        // What the pipeline names goes before the record's other names for it.
        if values.isRecord { context.add(about) }
        try search(signed, at: values.isRecord ? TokenPath() : TokenPath(key: name))
      }
    } catch {
      throw RecordFault(reason: error.reason, detail: "byte \(error.offset) of \(name)")
    }
    // Customer and time inside of the signed data go first.
    context.add(about)
  }

  /// Iterates over ``tokens``, in the order of the record.
  public func makeIterator() -> IndexingIterator<[FoundToken]> { tokens.makeIterator() }

  @discardableResult
  private mutating func search(
    _ text: PaddedText, level: Int
  ) throws(JSONFault) -> StoreEnvironment? {
    try text.read { (cursor) throws(JSONFault) in
      cursor.skipBlanks()
      let environment = try readValue(TokenPath(), &cursor, text, level: level)
      guard cursor.isAtEndOfText() else { throw cursor.invalid() }
      return environment
    }
  }

  private mutating func search(
    _ value: SignedValues.Value, at place: TokenPath
  ) throws(JSONFault) {
    guard !value.isText else {
      _ = try readText(place, value.bytes, level: 2)
      return
    }
    let text = PaddedText(value.bytes.span)
    try text.read { cursor throws(JSONFault) in
      _ = try readValue(place, &cursor, text, level: 2)
      guard cursor.isAtEndOfText() else { throw cursor.invalid() }
    }
  }

  // MARK: - Containers

  /// Reads an object that contains tokens or is a decoded payload.
  ///
  /// Returns the environment in the object itself, else the environment in the first container
  /// inside that has an environment. Example: a notification has its environment in `data`.
  private mutating func readObject(
    _ place: TokenPath, _ cursor: inout JSONCursor, _ text: PaddedText, level: Int
  ) throws(JSONFault) -> StoreEnvironment? {
    let start = cursor.position
    let before = tokens.count
    var isPayload = false
    var about = ContextMembers()
    var inner: StoreEnvironment?
    try cursor.enter(level)
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      guard let key = RecordKey.table.key(name, in: cursor) else {
        try cursor.skipValue(level: level)
        continue
      }
      switch key {
      case .customerID, .appUserID, .receivedAt, .environment:
        try about.read(key, &cursor, level: level)
      case .token, .tokens, .container:
        let name = String(decoding: cursor.text(name) ?? [], as: UTF8.self)
        let named = try readValue(place.member(name), &cursor, text, level: level + 1)
        if key == .container { inner = inner ?? named }
      case .payloadMark:
        isPayload = true
        try cursor.skipValue(level: level)
      }
    }
    context.add(about)
    // A database row may have both a transaction id and its token; then the token is used.
    if isPayload, tokens.count == before {
      tokens.append(
        FoundToken(place: place, text: .decoded(text.bytes(start..<cursor.position))))
    }
    // Inner objects end first, so the innermost environment is used.
    guard let environment = about.environment ?? inner else { return nil }
    for index in before..<tokens.count where tokens[index].environment == nil {
      tokens[index].environment = environment
    }
    return environment
  }

  /// Reads a value that is a token or may contain tokens.
  ///
  /// Returns the environment of an object, including an object inside JSON text; `nil` for other
  /// values.
  private mutating func readValue(
    _ place: TokenPath, _ cursor: inout JSONCursor, _ text: PaddedText, level: Int
  ) throws(JSONFault) -> StoreEnvironment? {
    switch cursor.byte(at: cursor.position) {
    case Byte.openBrace: return try readObject(place, &cursor, text, level: level)
    case Byte.openBracket:
      try cursor.enter(level)
      var isFirst = true
      var index = 0
      while try cursor.nextElement(isFirst: &isFirst) {
        _ = try readValue(
          TokenPath(key: place.key, index: index), &cursor, text, level: level + 1)
        index += 1
      }
      if index == 0, !place.key.isEmpty { hasEmptyList = true }
    case Byte.quote:
      guard let value = cursor.text(try cursor.readScalar()) else { return nil }
      return try readText(place, value, level: level)
    default: try cursor.skipValue(level: level)
    }
    return nil
  }

  /// Reads a text that is a token, or JSON text of an object.
  private mutating func readText(
    _ place: TokenPath, _ value: [UInt8], level: Int
  ) throws(JSONFault) -> StoreEnvironment? {
    if Self.looksLikeToken(value.span) {
      tokens.append(FoundToken(place: place, text: .token(value)))
    } else if Self.looksLikeObject(value), level < Self.deepestText {
      return try search(PaddedText(value.span), level: level + 1)
    }
    return nil
  }

  /// The nesting level from which JSON text inside strings is not searched for tokens.
  ///
  /// Each object, list and JSON text adds to the level.
  private static let deepestText = 8

  /// Returns true if a text begins like a JSON object, or like its JSON text in quotation marks.
  private static func looksLikeObject(_ text: [UInt8]) -> Bool {
    text.first == Byte.openBrace || text.starts(with: [Byte.quote, Byte.openBrace])
  }

  /// Returns true if a text begins like a JSON object in base64url.
  private static func looksLikeToken(_ text: Span<UInt8>) -> Bool {
    text.count > 2 && text[0] == UInt8(ascii: "e") && text[1] == UInt8(ascii: "y")
  }
}
