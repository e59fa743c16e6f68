/// The likely format of a file that does not begin with JSON, according to its first bytes.
///
/// The file may still contain records, for example after a line that a program printed first. If a
/// file has no usable record, its first reject names the format. An archive, a database or a file
/// in another compression cannot contain lines of text, and is refused.
public enum ForeignContent: Hashable, Sendable, CustomStringConvertible {
  /// The file is compressed with a format other than gzip, or with gzip twice.
  ///
  /// The value names the compression: `zstd`, `gzip twice`.
  case packed(String)
  /// An archive of several files; the value names its format.
  case archive(String)
  /// A document for people, such as a PDF or a picture; it is ignored.
  ///
  /// The value is a noun phrase: `a PDF`.
  case document(String)
  /// A Parquet file.
  case parquet
  /// An Avro file.
  case avro
  /// The file of a SQLite database.
  case database
  /// UTF-16 or UTF-32, as Windows tools write.
  case wideText
  /// HTML or XML, often an error page of a server.
  case markup
  /// Base64 receipts, as an app sends them to its server.
  case base64
  /// Signed transactions (JWS), one per line.
  case signed
  /// A table of App Store Connect: sales, subscriptions or subscribers.
  case appleReport
  /// Lines that end with a carriage return, without a line feed.
  case returns
  /// JSON within quotation marks, as in a CSV file with one column.
  case quoted
  /// Any other text: CSV, SQL, a log.
  case text
  /// Any other bytes, not text.
  case binary

  /// The number of bytes at the beginning of a file that are examined.
  static let bytesLookedAt = 512

