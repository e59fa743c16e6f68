internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// One JSON object in a payload: the values of its known keys, as written.
///
/// Refuses a known key that occurs twice, because its value is ambiguous. A null is treated as a
/// missing key. Unknown keys are skipped. A name in snake case is used only if Apple's own name is
/// missing; a database row may have both. A name of Apple's Java library, such as `rawOfferType`,
/// goes before Apple's own, whose value that library replaces by the name of a constant.
struct PayloadFields {
  /// The keys whose stored value was found under a name in snake case.
  private var snakeCaseKeys: [PayloadKey] = []
  /// The keys whose stored value was found under a name of Apple's Java library.
  private var rawKeys: [PayloadKey] = []
  private var scalars = [Scalar?](repeating: nil, count: PayloadKey.allCases.count)
  /// The offsets of the objects and lists under known keys.
  private var containers: [(key: PayloadKey, start: Int)] = []

  /// Reads an object from its opening brace.
  mutating func read(_ cursor: inout JSONCursor, level: Int) throws(TokenFault) {
    do throws(JSONFault) {
      guard cursor.byte(at: cursor.position) == Byte.openBrace else { throw cursor.invalid() }
      try cursor.enter(level)
      var isFirst = true
      while let name = try cursor.nextKey(isFirst: &isFirst) {
        if let key = PayloadKey.table.key(name, in: cursor) {
          guard !rawKeys.contains(key) else {
            try cursor.skipValue(level: level)
            continue
          }
          removeSnakeCase(key)
          try read(key, &cursor, level: level)
        } else if let key = PayloadKey.snakeCaseTable.key(name, in: cursor),
          snakeCaseKeys.contains(key) || !isRead(key)
        {
          try read(key, &cursor, level: level)
          snakeCaseKeys.append(key)
        } else if let key = PayloadKey.rawTable.key(name, in: cursor),
          cursor.byte(at: cursor.position) != UInt8(ascii: "n")
        {
          if !rawKeys.contains(key) { remove(key) }
          try read(key, &cursor, level: level)
          rawKeys.append(key)
        } else {
          try cursor.skipValue(level: level)
        }
      }
    } catch {
      throw TokenFault(.tokenPayloadUnreadable, error.reason.rawValue)
    }
  }

  /// Whether a value of a key has been read.
  private func isRead(_ key: PayloadKey) -> Bool {
    scalars[Int(key.rawValue)] != nil || containers.contains { $0.key == key }
  }

  /// Whether the date of purchase was found under its name in snake case, as in a receipt.
  var hasSnakeCaseDate: Bool { snakeCaseKeys.contains(.purchaseDate) }

  /// Removes the stored value of a key if it was found under the name in snake case.
  private mutating func removeSnakeCase(_ key: PayloadKey) {
    guard let index = snakeCaseKeys.firstIndex(of: key) else { return }
    snakeCaseKeys.remove(at: index)
    remove(key)
  }

  private mutating func remove(_ key: PayloadKey) {
    scalars[Int(key.rawValue)] = nil
    containers.removeAll { $0.key == key }
  }

  private mutating func read(_ key: PayloadKey, _ cursor: inout JSONCursor, level: Int)
    throws(JSONFault)
  {
    guard !isRead(key) else {
      throw JSONFault(reason: .duplicateKey, offset: cursor.position)
    }
    let first = cursor.byte(at: cursor.position)
    guard first != Byte.openBrace, first != Byte.openBracket else {
      containers.append((key, cursor.position))
      return try cursor.skipValue(level: level)
    }
    let scalar = try cursor.readScalar()
    scalars[Int(key.rawValue)] = scalar
  }

  /// Returns true if a key is present and not null.
  func has(_ key: PayloadKey) -> Bool { scalar(key) != nil || container(key) != nil }

