internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// The scalar values of one object, keyed by known key, and the set of known keys that occurred.
struct FieldBank<Key: RawRepresentable<UInt8> & Sendable> {
  private var slots = InlineArray<64, Scalar>(repeating: .absent)
  private var seen: UInt64 = 0

  /// Clears all keys, for the next object of the same kind.
  @inline(__always) mutating func reset() { seen = 0 }

  /// Whether the object has none of the known keys.
  var isEmpty: Bool { seen == 0 }

  /// Records that a key occurs; returns false if it occurred before.
  @inline(__always) mutating func note(_ key: Key) -> Bool {
    let bit: UInt64 = 1 &<< UInt64(key.rawValue)
    guard seen & bit == 0 else { return false }
    seen |= bit
    return true
  }

  /// Stores the value of a key that ``note(_:)`` has recorded.
  @inline(__always) mutating func store(_ scalar: Scalar, for key: Key) {
    slots[Int(key.rawValue)] = scalar
  }

  /// The value of a key; `nil` if it is absent or null.
  @inline(__always) subscript(key: Key) -> Scalar? {
    guard seen & 1 &<< UInt64(key.rawValue) != 0 else { return nil }
    let scalar = slots[Int(key.rawValue)]
    return scalar.kind == .null ? nil : scalar
  }

  /// Removes the value of a key, as if the key did not occur.
  mutating func clear(_ key: Key) { seen &= ~(1 &<< UInt64(key.rawValue)) }

  /// Whether a key occurred, with any value.
  @inline(__always) func has(_ key: Key) -> Bool {
    seen & 1 &<< UInt64(key.rawValue) != 0
  }
}

extension JSONCursor {
  /// Reads an object; throws if a known key occurs twice or has no scalar value.
  @inline(__always)
  mutating func readObject<Key: RawRepresentable<UInt8> & Sendable>(
    into bank: inout FieldBank<Key>, names table: KeyTable<Key>, level: Int
  ) throws(JSONFault) {
    bank.reset()
    try enter(level)
    var isFirst = true
    while let name = try nextKey(isFirst: &isFirst) {
      guard let key = table.key(name, in: self) else {
        try skipValue(level: level)
        continue
      }
      try readField(key, into: &bank, names: table)
    }
  }

  /// Reads the scalar value of a known key.
  @inline(__always)
  mutating func readField<Key: RawRepresentable<UInt8> & Sendable>(
    _ key: Key, into bank: inout FieldBank<Key>, names table: KeyTable<Key>
  ) throws(JSONFault) {
    try note(key, in: &bank, names: table)
    do {
      bank.store(try readScalar(), for: key)
    } catch {
      guard error.reason == .wrongType, let scalar = try readTypedScalar() else {
        throw error.reason == .wrongType
          ? JSONFault(reason: .wrongType, offset: error.offset, key: table.name(of: key)) : error
      }
      bank.store(scalar, for: key)
    }
  }

  /// Reads MongoDB's notation for types that JSON lacks; returns `nil` for any other value.
  ///
  /// Examples: `{"$date": "2021-08-09T18:26:02Z"}`, `{"$date": {"$numberLong": "1628533562000"}}`.
  @inline(never)
  mutating func readTypedScalar() throws(JSONFault) -> Scalar? {
    guard byte(at: position) == Byte.openBrace else { return nil }
    var ahead = self
    ahead.position += 1
    var isFirst = true
    guard let name = try ahead.nextKey(isFirst: &isFirst), name.length > 1,
      byte(at: Int(name.start)) == UInt8(ascii: "$")
    else { return nil }
    let scalar: Scalar
    if ahead.byte(at: ahead.position) == Byte.openBrace {
      // Only `$date` may contain a second object in this notation.
      guard name.length == 5, let inner = try ahead.readTypedScalar() else { return nil }
      scalar = inner
    } else {
      scalar = try ahead.readScalar()
    }
    guard try ahead.nextKey(isFirst: &isFirst) == nil else { return nil }
    self = ahead
    return scalar
  }

  /// Records that a key occurs; throws if it occurs twice.
  @inline(__always)
  func note<Key: RawRepresentable<UInt8> & Sendable>(
    _ key: Key, in bank: inout FieldBank<Key>, names table: KeyTable<Key>
  ) throws(JSONFault) {
    guard bank.note(key) else {
      throw JSONFault(reason: .duplicateKey, offset: position, key: table.name(of: key))
    }
  }
}

extension FieldReader {
  /// Reads the id under a key; `nil` if the id is absent, null or empty.
  @inline(__always)
  mutating func number<Key>(
    _ key: Key, of bank: FieldBank<Key>, in cursor: JSONCursor
  ) throws(FieldFault) -> AppleNumber? {
    guard let scalar = bank[key] else { return nil }
    do { return try number(scalar, in: cursor) } catch { throw error.at(key) }
  }

  /// Reads the text under a key; `nil` if it is absent, null or empty.
  ///
  /// `hint` is the key's symbol in the previous row.
  @inline(__always)
  mutating func symbol<Key>(
    _ key: Key, of bank: FieldBank<Key>, in cursor: JSONCursor, hint: inout Symbol?
  ) throws(FieldFault) -> Symbol? {
    guard let scalar = bank[key] else { return nil }
    do { return try symbol(scalar, in: cursor, hint: &hint) } catch { throw error.at(key) }
  }

  /// Reads the text under a key, without a hint; `nil` if the text is absent, null or empty.
  @inline(__always)
  mutating func symbol<Key>(
    _ key: Key, of bank: FieldBank<Key>, in cursor: JSONCursor
  ) throws(FieldFault) -> Symbol? {
    guard let scalar = bank[key] else { return nil }
    do { return try symbol(scalar, in: cursor) } catch { throw error.at(key) }
  }

  /// Reads the flag under a key; `nil` if the flag is absent, null or empty.
  @inline(__always)
  mutating func flag<Key>(
    _ key: Key, of bank: FieldBank<Key>, in cursor: JSONCursor
  ) throws(FieldFault) -> Bool? {
    guard let scalar = bank[key], scalar.length > 0 else { return nil }
    do { return try flag(scalar, in: cursor) } catch { throw error.at(key) }
  }

  /// Reads the time from a key with milliseconds, else from a key with text.
  ///
  /// `nil` if both are absent, null or empty.
  @inline(__always)
  mutating func time<Key>(
    _ milliseconds: Key, _ text: Key, of bank: FieldBank<Key>, in cursor: JSONCursor
  ) throws(FieldFault) -> Instant? {
    let scalar = bank[milliseconds]
    guard scalar != nil || bank.has(text) else { return nil }
    do {
      return try time(milliseconds: scalar, text: bank[text], in: cursor)
    } catch {
      throw error.at(text)
    }
  }
}

extension FieldFault {
  func at<Key: RawRepresentable<UInt8>>(_ key: Key) -> FieldFault {
    FieldFault(reason: reason, key: key.rawValue)
  }
}
