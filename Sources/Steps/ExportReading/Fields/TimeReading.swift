internal import CivilTime
internal import Diagnostics

extension FieldReader {
  /// Reads a time from its milliseconds, else from its text; `nil` if neither contains a time.
  ///
  /// Throws for a value that is not a time. A placeholder such as 0 or `0000-00-00` is treated as
  /// absent. A text of eleven or more digits is milliseconds, as in `expires_date` of iOS 6.
  mutating func time(
    milliseconds: Scalar?, text: Scalar?, in cursor: JSONCursor
  ) throws(FieldFault) -> Instant? {
    if let milliseconds, milliseconds.length > 0 {
      if let instant = try instant(milliseconds: milliseconds, in: cursor) { return instant }
      guard try isAbsentTime(milliseconds, in: cursor) else {
        throw FieldFault(reason: .rowInvalidDate)
      }
    }
    guard let text, text.length > 0 else { return nil }
    if let instant = try instant(text: text, in: cursor), !instant.isZeroValue { return instant }
    guard try isAbsentTime(text, in: cursor) else { throw FieldFault(reason: .rowInvalidDate) }
    return nil
  }

  /// Returns true for a placeholder of an absent time: 0, the start of 1970 or of the year 1, or
  /// `0000-00-00`.
  private mutating func isAbsentTime(
    _ scalar: Scalar, in cursor: JSONCursor
  ) throws(FieldFault) -> Bool {
    try withText(scalar, in: cursor) { text in
      if let value = wholeMilliseconds(text) {
        return Instant(milliseconds: value).isZeroValue
      }
      if let instant = Instant(text: text) { return instant.isZeroValue }
      // The text 0000-00-00, which some databases write for an absent date.
      return text.count >= 10
        && (0..<10).allSatisfy { text[$0] == UInt8(ascii: $0 == 4 || $0 == 7 ? "-" : "0") }
    }
  }

  /// Reads Unix milliseconds from a text or number, rounded down; `nil` for any other value.
  ///
  /// Also `nil` for a placeholder such as 0, and for a number that is probably in seconds. Example:
  /// 1628533562 is in August 2021 if read as seconds, but in January 1970 if read as milliseconds.
  mutating func instant(
    milliseconds scalar: Scalar, in cursor: JSONCursor
  ) throws(FieldFault) -> Instant? {
    if let value = cursor.thirteenDigits(scalar) { return Instant(milliseconds: value) }
    switch scalar.kind {
    case .yes, .no, .null: return nil
    case .text, .escapedText, .integer, .decimal:
      let instant = try withText(scalar, in: cursor) { text in
        wholeMilliseconds(text).map(Instant.init(milliseconds:))
      }
      guard let instant, instant.isWritable, !instant.isZeroValue, !instant.isSeconds else {
        return nil
      }
      return instant
    }
  }

  /// Reads seconds, milliseconds or microseconds since 1970, distinguished by their size.
  ///
  /// `nil` for any other value. Also `nil` below 1,000,000,000, because the number may be in
  /// seconds since 2001, as Swift writes times.
  mutating func instant(
    sinceEpoch scalar: Scalar, in cursor: JSONCursor
  ) throws(FieldFault) -> Instant? {
    if let value = cursor.thirteenDigits(scalar) { return Instant(milliseconds: value) }
    guard scalar.length >= 10, scalar.kind != .yes, scalar.kind != .no, scalar.kind != .null else {
      return nil
    }
    return try withText(scalar, in: cursor) { text in
      var value: Int64 = 0
      var index = 0
      while index < text.count, text[index] &- UInt8(ascii: "0") <= 9, index < 18 {
        value = value * 10 + Int64(text[index] - UInt8(ascii: "0"))
        index += 1
      }
      var thousandths: Int64 = 0
      if index < text.count {
        guard text[index] == UInt8(ascii: "."), index + 1 < text.count else { return nil }
        for place in (index + 1)..<text.count {
          let digit = text[place] &- UInt8(ascii: "0")
          guard digit <= 9 else { return nil }
          if place - index <= 3 {
            thousandths += Int64(digit) * [100, 10, 1][place - index - 1]
          }
        }
      }
      let milliseconds: Int64? =
        switch value {
        case 1_000_000_000..<100_000_000_000: value * 1000 + thousandths
        case 100_000_000_000..<100_000_000_000_000: value
        case 100_000_000_000_000..<100_000_000_000_000_000: value / 1000
        default: nil
        }
      return milliseconds.map(Instant.init(milliseconds:))
    }
  }

  /// Reads a time without a zone in the zone of the pipeline's entry.
  ///
  /// `nil` if the entry has none, which is counted, and for every other value.
  mutating func instant(local scalar: Scalar, in cursor: JSONCursor) throws(FieldFault) -> Instant?
  {
    guard scalar.kind == .text || scalar.kind == .escapedText else { return nil }
    guard let zone else {
      if countsLocalTimes, try withText(scalar, in: cursor, Instant.isLocal) { localTimes += 1 }
      return nil
    }
    let instant = try withText(scalar, in: cursor) { Instant(localText: $0, in: zone) }
    return instant.flatMap { $0.isWritable ? $0 : nil }
  }

  /// Reads a date text, or milliseconds with at least eleven digits; `nil` for anything else.
  mutating func instant(text scalar: Scalar, in cursor: JSONCursor) throws(FieldFault) -> Instant? {
    if scalar.kind == .text || scalar.kind == .escapedText {
      let instant = try withText(scalar, in: cursor, Instant.init(text:))
      if let instant { return instant.isWritable ? instant : nil }
    }
    guard scalar.length >= 11, let instant = try instant(milliseconds: scalar, in: cursor),
      instant.milliseconds >= 10_000_000_000
    else { return nil }
    return instant
  }
}

extension Instant {
  /// Whether this is a placeholder for an absent time: the start of 1970 or of the year 1.
  fileprivate var isZeroValue: Bool { milliseconds == 0 || milliseconds == -62_135_596_800_000 }

  /// Whether ``milliseconds`` probably has a number of seconds.
  ///
  /// As seconds, the number is a time after 2001-09-09; as milliseconds, a time between 1970-01-12
  /// and 1973-03-03, before the App Store existed.
  fileprivate var isSeconds: Bool { 1_000_000_000..<100_000_000_000 ~= milliseconds }
}