  /// Returns true if every known key has an empty value: 0, an empty text, null or `false`.
  ///
  /// Programs written in Go store these values for a missing object.
  func isZero(_ cursor: JSONCursor) -> Bool {
    scalars.contains { $0 != nil }
      && scalars.allSatisfy { scalar in
        guard let scalar, scalar.length > 0 else { return true }
        return switch scalar.kind {
        case .null, .no: true
        case .integer: unsafe cursor.bytes(scalar).elementsEqual([UInt8(ascii: "0")])
        default: false
        }
      }
  }

  /// The offset at which the object or list under a key begins; `nil` if the key is missing.
  func container(_ key: PayloadKey) -> Int? { containers.first { $0.key == key }?.start }

  /// The value of a key; `nil` if it is missing, null or an empty text.
  ///
  /// Programs written in Go store an empty text for a missing key.
  private func scalar(_ key: PayloadKey) -> Scalar? {
    guard let scalar = scalars[Int(key.rawValue)], scalar.kind != .null, scalar.length > 0 else {
      return nil
    }
    return scalar
  }
}

extension PayloadFields {
  /// Reads the text under a key, or the digits of a number; `nil` if missing or empty.
  func text(_ key: PayloadKey, _ cursor: JSONCursor) throws(TokenFault) -> String? {
    guard let scalar = scalar(key) else { return nil }
    guard scalar.length <= RejectReason.longestID else {
      throw TokenFault(.idTooLong, PayloadKey.table.name(of: key))
    }
    if scalar.kind == .text || scalar.kind == .integer {
      let bytes = unsafe cursor.bytes(scalar)
      return bytes.isEmpty ? nil : unsafe String(decoding: bytes, as: UTF8.self)
    }
    guard let text = cursor.text(scalar), text.allSatisfy({ $0 >= 0x20 }) else {
      throw invalid(key)
    }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }

  /// Reads a number under a key as it is written, with or without quotes.
  ///
  /// `nil` if missing or empty.
  func digits(_ key: PayloadKey, _ cursor: JSONCursor) -> String? {
    scalar(key).map { unsafe String(decoding: cursor.bytes($0), as: UTF8.self) }
  }

  /// Reads the text under a required key; throws if the key is missing or empty.
  func requiredText(_ key: PayloadKey, _ cursor: JSONCursor) throws(TokenFault) -> String {
    guard let text = try text(key, cursor) else { throw missing(key) }
    return text
  }

  /// Reads the text under a key as bytes, for example a token; `nil` if missing or empty.
  func bytes(_ key: PayloadKey, _ cursor: JSONCursor) throws(TokenFault) -> [UInt8]? {
    guard let scalar = scalar(key) else { return nil }
    guard let text = cursor.text(scalar) else { throw invalid(key) }
    return text
  }

  /// Reads the word under a key, from one of Apple's vocabularies; `nil` if missing or empty.
  func word<Value: Vocabulary>(_ key: PayloadKey, _ cursor: JSONCursor) throws(TokenFault)
    -> Value?
  {
    try text(key, cursor).map(Value.init)
  }

  /// Reads the whole number under a key, with or without quotes; `nil` if missing or empty.
  ///
  /// A number may also be written as the name of its constant: `ON` for an `autoRenewStatus` of 1.
  func integer(_ key: PayloadKey, _ cursor: JSONCursor) throws(TokenFault) -> Int64? {
    guard let scalar = scalar(key) else {
      guard container(key) == nil else { throw ValueFault.object(key) }
      return nil
    }
    guard scalar.kind == .integer || scalar.kind == .text else { throw invalid(key) }
    let text = unsafe String(decoding: cursor.bytes(scalar), as: UTF8.self)
    guard let number = Int64(text) ?? ConstantNames.number(text, of: key) else {
      throw invalid(key)
    }
    return number
  }

  /// Reads the whole number under a key; `nil` if missing or 0.
  ///
  /// Programs written in Go store 0 for a missing key.
  func number(_ key: PayloadKey, _ cursor: JSONCursor) throws(TokenFault) -> Int64? {
    let number = try integer(key, cursor)
    return number == 0 ? nil : number
  }