  /// Determines the format from the first bytes after blanks; `nil` if they begin with JSON.
  public init?(beginning bytes: [UInt8]) {
    guard let first = bytes.first else { return nil }
    // A JSON object begins with a name in quotation marks. A column name of Adjust, such as
    // `{currency}`, does not.
    let isObject = bytes.count < 2 || !Self.isLetter(bytes[1])
    guard first != Byte.openBracket, first != Byte.openBrace || !isObject else { return nil }
    func begins(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
    func begins(_ magic: [UInt8]) -> Bool { bytes.starts(with: magic) }
    let firstLine = bytes.prefix { $0 != Byte.newline && $0 != UInt8(ascii: "\r") }
    if let document = Self.document(bytes) {
      self = .document(document)
    } else if begins("PAR1") {
      self = .parquet
    } else if begins([0x4F, 0x62, 0x6A, 0x01]) {
      self = .avro
    } else if begins("PK\u{3}\u{4}") {
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
    } else if let encoded = Self.encoded(firstLine) {
      self = encoded
    } else if Self.hasReturnsOnly(bytes) {
      self = .returns
    } else if first == Byte.quote {
      self = .quoted
    } else if Self.isAppleReport(firstLine) {
      self = .appleReport
    } else {
      self = bytes.contains { $0 < 0x09 } ? .binary : .text
    }
  }

  /// The kind of a document for people; `nil` for other content.
  ///
  /// An XLSX workbook is a zip archive whose first file has one of a few names.
  private static func document(_ bytes: [UInt8]) -> String? {
    let magic: [([UInt8], String)] = [
      (Array("%PDF-".utf8), "a PDF"), ([0x89, 0x50, 0x4E, 0x47], "a picture"),
      ([0xFF, 0xD8, 0xFF], "a picture"), (Array("GIF8".utf8), "a picture"),
      ([0xD0, 0xCF, 0x11, 0xE0], "a document of Office"),
    ]
    if let found = magic.first(where: { bytes.starts(with: $0.0) }) { return found.1 }
    guard bytes.starts(with: Array("PK\u{3}\u{4}".utf8)) else { return nil }
    let name = bytes.dropFirst(30)
    let parts = ["[Content_Types].xml", "_rels/", "docProps/", "xl/"]
    return parts.contains { name.starts(with: $0.utf8) } ? "an XLSX workbook" : nil
  }

  /// Returns true if lines end with a carriage return, and none with a line feed.
  private static func hasReturnsOnly(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.firstIndex(of: UInt8(ascii: "\r")) else { return false }
    return first + 1 < bytes.count && !bytes.contains(Byte.newline)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// Recognizes a first line in base64, with or without quotes: receipts or signed transactions.
  private static func encoded(_ line: ArraySlice<UInt8>) -> ForeignContent? {
    let text = line.first == Byte.quote ? line.dropFirst().prefix { $0 != Byte.quote } : line
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard text.count >= 64, parts.allSatisfy({ $0.allSatisfy(SignedText.isBase64) }) else {
      return nil
    }
    // The header of a JWS may be longer than the examined bytes.
    if text.starts(with: "eyJ".utf8), parts.count <= 3 { return .signed }
    // A receipt is PKCS #7; the receipt of a transaction before iOS 7 begins with a brace.
    let isReceipt = text.starts(with: "MI".utf8) || text.starts(with: "ew".utf8)
    return parts.count == 1 && isReceipt ? .base64 : nil
  }

  /// Returns true if a first line has a column of one of App Store Connect's tables.
  private static func isAppleReport(_ line: ArraySlice<UInt8>) -> Bool {
    let columns = Set(line.split(separator: UInt8(ascii: "\t")).map { Array($0) })
    let names = [
      "Provider Country", "App Apple ID", "Vendor Identifier", "Subscriber ID", "Event Date",
    ]
    return names.contains { columns.contains(Array($0.utf8)) }
  }

  /// Whether the file is text that is read line by line: a table, JSON in quotation marks, a log.
  public var isReadAsText: Bool { self == .text || self == .quoted || self == .base64 }

  /// Whether the text may begin with the header of a table.
  var mayBeTable: Bool { self == .text || self == .quoted || self == .appleReport }

  private static let tableAdvice =
    "or name the columns of a CSV file under keys in its entry (Docs/formats.md)"

  /// The likely format and the remedy, for a message after the file's name.
  public var description: String {
    switch self {
    case .packed(let format):
      "it is compressed with \(format); decompress it, or compress it with gzip once"
    case .archive(let format): "it is a \(format) archive; unpack it"
    case .document(let name): "it is \(name), which is no export"
    case .parquet:
      "it is Parquet; write it as CSV, for example with DuckDB: "
        + "COPY (SELECT * FROM 'file.parquet') TO 'file.csv' (HEADER)"
    case .avro:
      "it is Avro; write its records as JSON, for example with fastavro file.avro > file.ndjson"
    case .database: "it is a SQLite database; write its rows as JSON, one object per line"
    case .wideText:
      "it seems to be UTF-16; write it as UTF-8, for example with "
        + "iconv -f UTF-16 -t UTF-8 old.csv > new.csv"
    case .markup: "it is HTML or XML, perhaps an error page; write one JSON object per line"
    case .base64:
      "it holds base64 receipts without Apple's responses; write each as {\"receipt\":\"…\"} on a "
        + "line of a file under validate.receipts, and run paidline-validate"
    case .signed:
      "it holds signed transactions (JWS) of StoreKit 2 or the App Store Server API; list the file "
        + "under inputs.signed, as it is (Docs/signed.md)"
    case .appleReport:
      "it is a report of App Store Connect, whose lines do not identify purchases; list it under "
        + "inputs.apple_reports (Docs/books.md)"
    case .returns:
      "its lines end with a carriage return only; end each line with a line feed"
    case .quoted:
      "its JSON is in quotation marks, as in a CSV column; write the objects themselves, one "
        + "per line, \(Self.tableAdvice)"
    case .text:
      "it is text, but not JSON, such as CSV, SQL or a log; write one JSON object per line, "
        + Self.tableAdvice
    case .binary: "it is a binary file; write one JSON object per line"
    }
  }
}
