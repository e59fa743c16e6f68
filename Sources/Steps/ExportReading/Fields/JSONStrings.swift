internal import Diagnostics

extension JSONCursor {
  /// Reads a string from its opening to its closing quote; validates escapes and UTF-8.
  ///
  /// Tests sixteen bytes at a time. Only quotes, backslashes, control characters (below U+0020) and
  /// non-ASCII bytes are examined individually.
  @inline(__always)
  package mutating func readString() throws(JSONFault) -> Scalar {
    let start = position + 1
    var offset = start
    var kind = Scalar.Kind.text
    while true {
      let stops = stopMarks(sixteenBytes(at: offset))
      guard stops.low | stops.high != 0 else {
        offset &+= 16
        continue
      }
      offset &+= (stops.low != 0 ? stops.low : stops.high).trailingZeroBitCount &>> 3
      if stops.low == 0 { offset &+= 8 }
      if byte(at: offset) == Byte.quote {
        position = offset + 1
        return Scalar(
          kind: kind, start: Int32(truncatingIfNeeded: start),
          length: Int32(truncatingIfNeeded: offset - start))
      }
      if byte(at: offset) == Byte.backslash { kind = .escapedText }
      offset = try passSpecial(at: offset)
    }
  }

  /// Validates an escape or a non-ASCII character, and returns the position after it in the text.
  private func passSpecial(at offset: Int) throws(JSONFault) -> Int {
    let first = byte(at: offset)
    if first == Byte.backslash { return try passEscape(at: offset) }
    guard first >= 0x80 else { throw JSONFault(reason: .invalidJSON, offset: offset) }
    return try passCharacter(at: offset)
  }

  private func passEscape(at offset: Int) throws(JSONFault) -> Int {
    switch byte(at: offset + 1) {
    case Byte.quote, Byte.backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return offset + 2
    case UInt8(ascii: "u"):
      guard let unit = hexUnit(at: offset + 2) else { break }
      guard unit & 0xF800 == 0xD800 else { return offset + 6 }
      guard unit < 0xDC00, byte(at: offset + 6) == Byte.backslash,
        byte(at: offset + 7) == UInt8(ascii: "u"), let low = hexUnit(at: offset + 8),
        low & 0xFC00 == 0xDC00
      else { break }
      return offset + 12
    default: break
    }
    throw JSONFault(reason: .invalidJSON, offset: offset)
  }