  /// Reads the flag under a key, written as `true`, `false`, 1 or 0, with or without quotes; `nil`
  /// if missing or empty.
  func flag(_ key: PayloadKey, _ cursor: JSONCursor) throws(TokenFault) -> Bool? {
    guard let scalar = scalar(key) else { return nil }
    switch scalar.kind {
    case .yes: return true
    case .no: return false
    default:
      switch try integer(key, cursor) {
      case 1: return true
      case 0: return false
      default: throw invalid(key)
      }
    }
  }

  /// Reads the time under a key, written as milliseconds since 1970 or as a date text.
  ///
  /// Example: `1697679936049.7297` → 2023-10-19T01:45:36.049Z. 0 means a missing key, as in
  /// programs written in Go. Other numbers below 100,000,000,000 are refused: as milliseconds they
  /// would be times before 1974, so they are probably seconds.
  func time(_ key: PayloadKey, _ cursor: JSONCursor) throws(TokenFault) -> Instant? {
    guard let scalar = scalar(key) else {
      guard container(key) == nil else { throw ValueFault.object(key) }
      return nil
    }
    let bytes = unsafe cursor.bytes(scalar)
    switch scalar.kind {
    case .integer, .decimal, .text:
      if let value = unsafe wholeMilliseconds(bytes.span) {
        if value == 0 { return nil }
        if let fault = ValueFault.seconds(value, key) { throw fault }
        let time = Instant(milliseconds: value)
        guard value >= 100_000_000_000, time.isWritable else { throw outOfRange(key) }
        return time
      }
      // A number with too many digits is an impossible time.
      guard scalar.kind == .text, let time = unsafe Instant(text: bytes.span), time > .epoch,
        time.isWritable
      else { throw outOfRange(key) }
      return time
    case .escapedText, .yes, .no, .null: throw invalid(key)
    }
  }

  /// Reads the price under a key, with its currency; `nil` unless both are present.
  ///
  /// - Parameter outer: The enclosing object, if it has the currency.
  func price(_ key: PayloadKey, in outer: PayloadFields? = nil, _ cursor: JSONCursor)
    throws(TokenFault) -> SignedPrice?
  {
    if let digits = digits(key, cursor), ValueFault.isDecimal(digits) {
      throw ValueFault.decimals(key)
    }
    guard let thousandths = try integer(key, cursor) else { return nil }
    let amount = Milliunits(thousandths)
    guard amount >= .zero, amount <= .largestPrice else { throw invalid(key) }
    guard let code = try (outer ?? self).text(.currency, cursor) else { return nil }
    guard let currency = Currency(code) else { throw invalid(.currency) }
    return SignedPrice(amount: amount, currency: currency)
  }

  /// Reads the offer in a payload; `nil` without an offer.
  func offer(_ cursor: JSONCursor) throws(TokenFault) -> SignedOffer? {
    guard let number = try self.number(.offerType, cursor) else { return nil }
    return SignedOffer(
      kind: OfferWord(number), identifier: try text(.offerIdentifier, cursor),
      discount: try word(.offerDiscountType, cursor),
      period: try text(.offerPeriod, cursor).flatMap { Period(text: $0) })
  }

  /// Returns the fault for a missing required key.
  func missing(_ key: PayloadKey) -> TokenFault {
    TokenFault(.tokenFieldMissing, PayloadKey.table.name(of: key))
  }

  /// Returns the fault for a key with an impossible value.
  func invalid(_ key: PayloadKey) -> TokenFault {
    TokenFault(.tokenFieldInvalid, PayloadKey.table.name(of: key))
  }

  private func outOfRange(_ key: PayloadKey) -> TokenFault {
    key == .signedDate ? TokenFault(.tokenSignedDateOutOfRange) : invalid(key)
  }
}
