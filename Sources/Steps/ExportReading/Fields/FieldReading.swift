internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// The reason why a field is unusable.
struct FieldFault: Error, Hashable {
  var reason: RejectReason
  /// The raw value of the field's key; `nil` if the key is not known.
  var key: UInt8?
}

/// Converts scalars of a JSON text to values, and texts to symbols.
///
/// The reader contains the symbol table and a buffer for unescaping. A symbol is the number of a
/// text in this table. A text that is already in the table and has no escapes needs no allocation.
struct FieldReader {
  var symbols = SymbolTable()
  /// The largest number that is accepted as a price, in the unit of the exports' prices.
  var largestNumber = Milliunits.largestPrice
  /// Whether amounts are texts with a decimal comma.
  var hasDecimalComma = false
  /// The zone of times that name none; `nil` for UTC.
  var zone: TimeZoneRules?
  /// Whether times that name no zone are counted, because the owner may not know that they are UTC.
  var countsLocalTimes = false
  /// The number of times that name no zone, and were read as UTC.
  var localTimes = 0
  private var unescaped: [UInt8] = []

  /// Returns the symbol of a text, or of an integer's digits; `nil` if the text is empty.
  ///
  /// `hint` is the field's symbol in the previous row. Usually the text is the same, and is then
  /// found faster.
  mutating func symbol(
    _ scalar: Scalar, in cursor: JSONCursor, hint: inout Symbol?
  ) throws(FieldFault) -> Symbol? {
    guard scalar.length > 0 else { return nil }
    switch scalar.kind {
    case .text, .integer:
      guard scalar.length <= RejectReason.longestID else { throw FieldFault(reason: .idTooLong) }
      let bytes = unsafe cursor.bytes(scalar)
      let symbol = unsafe symbols.intern(bytes.span, hint: hint)
      hint = symbol
      return symbol
    case .escapedText:
      try unescape(scalar, in: cursor)
      guard unescaped.count <= RejectReason.longestID else { throw FieldFault(reason: .idTooLong) }
      let text = unescaped
      return symbols.intern(text.span)
    case .decimal, .yes, .no, .null:
      throw FieldFault(reason: .wrongType)
    }
  }

  /// Returns the symbol of a text, without a hint; see ``symbol(_:in:hint:)``.
  mutating func symbol(_ scalar: Scalar, in cursor: JSONCursor) throws(FieldFault) -> Symbol? {
    var hint: Symbol?
    return try symbol(scalar, in: cursor, hint: &hint)
  }

  /// Parses one of Apple's ids, a text or an integer; `nil` if the text is empty.
  @inline(__always)
  mutating func number(
    _ scalar: Scalar, in cursor: JSONCursor
  ) throws(FieldFault) -> AppleNumber? {
    guard scalar.length > 0 else { return nil }
    switch scalar.kind {
    case .text, .integer:
      if let number = cursor.shortNumber(scalar) { return AppleNumber(rawValue: number) }
      guard scalar.length <= RejectReason.longestID else { throw FieldFault(reason: .idTooLong) }
      let bytes = unsafe cursor.bytes(scalar)
      return unsafe AppleNumber(bytes.span, symbols: &symbols)
    case .escapedText:
      try unescape(scalar, in: cursor)
      guard unescaped.count <= RejectReason.longestID else { throw FieldFault(reason: .idTooLong) }
      let text = unescaped
      return AppleNumber(text.span, symbols: &symbols)
    case .decimal, .yes, .no, .null:
      throw FieldFault(reason: .wrongType)
    }
  }

  /// Passes the bytes of a short text, such as a code or a date, to `body`.
  ///
  /// Escapes in the text are resolved. A JSON number or boolean is passed as it is written in the
  /// record.
  mutating func withText<Value>(
    _ scalar: Scalar, in cursor: JSONCursor, _ body: (Span<UInt8>) -> Value
  ) throws(FieldFault) -> Value {
    guard scalar.kind == .escapedText else {
      let bytes = unsafe cursor.bytes(scalar)
      return unsafe body(bytes.span)
    }
    try unescape(scalar, in: cursor)
    return body(unescaped.span)
  }

  private mutating func unescape(_ scalar: Scalar, in cursor: JSONCursor) throws(FieldFault) {
    unescaped.removeAll(keepingCapacity: true)
    cursor.unescape(scalar, into: &unescaped)
    guard !unescaped.contains(where: { $0 < 0x20 }) else {
      throw FieldFault(reason: .controlCharacter)
    }
  }
}

