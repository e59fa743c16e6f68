/// Reads the rows of a table.
extension ExportFramer {
  /// Starts a table if the first line is a header; skips the header.
  mutating func beginTable() throws(ExportError) -> Bool {
    guard reader.mayReadTables else { return false }
    guard let end = try rowEnd() else { return false }
    let range = buffer.start..<withoutReturn(buffer.start..<end).upperBound
    let cells = buffer.withText(range) { [reader] header in reader.cells(header) }
    guard let cells else { return false }
    reader.begin(cells)
    useRow(end)
    return true
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

  /// Finds the end of the row that begins here: its line feed, or the end of the text; `nil` for a
  /// row larger than the largest record.
  private mutating func rowEnd() throws(ExportError) -> Int? {
    var scan = RowScan(separator: reader.cells?.shape.separator)
    var offset = 0
    while true {
      // Most rows have no quotes and end at their first line feed.
      while buffer.start + offset < buffer.end {
        if scan.ends(at: buffer[buffer.start + offset]) { return buffer.start + offset }
        offset += 1
      }
      if buffer.isComplete { return buffer.end }
      guard offset <= limits.record else { return nil }
      try buffer.fill()
    }
  }

  /// The range without a carriage return at its end.
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

/// Finds the end of a row byte by byte: the first line feed outside of quotes.
struct RowScan {
  /// The separator; `nil` for the header, in which any separator may occur.
  let separator: UInt8?
  private var isAtCell = true
  private var isQuoted = false
  private var isBehindQuote = false

  init(separator: UInt8?) { self.separator = separator }

  /// Reads the next byte; returns true for the line feed that ends the row.
  @inline(__always) mutating func ends(at byte: UInt8) -> Bool {
    if isQuoted {
      if byte == Byte.quote {
        isQuoted = false
        isBehindQuote = true
      }
      return false
    }
    if byte == Byte.quote, isAtCell || isBehindQuote {
      isQuoted = true
      isAtCell = false
      isBehindQuote = false
      return false
    }
    if byte == Byte.newline { return true }
    isBehindQuote = false
    isAtCell = separator.map { $0 == byte } ?? (byte == 0x2C || byte == 0x3B || byte == 0x09)
    return false
  }
}
