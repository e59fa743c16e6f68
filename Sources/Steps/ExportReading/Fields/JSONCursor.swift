package import Diagnostics

/// The reason why a JSON text is refused, and the position of the fault.
package struct JSONFault: Error, Hashable {
  /// The reason with which the record is rejected.
  package var reason: RejectReason
  /// The byte offset at which reading stopped.
  package var offset: Int
  /// The known key at the fault; empty if there is none.
  package var key = ""
  /// Whether the offset is one in the JSON text of a string inside the text.
  var isInString = false
  /// Whether the fault is that a part of the text, such as the cell of a table, ends too early.
  var isCutOff = false

  package init(reason: RejectReason, offset: Int, key: String = "") {
    self.reason = reason
    self.offset = offset
    self.key = key
  }

  /// The fault of a text that contains the faulty text as a string under a key.
  func within(_ key: String) -> JSONFault {
    var fault = self
    fault.isInString = true
    if fault.key.isEmpty { fault.key = key }
    return fault
  }
}

/// The position and kind of one value other than an object or array.
package struct Scalar {
  package enum Kind: UInt8 {
    /// A string without escapes: its bytes are its text.
    case text
    /// A string with at least one escape.
    case escapedText
    case integer
    /// A number with a fraction or an exponent.
    case decimal
    case yes
    case no
    case null
  }

  package var kind: Kind
  package var start: Int32
  package var length: Int32

  static let absent = Scalar(kind: .null, start: 0, length: 0)
}

