/// The fields of one line of a report, with the report's header.
///
/// The memory of the fields is reused for the next line.
struct ReportRow {
  let header: ReportHeader
  private var line: [UInt8] = []
  private var cells: [Range<Int>] = []

  /// Creates a row without fields, for a report with this header.
  init(under header: ReportHeader) { self.header = header }

  /// Reads a line; returns `false` if the line has more fields than the header has columns.
  ///
  /// In that case, the fields cannot be matched with the columns.
  mutating func read(_ line: [UInt8]) -> Bool {
    self.line = line
    Self.split(line, by: header.separator, into: &cells)
    return cells.count <= header.count
  }

  /// The range of a field in ``line``; `nil` for an empty field and a missing column.
  private func place(_ position: Int) -> Range<Int>? {
    guard position >= 0, position < cells.count, !cells[position].isEmpty else { return nil }
    return cells[position]
  }

  /// Returns true if a field is empty or missing.
  func isEmpty(at position: Int) -> Bool { place(position) == nil }

  /// The text of a field; `nil` for a missing column and an empty or blank field.
  func text(_ column: ReportColumn) -> String? {
    place(header.position(column)).map { String(decoding: line[$0], as: UTF8.self) }
  }

  /// Returns the value that a function reads from the bytes of a field; `nil` for an empty field.
  @inline(__always)
  func read<Value>(at position: Int, _ read: (Span<UInt8>) -> Value) -> Value? {
    guard let place = place(position) else { return nil }
    return read(line.span.extracting(place))
  }

  /// Returns true if a field consists of a given word, in upper or lower case.
  ///
  /// `word` must be in lower case.
  func holds(_ column: ReportColumn, _ word: StaticString) -> Bool {
    read(at: header.position(column)) { text in
      guard text.count == word.utf8CodeUnitCount else { return false }
      for index in text.indices {
        let byte = text[index]
        let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
        guard unsafe (isCapital ? byte | 0x20 : byte) == word.utf8Start[index] else { return false }
      }
      return true
    } ?? false
  }

  /// Splits a line into the texts of all its fields.
  static func texts(_ line: [UInt8], separator: UInt8 = UInt8(ascii: "\t")) -> [String] {
    var cells: [Range<Int>] = []
    split(line, by: separator, into: &cells)
    return cells.map { String(decoding: line[$0], as: UTF8.self) }
  }

  /// Finds the ranges of the fields of a line, without the blanks and quotes around each field.
  ///
  /// Within quotes, a comma separates nothing; in a table with tabs, quotes have no meaning.
  private static func split(_ line: [UInt8], by separator: UInt8, into cells: inout [Range<Int>]) {
    cells.removeAll(keepingCapacity: true)
    let bytes = line.span
    let quote: UInt8? = separator == UInt8(ascii: ",") ? UInt8(ascii: "\"") : nil
    var start = 0
    var isQuoted = false
    for position in 0...bytes.count {
      if position < bytes.count {
        if bytes[position] == quote { isQuoted.toggle() }
        guard bytes[position] == separator, !isQuoted else { continue }
      }
      var (low, high) = (start, position)
      while high > low, bytes[high - 1] == 0x20 || bytes[high - 1] == 0x0D { high -= 1 }
      while low < high, bytes[low] == 0x20 { low += 1 }
      if high - low >= 2, bytes[low] == quote, bytes[high - 1] == quote {
        (low, high) = (low + 1, high - 1)
      }
      cells.append(low..<high)
      start = position + 1
    }
  }

  /// Returns true if all fields of a line are empty.
  static func isBlank(_ line: [UInt8]) -> Bool {
    line.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == UInt8(ascii: "\t") }
  }
}
