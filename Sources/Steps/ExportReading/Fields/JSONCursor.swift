package import Diagnostics

/// The place and the fault of a JSON text that is refused.
package struct JSONFault: Error, Hashable {
  /// The code that the record is rejected with.
  package var reason: RejectReason
  /// The byte of the text at which reading stopped.
  package var offset: Int
  /// The known key it concerns; empty if there is none.
  package var key = ""

  package init(reason: RejectReason, offset: Int, key: String = "") {
    self.reason = reason
    self.offset = offset
    self.key = key
  }
}

/// One value other than a container, as it stands in the text.
package struct Scalar {
  package enum Kind: UInt8 {
    /// Between quotes, without an escape: the bytes are the text.
    case text
    /// Between quotes, with at least one escape.
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

/// A strict reader of one JSON text (RFC 8259) that lies in memory.
///
/// The text is followed by a zero byte and at least ``padding`` readable bytes. A zero byte is
/// never legal in JSON outside a string's escape. So it stops every loop, and loops need not
/// compare positions with the end.
@safe package struct JSONCursor {
  /// The number of bytes behind the text that may be read, the zero byte included.
  package static let padding = 64
  /// The greatest depth of nested objects and arrays; the record itself is the first level.
  static let deepestLevel = 128

  private let base: UnsafePointer<UInt8>
  /// The next byte to read.
  package var position = 0
  /// The length of the text.
  package let end: Int

  package init(_ base: UnsafePointer<UInt8>, count: Int) {
    unsafe self.base = base
    end = count
  }

  /// All bytes of the text.
  var wholeText: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: base, count: end) }

  @inline(__always) package func byte(at offset: Int) -> UInt8 {
    unsafe base[offset]
  }

  /// Eight bytes, the first one lowest.
  @inline(__always) func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
  }

  /// Sixteen bytes, those beyond ASCII negative.
  @inline(__always) func sixteenBytes(at offset: Int) -> SIMD16<Int8> {
    unsafe UnsafeRawPointer(base + offset).loadUnaligned(as: SIMD16<Int8>.self)
  }

  /// The bytes of a scalar as they stand in the text.
  @inline(__always) package func bytes(_ scalar: Scalar) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: base + Int(scalar.start), count: Int(scalar.length))
  }

  /// Whether nothing but blanks follows.
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

  /// The next key of an object, its colon read; `nil` behind the closing brace.
  ///
  /// The opening brace is already read; `isFirst` begins true.
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

  /// Whether an array has another element, whose first byte is then next.
  ///
  /// The opening bracket is already read; `isFirst` begins true.
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

  /// Reads over one value of any kind, checking all of it.
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

  /// Reads an opening brace or bracket.
  @inline(__always) package mutating func enter(_ level: Int) throws(JSONFault) {
    guard level <= Self.deepestLevel else {
      throw JSONFault(reason: .nestedTooDeep, offset: position)
    }
    position += 1
  }

  /// Reads a string, a number, `true`, `false` or `null`; a container is
  /// ``RejectReason/wrongType``.
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

  /// The fault of a byte that JSON does not allow here.
  package func invalid() -> JSONFault { JSONFault(reason: .invalidJSON, offset: position) }
}

/// The bytes that give JSON its structure.
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

  /// Space, tab, newline and carriage return.
  @inline(__always) package static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