/// A strict reader of one JSON text (RFC 8259) in memory.
///
/// A zero byte follows the text, and ``padding`` bytes after the text can be read. A zero byte is
/// never valid in JSON, so it stops every loop without a comparison with the end.
@safe package struct JSONCursor {
  /// The number of readable bytes after the text, including the zero byte.
  package static let padding = 64
  /// The greatest depth of nested objects and arrays; the record itself has depth 1.
  static let deepestLevel = 128

  private let base: UnsafePointer<UInt8>
  /// The position of the next byte to read.
  package var position = 0
  /// The length of the text in bytes.
  package let end: Int

  package init(_ base: UnsafePointer<UInt8>, count: Int) {
    unsafe self.base = base
    end = count
  }

  var wholeText: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: base, count: end) }

  @inline(__always) package func byte(at offset: Int) -> UInt8 {
    unsafe base[offset]
  }

  /// Eight bytes as a little-endian number.
  @inline(__always) func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
  }

  /// Sixteen bytes as signed numbers; bytes of non-ASCII characters are negative.
  @inline(__always) func sixteenBytes(at offset: Int) -> SIMD16<Int8> {
    unsafe UnsafeRawPointer(base + offset).loadUnaligned(as: SIMD16<Int8>.self)
  }

  /// The bytes of a scalar as written in the text.
  @inline(__always) package func bytes(_ scalar: Scalar) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: base + Int(scalar.start), count: Int(scalar.length))
  }

  /// The bytes of a part of the text.
  @inline(__always) func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// Returns true if only blanks follow until the end of the text.
  package mutating func isAtEndOfText() -> Bool {
    skipBlanks()
    return position == end
  }

  @inline(__always) package mutating func skipBlanks() {
    if byte(at: position) > 0x20 { return }
    skipMoreBlanks()
  }

  private mutating func skipMoreBlanks() {
    while true {
      switch byte(at: position) {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// Reads the next key of an object and its colon; `nil` after the closing brace.
  ///
  /// The opening brace has been read before; `isFirst` is true for the first key.
  @inline(__always)
  package mutating func nextKey(isFirst: inout Bool) throws(JSONFault) -> Scalar? {
    skipBlanks()
    var next = byte(at: position)
    if next == Byte.closeBrace {
      position += 1
      return nil
    }
    if isFirst {
      isFirst = false
    } else {
      guard next == Byte.comma else { throw invalid() }
      position += 1
      skipBlanks()
      next = byte(at: position)
    }
    guard next == Byte.quote else { throw invalid() }
    let key = try readString()
    if byte(at: position) != Byte.colon {
      skipBlanks()
      guard byte(at: position) == Byte.colon else { throw invalid() }
    }
    position += 1
    skipBlanks()
    return key
  }

  /// Returns true if an array has another element, and moves to the element's first byte.
  ///
  /// The opening bracket has been read before; `isFirst` is true for the first element.
  @inline(__always)
  package mutating func nextElement(isFirst: inout Bool) throws(JSONFault) -> Bool {
    skipBlanks()
    let next = byte(at: position)
    if next == Byte.closeBracket {
      position += 1
      return false
    }
    if isFirst {
      isFirst = false
      return true
    }
    guard next == Byte.comma else { throw invalid() }
    position += 1
    skipBlanks()
    return true
  }

  /// Skips one value of any kind, and validates all of it.
  package mutating func skipValue(level: Int) throws(JSONFault) {
    switch byte(at: position) {
    case Byte.quote: _ = try readString()
    case Byte.openBrace: try skipObject(level: level + 1)
    case Byte.openBracket: try skipArray(level: level + 1)
    default: _ = try readScalar()
    }
  }

  private mutating func skipObject(level: Int) throws(JSONFault) {
    try enter(level)
    var isFirst = true
    while try nextKey(isFirst: &isFirst) != nil { try skipValue(level: level) }
  }

  private mutating func skipArray(level: Int) throws(JSONFault) {
    try enter(level)
    var isFirst = true
    while try nextElement(isFirst: &isFirst) { try skipValue(level: level) }
  }

  /// Reads an opening brace or bracket; throws if the nesting is too deep.
  @inline(__always) package mutating func enter(_ level: Int) throws(JSONFault) {
    guard level <= Self.deepestLevel else {
      throw JSONFault(reason: .nestedTooDeep, offset: position)
    }
    position += 1
  }

  /// Reads a string, a number, `true`, `false` or `null`.
  ///
  /// Throws ``RejectReason/wrongType`` for an object or array.
  @inline(__always)
  package mutating func readScalar() throws(JSONFault) -> Scalar {
    byte(at: position) == Byte.quote ? try readString() : try readUnquoted()
  }

  private mutating func readUnquoted() throws(JSONFault) -> Scalar {
    let start = Int32(truncatingIfNeeded: position)
    switch byte(at: position) {
    case UInt8(ascii: "t"):
      guard word(at: position) & 0xFFFF_FFFF == 0x6575_7274 else { throw invalid() }
      position += 4
      return Scalar(kind: .yes, start: start, length: 4)
    case UInt8(ascii: "f"):
      guard word(at: position) & 0xFF_FFFF_FFFF == 0x65_736C_6166 else { throw invalid() }
      position += 5
      return Scalar(kind: .no, start: start, length: 5)
    case UInt8(ascii: "n"):
      guard word(at: position) & 0xFFFF_FFFF == 0x6C6C_756E else { throw invalid() }
      position += 4
      return Scalar(kind: .null, start: start, length: 4)
    case Byte.openBrace, Byte.openBracket:
      throw JSONFault(reason: .wrongType, offset: position)
    default:
      return try readNumber()
    }
  }

  private mutating func readNumber() throws(JSONFault) -> Scalar {
    let start = position
    var kind = Scalar.Kind.integer
    if byte(at: position) == UInt8(ascii: "-") { position += 1 }
    if byte(at: position) == UInt8(ascii: "0") {
      position += 1
    } else {
      try skipDigits()
    }
    if byte(at: position) == UInt8(ascii: ".") {
      kind = .decimal
      position += 1
      try skipDigits()
    }
    if byte(at: position) | 0x20 == UInt8(ascii: "e") {
      kind = .decimal
      position += 1
      let sign = byte(at: position)
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      try skipDigits()
    }
    return Scalar(
      kind: kind, start: Int32(truncatingIfNeeded: start),
      length: Int32(truncatingIfNeeded: position - start))
  }

  private mutating func skipDigits() throws(JSONFault) {
    guard byte(at: position) &- UInt8(ascii: "0") <= 9 else { throw invalid() }
    repeat { position += 1 } while byte(at: position) &- UInt8(ascii: "0") <= 9
  }

  /// Creates the fault for a byte that JSON does not allow at the position.
  package func invalid() -> JSONFault { JSONFault(reason: .invalidJSON, offset: position) }
}

/// The bytes of JSON's structure.
package enum Byte {
  package static let quote = UInt8(ascii: "\"")
  package static let backslash = UInt8(ascii: "\\")
  package static let comma = UInt8(ascii: ",")
  package static let colon = UInt8(ascii: ":")
  package static let openBrace = UInt8(ascii: "{")
  package static let closeBrace = UInt8(ascii: "}")
  package static let openBracket = UInt8(ascii: "[")
  package static let closeBracket = UInt8(ascii: "]")
  package static let newline = UInt8(ascii: "\n")

  /// Whether a byte is a space, tab, newline or carriage return.
  @inline(__always) package static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
