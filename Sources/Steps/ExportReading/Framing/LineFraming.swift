/// Reads texts that have one record per line.
extension ExportFramer {
  /// Returns true if the first line is one complete JSON value; then every line is a record.
  ///
  /// Also true if the first line is larger than the largest record. Then only this line is
  /// rejected.
  mutating func isFirstLineWhole() throws(ExportError) -> Bool {
    var scanned = buffer.start
    while buffer.newline(from: scanned) == nil, !buffer.isComplete {
      guard buffer.end - buffer.start <= limits.record else { return true }
      let known = buffer.end - buffer.start
      try buffer.fill()
      scanned = buffer.start + known
    }
    let end = buffer.newline(from: buffer.start) ?? buffer.end
    return buffer.withText(buffer.start..<end) { cursor in
      var cursor = cursor
      do {
        try cursor.skipValue(level: 0)
        return cursor.isAtEndOfText()
      } catch {
        return false
      }
    }
  }

  /// Reads a text in which every line is a record.
  mutating func readLines() throws(ExportError) {
    var scanned = buffer.start
    while !hasEnough {
      if let newline = buffer.newline(from: scanned) {
        readLine(buffer.start..<newline)
        buffer.use(upTo: newline + 1)
        line += 1
        try deliver()
        scanned = newline + 1
      } else if buffer.isComplete {
        readLine(buffer.start..<buffer.end)
        return
      } else if buffer.end - buffer.start > limits.record {
        rejectTooLarge(at: line)
        try skipLine()
        scanned = buffer.start
      } else {
        let known = buffer.end - buffer.start
        try buffer.fill()
        scanned = buffer.start + known
      }
    }
  }

  private mutating func readLine(_ range: Range<Int>) {
    guard range.count <= limits.record else {
      rejectTooLarge(at: line)
      return
    }
    readRecord(range, at: line)
  }

  /// Skips the rest of a line, with at most one buffer of text in memory.
  mutating func skipLine() throws(ExportError) {
    while true {
      if let newline = buffer.newline(from: buffer.start) {
        buffer.use(upTo: newline + 1)
        line += 1
        return
      }
      buffer.use(upTo: buffer.end)
      guard !buffer.isComplete else { return }
      try buffer.fill()
    }
  }
}
