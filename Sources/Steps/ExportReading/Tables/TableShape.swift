internal import CivilTime
internal import Diagnostics

/// The shape of a text table: its separator and its columns.
///
/// A table begins with a header (RFC 4180). Example: `"product_id";price;currency` has three
/// columns and the separator `;`.
struct TableShape: Sendable {
  /// The byte between two cells: a comma, a semicolon, a tab or a bar.
  let separator: UInt8
  /// The names of the columns, in order.
  let columns: [String]

  private static let separators = [
    UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|"),
  ]

  /// Reads the header of a table, without its line end.
  ///
  /// The separator is the most frequent of comma, semicolon, tab and bar outside of quotes. For a
  /// header with a single column, it is the comma.
  init(header: JSONCursor) {
    var counts = Self.separators.map { _ in 0 }
    var isQuoted = false
    for offset in 0..<header.end {
      let byte = header.byte(at: offset)
      if byte == Byte.quote { isQuoted.toggle() }
      guard !isQuoted, let place = Self.separators.firstIndex(of: byte) else { continue }
      counts[place] += 1
    }
    let place = counts.firstIndex(of: counts.max() ?? 0) ?? 0
    separator = Self.separators[place]
    var names: [String] = []
    var cells = CellReader(header, separator: separator)
    while let cell = cells.next() {
      names.append(
        ColumnName.text(
          cell.isEscaped ? cells.unquoted(cell) : cell.range.map { header.byte(at: $0) }))
    }
    columns = names
  }
}

extension TableShape {
  /// What the columns show of a table that cannot be read; `nil` if they show nothing.
  var finding: String? {
    if columns.contains(where: TableHeader.isValue) { return TableHeader.advice }
    let raw = ["receipt_data", "receipt-data", "receiptData", "latest_receipt"]
    return columns.contains(where: raw.contains) ? ForeignContent.base64.description : nil
  }
}

/// The first line of a table that has values where the names of the columns belong.
public enum TableHeader {
  /// What the owner can do.
  public static let advice =
    "its first line has values where the names of the columns belong; export it with a header, or "
    + "write one as the first line"

  /// Whether the text of a cell is a time, an amount, an id or JSON, and so no name of a column.
  public static func isValue(_ cell: String) -> Bool {
    if cell.count >= 10, Instant(text: cell) != nil { return true }
    if cell.hasPrefix("{\"") { return true }
    if cell.utf8.count > 5, cell.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return true }
    let parts = cell.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
  }
}

/// One cell of a row, as a range of the text.
struct TableCell {
  /// The bytes of the cell; without the quotes if it is quoted.
  var range: Range<Int>
  /// Whether the cell contains escaped quotes.
  var isEscaped = false
}

/// Splits the row of a table into cells.
///
/// Follows Python's `csv`: a quote opens a quoted cell only at the beginning of the cell. Two
/// quotes inside a quoted cell are one quote. Text after the closing quote belongs to the cell.
struct CellReader {
  private let row: JSONCursor
  private let separator: UInt8
  private var position = 0
  private var isAtEnd = false
  /// Whether the row ends inside a quoted cell.
  private(set) var isOpen = false

  /// Starts reading a row; `row` does not include the line end.
  init(_ row: JSONCursor, separator: UInt8) {
    self.row = row
    self.separator = separator
  }

  /// Reads the next cell; `nil` after the last cell of the row.
  mutating func next() -> TableCell? {
    guard !isAtEnd else { return nil }
    guard position < row.end, row.byte(at: position) == Byte.quote else {
      return TableCell(range: unquotedEnd(from: position))
    }
    let start = position + 1
    var offset = start
    var isEscaped = false
    while let quote = row.position(of: Byte.quote, in: offset..<row.end) {
      offset = quote
      if offset + 1 < row.end, row.byte(at: offset + 1) == Byte.quote {
        isEscaped = true
        offset += 2
        continue
      }
      let close = offset
      if close + 1 == row.end || row.byte(at: close + 1) == separator {
        end(at: close + 1)
        return TableCell(range: start..<close, isEscaped: isEscaped)
      }
      // Text follows the closing quote, so the cell continues without quotes.
      let rest = unquotedEnd(from: close + 1)
      return TableCell(range: (start - 1)..<rest.upperBound, isEscaped: true)
    }
    isOpen = true
    isAtEnd = true
    return TableCell(range: start..<row.end, isEscaped: isEscaped)
  }

  /// Copies a cell with escaped quotes: two quotes become one quote.
  func unquoted(_ cell: TableCell) -> [UInt8] {
    var bytes: [UInt8] = []
    var offset = cell.range.lowerBound
    // A cell that continues after its closing quote includes its opening quote.
    let isMixed =
      row.byte(at: offset) == Byte.quote && offset < cell.range.upperBound
      && (offset == 0 || row.byte(at: offset - 1) == separator)
    var isQuoted = true
    if isMixed { offset += 1 }
    while offset < cell.range.upperBound {
      let byte = row.byte(at: offset)
      if byte == Byte.quote, isQuoted {
        if offset + 1 < cell.range.upperBound, row.byte(at: offset + 1) == Byte.quote {
          bytes.append(byte)
          offset += 2
          continue
        }
        isQuoted = false
        offset += 1
        continue
      }
      bytes.append(byte)
      offset += 1
    }
    return bytes
  }

  private mutating func unquotedEnd(from start: Int) -> Range<Int> {
    let offset = row.position(of: separator, in: start..<row.end) ?? row.end
    end(at: offset)
    return start..<offset
  }

  /// Ends a cell: continues after the separator at the offset, or ends the row.
  private mutating func end(at offset: Int) {
    if offset < row.end { position = offset + 1 } else { isAtEnd = true }
  }
}
