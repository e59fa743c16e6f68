internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import SignedTransactions

/// A line between two filters: a tag and fields, separated by tabs.
///
/// In a text, a tab, line feed, carriage return or backslash is written `\t`, `\n`, `\r` or `\\`;
/// `\N` means null. A key has 16 hexadecimal digits, so that keys sort in the order of the numbers.
/// Packed bytes are base64.
struct FilterRow {
  /// The tag, which determines the meaning of the fields.
  let tag: String
  /// The whole line, without its line feed.
  let line: [UInt8]
  /// The name of the input and the line number, for messages.
  private let place: String
  private var position: Int

  /// Creates a row from a line of the input; its fields are read later.
  init(_ line: [UInt8], place: String) {
    let end = line.firstIndex(of: FilterText.tab) ?? line.count
    tag = String(decoding: line[..<end], as: UTF8.self)
    self.line = line
    self.place = place
    position = end
  }

  /// Reads the next field without converting it.
  mutating func field() throws(RunFailure) -> ArraySlice<UInt8> {
    guard position < line.count else { throw failure("a further field") }
    let start = position + 1
    let end = line[start...].firstIndex(of: FilterText.tab) ?? line.count
    position = end
    return line[start..<end]
  }

  /// Reads the next field as the bytes of a text; `nil` for null.
  mutating func text() throws(RunFailure) -> [UInt8]? {
    let written = try field()
    if written.elementsEqual(FilterText.none) { return nil }
    guard let text = FilterText.read(written) else { throw failure("a text") }
    return text
  }

  /// Reads the next field as the bytes of a text; null is an error.
  mutating func requiredText() throws(RunFailure) -> [UInt8] {
    guard let text = try text() else { throw failure("a text") }
    return text
  }

  /// Reads the next field as a symbol of a table; a text that is new to the table is added.
  mutating func symbol(in table: inout SymbolTable) throws(RunFailure) -> Symbol {
    let text = try requiredText()
    return table.intern(text.span)
  }

  /// Reads the next two fields, id and app, as a product; new texts are added to the table.
  mutating func product(in table: inout SymbolTable) throws(RunFailure) -> ProductID {
    let id = try symbol(in: &table)
    return ProductID(id, of: try text().map { BundleID(table.intern($0.span)) })
  }

  /// Reads the next field as a word without escapes.
  mutating func word() throws(RunFailure) -> String { String(decoding: try field(), as: UTF8.self) }

  /// Reads the next field as a number; `nil` for null.
  mutating func optionalNumber() throws(RunFailure) -> Int64? {
    let written = try field()
    if written.elementsEqual(FilterText.none) { return nil }
    guard let number = Int64(String(decoding: written, as: UTF8.self)) else {
      throw failure("a whole number")
    }
    return number
  }

  /// Reads the next field as a number; null is an error.
  mutating func number() throws(RunFailure) -> Int64 {
    guard let number = try optionalNumber() else { throw failure("a whole number") }
    return number
  }

  /// Reads the next field as a time in milliseconds since 1970; `nil` for null.
  mutating func moment() throws(RunFailure) -> Instant? {
    try optionalNumber().map(Instant.init(milliseconds:))
  }

  /// Reads the next field as 0 or 1.
  mutating func flag() throws(RunFailure) -> Bool { try number() == 1 }

  /// Reads the next field as a key of 16 hexadecimal digits.
  mutating func key() throws(RunFailure) -> Int64 {
    let written = try field()
    let digits = String(decoding: written, as: UTF8.self)
    guard written.count == 16, let bits = UInt64(digits, radix: 16)
    else { throw failure("a key of 16 hexadecimal digits") }
    return Int64(bitPattern: bits ^ 1 << 63)
  }

  /// Reads the next field as packed bytes, which are written as base64.
  mutating func packed() throws(RunFailure) -> [UInt8] {
    let written = try field()
    var bytes: [UInt8] = []
    guard Base64Alphabet.certificate.decode(written.span, into: &bytes) else {
      throw failure("base64")
    }
    return bytes
  }

  /// Creates the failure for a wrong field of this row; `expected` is the expected content.
  func failure(_ expected: String) -> RunFailure {
    RunFailure(
      .invariantBroken,
      "\(place): expected \(expected) in a row \"\(OneLine.text(tag))\"; found "
        + "\(OneLine.text(String(decoding: line.prefix(120), as: UTF8.self))). Was the row written "
        + "by another version, or is it cut off?")
  }
}

/// The escapes for bytes that would end a field or a row.
enum FilterText {
  static let tab = UInt8(ascii: "\t")
  static let none = Array("\\N".utf8)

  /// Appends a text to a line, with escapes.
  static func append(_ text: some Sequence<UInt8>, to line: inout [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "\\"): line += Array("\\\\".utf8)
      case UInt8(ascii: "\t"): line += Array("\\t".utf8)
      case UInt8(ascii: "\n"): line += Array("\\n".utf8)
      case UInt8(ascii: "\r"): line += Array("\\r".utf8)
      default: line.append(byte)
      }
    }
  }

  /// Reads a text with escapes; `nil` if it has an unknown escape, such as `\x`.
  static func read(_ written: ArraySlice<UInt8>) -> [UInt8]? {
    guard written.contains(UInt8(ascii: "\\")) else { return Array(written) }
    var text: [UInt8] = []
    var bytes = written.makeIterator()
    while let byte = bytes.next() {
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      switch bytes.next() {
      case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "t"): text.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "r"): text.append(UInt8(ascii: "\r"))
      default: return nil
      }
    }
    return text
  }
}

/// Converts bytes to base64 with padding (RFC 4648, section 4), and back.
enum Base64Text {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Appends bytes as base64 characters.
  static func append(_ bytes: [UInt8], to line: inout [UInt8]) {
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group: UInt32 = 0
      for index in 0..<3 {
        group = group << 8 | (index < count ? UInt32(bytes[start + index]) : 0)
      }
      for index in 0..<4 {
        let bits = Int(group >> (18 - 6 * UInt32(index)) & 63)
        line.append(index <= count ? letters[bits] : UInt8(ascii: "="))
      }
    }
  }
}