extension FieldReader {
  /// Parses a flag: `true`, `"true"`, `1`, `"1"`, `false`, `"false"`, `0` or `"0"`.
  ///
  /// Throws for any other value.
  mutating func flag(_ scalar: Scalar, in cursor: JSONCursor) throws(FieldFault) -> Bool {
    switch scalar.kind {
    case .yes: return true
    case .no: return false
    case .text, .integer:
      let word = cursor.word(at: Int(scalar.start))
      switch scalar.length {
      case 5 where word & 0xFF_FFFF_FFFF == 0x65_736C_6166: return false
      case 4 where word & 0xFFFF_FFFF == 0x6575_7274: return true
      case 1 where word & 0xFF == 0x31: return true
      case 1 where word & 0xFF == 0x30: return false
      default: throw FieldFault(reason: .rowInvalidFlag)
      }
    case .escapedText, .decimal, .null: throw FieldFault(reason: .rowInvalidFlag)
    }
  }

  /// Parses a whole number, with or without quotes; `nil` for any other value.
  mutating func integer(_ scalar: Scalar, in cursor: JSONCursor) throws(FieldFault) -> Int64? {
    switch scalar.kind {
    case .yes, .no, .null, .decimal: nil
    case .text, .escapedText, .integer: try withText(scalar, in: cursor, wholeNumber)
    }
  }
}

extension JSONCursor {
  /// Parses 8 to 18 digits without a leading zero, like most of Apple's ids; else `nil`.
  @inline(__always) func shortNumber(_ scalar: Scalar) -> UInt64? {
    let start = Int(scalar.start)
    let length = Int(scalar.length)
    guard length >= 8, length <= 18, byte(at: start) != UInt8(ascii: "0"),
      let high = eightDigits(at: start)
    else { return nil }
    if length >= 16 {
      guard var value = eightDigits(at: start + 8).map({ high &* 100_000_000 &+ $0 }) else {
        return nil
      }
      for offset in (start + 16)..<(start + length) {
        let digit = byte(at: offset) &- UInt8(ascii: "0")
        guard digit <= 9 else { return nil }
        value = value &* 10 &+ UInt64(digit)
      }
      return value
    }
    var value = high
    for offset in (start + 8)..<(start + length) {
      let digit = byte(at: offset) &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value &* 10 &+ UInt64(digit)
    }
    return value
  }

  /// Parses exactly thirteen digits, such as milliseconds of the years 2001 to 2286; else `nil`.
  @inline(__always) func thirteenDigits(_ scalar: Scalar) -> Int64? {
    guard scalar.length == 13 else { return nil }
    return shortNumber(scalar).map { Int64(bitPattern: $0) }
  }

  /// Parses eight digits together, with three multiplications instead of eight.
  ///
  /// `nil` if one of the eight bytes is not a digit.
  @inline(__always) private func eightDigits(at offset: Int) -> UInt64? {
    let text = word(at: offset)
    let above = text &+ 0x4646_4646_4646_4646
    let below = text &- 0x3030_3030_3030_3030
    guard (above | below) & 0x8080_8080_8080_8080 == 0 else { return nil }
    let pairs = below &* 10 &+ below &>> 8
    let low = pairs & 0x0000_00FF_0000_00FF
    let high = pairs &>> 16 & 0x0000_00FF_0000_00FF
    return (low &* 0x000F_4240_0000_0064 &+ high &* 0x0000_2710_0000_0001) &>> 32
  }
}

/// Parses 1 to 18 digits after an optional minus sign; `nil` for any other text.
private func wholeNumber(_ text: Span<UInt8>) -> Int64? {
  wholeNumber(text, upTo: text.count)
}

func wholeNumber(_ text: Span<UInt8>, upTo end: Int) -> Int64? {
  let isNegative = end > 0 && text[0] == UInt8(ascii: "-")
  let start = isNegative ? 1 : 0
  guard (1...18).contains(end - start) else { return nil }
  var value: Int64 = 0
  for index in start..<end {
    let digit = text[index] &- UInt8(ascii: "0")
    guard digit <= 9 else { return nil }
    value = value * 10 + Int64(digit)
  }
  return isNegative ? -value : value
}
