internal import GRDB

/// The format of exported tables.
package enum ExportFormat: String, CaseIterable {
  /// CSV (RFC 4180) with a header, for spreadsheets and programs.
  case csv
  /// The text format of PostgreSQL's `COPY`, with a script that loads the files.
  case pgcopy

  /// The extension of the file names, without a dot: `csv` or `copy`.
  package var fileExtension: String {
    switch self {
    case .csv: "csv"
    case .pgcopy: "copy"
    }
  }
}

/// Converts rows to the bytes of an export format.
package struct RowText {
  let format: ExportFormat
  /// Whether texts that a spreadsheet would run as formulas are escaped with an apostrophe.
  let isSpreadsheetSafe: Bool
  /// The bytes written since the last call of ``take()``.
  private(set) var bytes: [UInt8] = []

  package init(_ format: ExportFormat, isSpreadsheetSafe: Bool) {
    self.format = format
    self.isSpreadsheetSafe = isSpreadsheetSafe
  }

  /// Returns the bytes written so far and removes them.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Writes a header with the names of the columns; the format for `COPY` has none.
  mutating func header(_ columns: [String]) {
    guard format != .pgcopy else { return }
    cells(columns.map { .text($0) })
  }

  mutating func row(_ row: Row) {
    for (index, value) in row.databaseValues.enumerated() {
      separate(index)
      if case .double(let number) = value.storage {
        // The shortest decimal digits that represent this number exactly.
        bytes += Array(number.description.utf8)
      } else {
        append(FactSection.Value(value))
      }
    }
    endRow()
  }

  /// Writes a row, given as its cells.
  mutating func cells(_ cells: [FactSection.Value]) {
    for (index, cell) in cells.enumerated() {
      separate(index)
      append(cell)
    }
    endRow()
  }

  private mutating func separate(_ index: Int) {
    if index > 0 { bytes.append(UInt8(ascii: format == .pgcopy ? "\t" : ",")) }
  }

  private mutating func endRow() {
    bytes += Array(format == .pgcopy ? "\n".utf8 : "\r\n".utf8)
  }

  private mutating func append(_ cell: FactSection.Value) {
    switch (cell, format) {
    case (.null, .pgcopy): bytes += Array("\\N".utf8)
    case (.null, _): break
    case (.number(let number), _): bytes += Array(String(number).utf8)
    case (.text(let text), .pgcopy): appendCopy(text)
    case (.text(let text), _): appendCSV(Array(text.utf8))
    }
  }

  /// Appends a field of CSV, with quotes if needed.
  ///
  /// An empty text is `""`; NULL is an empty field.
  private mutating func appendCSV(_ text: [UInt8]) {
    let isFormula = isSpreadsheetSafe && Self.isFormula(text)
    let needsQuotes =
      isFormula || text.isEmpty || text.first == UInt8(ascii: " ")
      || text.last == UInt8(ascii: " ")
      || text.contains { [0x22, 0x2C, 0x0D, 0x0A].contains($0) }
    guard needsQuotes else {
      bytes += text
      return
    }
    bytes.append(UInt8(ascii: "\""))
    if isFormula { bytes.append(UInt8(ascii: "'")) }
    for byte in text {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns true if the first character of a text makes it a formula in a spreadsheet.
  ///
  /// The list of such characters is OWASP's. Only texts are checked: a refund of -9990 is a number
  /// and stays unchanged.
  static func isFormula(_ text: [UInt8]) -> Bool {
    guard let first = text.first else { return false }
    if [0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0D, 0x0A].contains(first) { return true }
    // U+FF1D, U+FF0B, U+FF0D and U+FF20: = + - @ in full width.
    return [[0xEF, 0xBC, 0x9D], [0xEF, 0xBC, 0x8B], [0xEF, 0xBC, 0x8D], [0xEF, 0xBC, 0xA0]]
      .contains { text.starts(with: $0) }
  }

  /// Appends a text with the escapes of `COPY`.
  ///
  /// A backslash precedes each backslash, and each character that ends a field or row.
  private mutating func appendCopy(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case 0x5C: bytes += [0x5C, 0x5C]
      case 0x08: bytes += [0x5C, UInt8(ascii: "b")]
      case 0x09: bytes += [0x5C, UInt8(ascii: "t")]
      case 0x0A: bytes += [0x5C, UInt8(ascii: "n")]
      case 0x0B: bytes += [0x5C, UInt8(ascii: "v")]
      case 0x0C: bytes += [0x5C, UInt8(ascii: "f")]
      case 0x0D: bytes += [0x5C, UInt8(ascii: "r")]
      default: bytes.append(byte)
      }
    }
  }
}
