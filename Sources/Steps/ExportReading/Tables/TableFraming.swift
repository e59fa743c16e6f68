internal import PurchaseModel

/// Reads the rows of a table.
extension ExportFramer {
  /// Begins a table and skips its header; returns false if the first line is not a known header.
  mutating func beginTable() throws(ExportError) -> Bool {
    guard reader.mayReadTables, !beginsWithQuotedObject else { return false }
    guard var end = try rowEnd() else { return false }
    let length = end - buffer.start
    if end + 1 >= buffer.end, !buffer.isComplete { try buffer.fill() }
    end = buffer.start + length
    let range = buffer.start..<withoutReturn(buffer.start..<end).upperBound
    let cells = buffer.withText(range) { [reader] header in reader.cells(header) }
    guard let cells, cells.shape.columns.count > 1 || mayBeCell(at: end + 1) else {
      let shape = buffer.withText(range) { TableShape(header: $0) }
      if cells == nil, shape.columns.count > 1 {
        unknownHeader = shape
        if limits.reportsAllFaults {
          reader.previews.paths = shape.columns.map { FieldPath.text(of: $0) }
        }
      }
      return false
    }
    reader.begin(cells)
    useRow(end)
    return true
  }

  /// Whether the text begins with an object in quotation marks, `"{\"…`, which is no header.
  private var beginsWithQuotedObject: Bool {
    buffer.start + 2 < buffer.end && buffer[buffer.start] == Byte.quote
      && buffer[buffer.start + 1] == Byte.openBrace
      && buffer[buffer.start + 2] == Byte.backslash
  }

  /// Returns true if the row at a position may belong to a table with one column.
  ///
  /// The row then begins with a quotation mark or, among signed transactions, with the first letter
  /// of a JWS, `e`.
  private func mayBeCell(at position: Int) -> Bool {
    guard position < buffer.end else { return true }
    let first = buffer[position]
    return first == Byte.quote || (reader.kind == .signed && first == UInt8(ascii: "e"))
  }

  /// Reads all rows of a table after its header.
  mutating func readRows() throws(ExportError) {
    while !hasEnough {
      if buffer.start == buffer.end {
        guard !buffer.isComplete else { return }
        try buffer.fill()
        if buffer.start == buffer.end { return }
      }
      guard let end = try rowEnd() else {
        rejectTooLarge(at: line)
        try skipLine()
        continue
      }
      let range = withoutReturn(buffer.start..<end)
      if !range.isEmpty { buffer.withText(range) { reader.readRow($0, line: line) } }
      useRow(end)
      try deliver()
    }
  }

  /// Finds the end of the row at the start of the buffer: its line feed, or the end of the text.
  ///
  /// `nil` for a row larger than the largest record.
  private mutating func rowEnd() throws(ExportError) -> Int? {
    var scan = RowScan(separator: reader.cells?.shape.separator)
    while true {
      let isComplete = buffer.isComplete
      let end = buffer.withText(buffer.start..<buffer.end) { text in
        scan.end(in: text, isComplete: isComplete)
      }
      if let end { return buffer.start + end }
      guard buffer.end - buffer.start <= limits.record else { return nil }
      try buffer.fill()
    }
  }

  /// Returns a row's range without the carriage return at its end, if there is any.
  private func withoutReturn(_ range: Range<Int>) -> Range<Int> {
    guard !range.isEmpty, buffer[range.upperBound - 1] == UInt8(ascii: "\r") else { return range }
    return range.lowerBound..<(range.upperBound - 1)
  }

  private mutating func useRow(_ end: Int) {
    line += buffer.newlines(in: buffer.start..<end)
    let isLast = end == buffer.end
    if !isLast { line += 1 }
    buffer.use(upTo: isLast ? end : end + 1)
  }
}

/// Finds the end of a row: a line feed outside of quotes.
struct RowScan {
  /// The separator; `nil` for the header, in which any separator may occur.
  let separator: UInt8?
  /// The number of bytes of the row that have been scanned.
  private var offset = 0
  private var isQuoted = false

  init(separator: UInt8?) { self.separator = separator }

  /// Finds the end of the row at the beginning of a text; `nil` if more of the text is needed.
  ///
  /// - Parameters:
  ///   - text: The text from the beginning of the row; longer than at the previous call.
  ///   - isComplete: Whether the text ends at the end of the file; the last row may lack a line
  ///     feed.
  mutating func end(in text: JSONCursor, isComplete: Bool) -> Int? {
    while true {
      if isQuoted {
        guard let quote = text.position(of: Byte.quote, in: offset..<text.end) else {
          offset = text.end
          return isComplete ? text.end : nil
        }
        // Two quotes stand for one quote in the cell; the second quote may not be in the buffer
        // yet.
        guard quote + 1 < text.end else {
          offset = quote
          return isComplete ? text.end : nil
        }
        isQuoted = text.byte(at: quote + 1) == Byte.quote
        offset = isQuoted ? quote + 2 : quote + 1
        continue
      }
      let newline = text.position(of: Byte.newline, in: offset..<text.end)
      let limit = newline ?? text.end
      guard let quote = text.position(of: Byte.quote, in: offset..<limit) else {
        offset = limit
        return newline ?? (isComplete ? text.end : nil)
      }
      isQuoted = quote == 0 || isSeparator(text.byte(at: quote - 1))
      offset = quote + 1
    }
  }

  private func isSeparator(_ byte: UInt8) -> Bool {
    separator.map { $0 == byte } ?? (byte == 0x2C || byte == 0x3B || byte == 0x09 || byte == 0x7C)
  }
}
