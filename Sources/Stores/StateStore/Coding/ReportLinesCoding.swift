internal import AppleReports
internal import PurchaseModel

/// The numbers for a missing text and for a repeated text in the encoded lines.
///
/// Each text of a report is stored once, at its first occurrence. If a field has no text, the
/// number is ``none``. If a field has the same text as in the last line with a text in this field,
/// the number is ``asBefore``.
private enum TextMark {
  static let none = 0
  static let asBefore = 1
  /// The number of the report's first text; each new text gets the next number.
  static let first = 2
}

/// The last value of each field; the fields of a line are in the same order in all lines.
private struct LastValues {
  private var texts: [String?] = []
  private var numbers: [Int64] = []
  /// The position of the next field in its line.
  var field = 0

  /// Moves to the next field; the position before is the field's.
  mutating func next() -> Int {
    defer { field += 1 }
    if field == texts.count {
      texts.append(nil)
      numbers.append(0)
    }
    return field
  }

  subscript(text field: Int) -> String? {
    get { texts[field] }
    set { texts[field] = newValue }
  }
  subscript(number field: Int) -> Int64 {
    get { numbers[field] }
    set { numbers[field] = newValue }
  }
}

/// Encodes the lines of a report for the column `apple_report.lines`.
///
/// A number is its distance from the last number in its field, and 0 stands for no number.
struct ReportLinesWriter: FieldCoder {
  private var writer = BodyWriter(numbers: .own(0))
  private var known: [String: Int] = [:]
  private var last = LastValues()

  static func bytes(of lines: [AppleReportLine]) -> [UInt8] {
    var writer = ReportLinesWriter()
    for var line in lines {
      writer.last.field = 0
      line.coded(by: &writer)
    }
    return writer.writer.bytes
  }

  mutating func code(_: String, _ number: inout Int64?) {
    let field = last.next()
    guard let number else { return writer.number(0) }
    writer.number(BodyWriter.folded(number &- last[number: field]) &+ 1)
    last[number: field] = number
  }

  mutating func code(_: String, _ text: inout String?) {
    let field = last.next()
    guard let text else { return writer.number(TextMark.none) }
    guard text != last[text: field] else { return writer.number(TextMark.asBefore) }
    last[text: field] = text
    if let number = known[text] { return writer.number(TextMark.first + number) }
    writer.number(TextMark.first + known.count)
    known[text] = known.count
    writer.number(text.utf8.count)
    for byte in text.utf8 { writer.byte(byte) }
  }

  func failure(_ expected: String) -> Never {
    preconditionFailure("a writer reads nothing: \(expected)")
  }
}

/// Reads lines that ``ReportLinesWriter`` has encoded.
struct ReportLinesReader: FieldCoder {
  /// A line that does not end, or a field with an impossible value.
  struct Damage: Error {}

  private var reader: BodyReader
  private var texts: [String] = []
  private var last = LastValues()

  /// Starts before the first line; the bytes must outlive the reader.
  @unsafe init?(_ bytes: UnsafeRawBufferPointer) {
    guard let reader = unsafe BodyReader(bytes.assumingMemoryBound(to: UInt8.self)) else {
      return nil
    }
    self.reader = reader
  }

  /// Reads the next line; `nil` after the last line.
  mutating func next() throws(Damage) -> AppleReportLine? {
    guard !reader.isAtEnd else { return nil }
    last.field = 0
    return try AppleReportLine(from: &self)
  }

  mutating func code(_: String, _ number: inout Int64?) throws(Damage) {
    let field = last.next()
    let written = reader.number()
    guard !reader.isDamaged else { throw Damage() }
    guard written > 0 else { return number = nil }
    last[number: field] &+= BodyReader.unfolded(written - 1)
    number = last[number: field]
  }

  mutating func code(_: String, _ text: inout String?) throws(Damage) {
    let field = last.next()
    let mark = reader.number(below: TextMark.first + texts.count + 1)
    switch mark {
    case TextMark.none: text = nil
    case TextMark.asBefore: text = last[text: field]
    default:
      if mark == TextMark.first + texts.count {
        let count = reader.count()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count { bytes.append(reader.byte()) }
        texts.append(String(decoding: bytes, as: UTF8.self))
      }
      last[text: field] = texts[mark - TextMark.first]
      text = last[text: field]
    }
    guard !reader.isDamaged else { throw Damage() }
  }

  func failure(_ expected: String) -> Damage { Damage() }
}