  /// Parses four hexadecimal digits as a UTF-16 code unit; `nil` if they are not four digits.
  private func hexUnit(at offset: Int) -> UInt32? {
    var unit: UInt32 = 0
    for index in 0..<4 {
      let digit: UInt8
      switch byte(at: offset + index) {
      case let byte where byte &- 0x30 <= 9: digit = byte - 0x30
      case let byte where (byte | 0x20) &- 0x61 <= 5: digit = (byte | 0x20) - 0x61 + 10
      default: return nil
      }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  /// Validates one character of two to four bytes, and returns the position of the next byte.
  ///
  /// Refuses overlong forms, surrogates and code points that are too large.
  private func passCharacter(at offset: Int) throws(JSONFault) -> Int {
    let first = byte(at: offset)
    let second = byte(at: offset + 1)
    let isSecondFine: Bool
    let count: Int
    switch first {
    case 0xC2...0xDF: (count, isSecondFine) = (2, second & 0xC0 == 0x80)
    case 0xE0: (count, isSecondFine) = (3, second >= 0xA0 && second <= 0xBF)
    case 0xED: (count, isSecondFine) = (3, second >= 0x80 && second <= 0x9F)
    case 0xE1...0xEF: (count, isSecondFine) = (3, second & 0xC0 == 0x80)
    case 0xF0: (count, isSecondFine) = (4, second >= 0x90 && second <= 0xBF)
    case 0xF1...0xF3: (count, isSecondFine) = (4, second & 0xC0 == 0x80)
    case 0xF4: (count, isSecondFine) = (4, second >= 0x80 && second <= 0x8F)
    default: (count, isSecondFine) = (1, false)
    }
    guard isSecondFine else { throw JSONFault(reason: .invalidUTF8, offset: offset) }
    for index in 2..<max(2, count) where byte(at: offset + index) & 0xC0 != 0x80 {
      throw JSONFault(reason: .invalidUTF8, offset: offset)
    }
    return offset + count
  }

  /// Appends the text of a string, with its escapes resolved.
  ///
  /// The string was validated when it was read.
  package func unescape(_ scalar: Scalar, into text: inout [UInt8]) {
    guard scalar.kind != .text else {
      return unsafe text.append(contentsOf: bytes(scalar))
    }
    let start = text.count
    // An escape is at least as long as its character. Whole words are written, up to seven bytes
    // beyond the text.
    text.append(contentsOf: repeatElement(0, count: Int(scalar.length) + 8))
    let written = unsafe text.withUnsafeMutableBufferPointer { buffer in
      guard let target = buffer.baseAddress else { return 0 }
      return unsafe unescape(scalar, to: UnsafeMutableRawPointer(target + start))
    }
    text.removeLast(text.count - start - written)
  }

  /// Writes the text of a string, with its escapes resolved, and returns the number of bytes.
  private func unescape(_ scalar: Scalar, to target: UnsafeMutableRawPointer) -> Int {
    var offset = Int(scalar.start)
    let stop = offset + Int(scalar.length)
    var count = 0
    while offset < stop {
      let word = word(at: offset)
      unsafe target.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
      let plain = min(bytesBeforeBackslash(word), stop - offset)
      offset += plain
      count += plain
      guard plain < 8, offset < stop else { continue }
      let escape = byte(at: offset + 1)
      guard escape == UInt8(ascii: "u") else {
        unsafe target.storeBytes(
          of: Self.character(ofEscape: escape), toByteOffset: count, as: UInt8.self)
        offset += 2
        count += 1
        continue
      }
      var character = hexUnit(at: offset + 2) ?? 0
      offset += 6
      if character & 0xFC00 == 0xD800 {
        let low = hexUnit(at: offset + 2) ?? 0
        character = 0x10000 + (character & 0x3FF) << 10 + (low & 0x3FF)
        offset += 6
      }
      unsafe count += Self.write(character, to: target + count)
    }
    return count
  }

  private static func character(ofEscape escape: UInt8) -> UInt8 {
    switch escape {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: escape
    }
  }

  /// Writes a character in UTF-8, and returns the number of bytes.
  private static func write(_ character: UInt32, to target: UnsafeMutableRawPointer) -> Int {
    func put(_ byte: UInt32, _ index: Int) {
      unsafe target.storeBytes(
        of: UInt8(truncatingIfNeeded: byte), toByteOffset: index, as: UInt8.self)
    }
    func tail(_ shift: UInt32) -> UInt32 { 0x80 | character >> shift & 0x3F }
    switch character {
    case 0..<0x80:
      put(character, 0)
      return 1
    case 0x80..<0x800:
      put(0xC0 | character >> 6, 0)
      put(tail(0), 1)
      return 2
    case 0x800..<0x10000:
      put(0xE0 | character >> 12, 0)
      put(tail(6), 1)
      put(tail(0), 2)
      return 3
    default:
      put(0xF0 | character >> 18, 0)
      put(tail(12), 1)
      put(tail(6), 2)
      put(tail(0), 3)
      return 4
    }
  }
}

/// The number of bytes in a word before its first backslash; 8 without a backslash.
@inline(__always) private func bytesBeforeBackslash(_ word: UInt64) -> Int {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let backslashes = word ^ ones &* 0x5C
  let marks = (backslashes &- ones) & ~backslashes & (ones &* 0x80)
  return marks.trailingZeroBitCount &>> 3
}

/// Marks the bytes that end the fast scan of a string: quotes, backslashes, control characters and
/// non-ASCII bytes.
///
/// The result has the byte 0xFF for each marked byte, else 0, in little-endian order.
///
/// The operands have explicit types, because with inferred types the compiler chooses slower
/// operators that work byte by byte.
@inline(__always) private func stopMarks(_ bytes: SIMD16<Int8>) -> (low: UInt64, high: UInt64) {
  let quotes = bytes .== SIMD16<Int8>(repeating: 0x22)
  let backslashes = bytes .== SIMD16<Int8>(repeating: 0x5C)
  // Non-ASCII bytes are negative.
  let others = bytes .< SIMD16<Int8>(repeating: 0x20)
  let marks = unsafe unsafeBitCast(quotes .| backslashes .| others, to: SIMD2<UInt64>.self)
  return (UInt64(littleEndian: marks.x), UInt64(littleEndian: marks.y))
}
