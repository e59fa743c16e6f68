/// What a file is that does not begin as JSON does, as far as its first bytes tell.
///
/// Such a file may still hold records, behind a line that a program printed first. Of one without
/// any, the first reject says what it seems to be; what cannot hold lines of text is refused.
public enum ForeignContent: Hashable, Sendable, CustomStringConvertible {
  /// Packed by something other than gzip, which is named.
  case packed(String)
  /// An archive of many files.
  case archive(String)
  /// A SQLite database.
  case database
  /// UTF-16 or UTF-32, as Windows tools write.
  case wideText
  /// HTML or XML: often an error page.
  case markup
  /// A receipt as the app sends it.
  case base64
  /// JSON within quotation marks, as in a CSV of one column.
  case quoted
  /// Any other text: CSV, SQL, a log.
  case text
  /// Anything else.
  case binary

  /// How many bytes tell.
  static let bytesLookedAt = 512

  /// Judges the first bytes of a text, blanks left out; `nil` where they begin as JSON does.
  init?(beginning bytes: [UInt8]) {
    guard let first = bytes.first, first != Byte.openBrace, first != Byte.openBracket else {
      return nil
    }
    func begins(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
    func begins(_ magic: [UInt8]) -> Bool { bytes.starts(with: magic) }
    let firstLine = bytes.prefix { $0 != Byte.newline && $0 != UInt8(ascii: "\r") }
    if begins("PK\u{3}\u{4}") {
      self = .archive("zip")
    } else if bytes.count > 262, bytes[257..<262].elementsEqual("ustar".utf8) {
      self = .archive("tar")
    } else if begins("BZh") {
      self = .packed("bzip2")
    } else if begins([0xFD, 0x37, 0x7A, 0x58, 0x5A]) {
      self = .packed("xz")
    } else if begins([0x28, 0xB5, 0x2F, 0xFD]) {
      self = .packed("zstd")
    } else if begins([0x1F, 0x8B]) {
      self = .packed("gzip twice")
    } else if begins("SQLite format 3\0") {
      self = .database
    } else if begins([0xFF, 0xFE]) || begins([0xFE, 0xFF]) || firstLine.prefix(64).contains(0) {
      self = first < 0x80 || begins([0xFF, 0xFE]) || begins([0xFE, 0xFF]) ? .wideText : .binary
    } else if first == UInt8(ascii: "<") {
      self = .markup
    } else if first == Byte.quote {
      self = .quoted
    } else if firstLine.count >= 64, firstLine.allSatisfy(Self.isBase64) {
      self = .base64
    } else {
      self = bytes.contains { $0 < 0x09 } ? .binary : .text
    }
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
      UInt8(ascii: "="):
      true
    default: false
    }
  }

  /// What the file seems to be and what to do, without the file's name.
  public var description: String {
    switch self {
    case .packed(let format): "it is packed with \(format); unpack it, or pack it with gzip"
    case .archive(let format): "it is a \(format) archive; unpack it"
    case .database: "it is a SQLite database; write its rows as JSON, one object a line"
    case .wideText: "it seems to be UTF-16; write it as UTF-8"
    case .markup: "it is HTML or XML; an error page?"
    case .base64:
      "it seems to hold receipts that Apple has not answered; paidline-validate reads these"
    case .quoted:
      "its JSON stands in quotation marks, as in a CSV column; write the objects themselves, one "
        + "a line"
    case .text: "it is some other text, such as CSV, SQL or a log; write one JSON object a line"
    case .binary: "it is some binary format; write one JSON object a line"
    }
  }
}
