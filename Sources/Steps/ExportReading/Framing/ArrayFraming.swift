internal import Diagnostics

/// Reads one array, or several arrays one after another.
extension ExportFramer {
  /// Reads a text of arrays: a single array with all rows of a database, or one array per line with
  /// the rows of each customer.
  ///
  /// The end of an element is found by counting brackets. So an invalid element does not affect the
  /// following elements. Refuses an array that does not continue or end correctly.
  mutating func readArrays() throws(ExportError) {
    repeat {
      guard buffer[buffer.start] == Byte.openBracket else { throw try brokenArray() }
      use(upTo: buffer.start + 1)
      try readElements()
      if hasEnough { return }
      try skipBlanks()
    } while buffer.start < buffer.end
  }

  /// Skips the beginning of a class as Parse exports it, `{"results":[`; false for any other text.
  ///
  /// The beginning must be in the buffer.
  mutating func entersResults() -> Bool {
    var position = buffer.start
    for part in ["{", "\"results\"", ":", "["] {
      for byte in part.utf8 {
        guard position < buffer.end, buffer[position] == byte else { return false }
        position += 1
      }
      while position < buffer.end, Byte.isBlank(buffer[position]) { position += 1 }
    }
    guard position < buffer.end,
      buffer[position] == Byte.openBrace || buffer[position] == Byte.closeBracket
    else { return false }
    use(upTo: position)
    return true
  }

  /// Reads the elements of Parse's `results` as records, of one object or several ones.
  mutating func readResults() throws(ExportError) {
    repeat {
      try readElements()
      if hasEnough { return }
      // Members after the list, such as a count, and the closing brace.
      var position = buffer.start
      while position == buffer.end || buffer[position] != Byte.closeBrace {
        if position < buffer.end {
          position += 1
          continue
        }
        guard !buffer.isComplete else { throw try brokenArray() }
        use(upTo: position)
        try buffer.fill()
        position = buffer.start
      }
      use(upTo: position + 1)
      try skipBlanks()
    } while entersResults()
    guard buffer.start == buffer.end else { throw try brokenArray() }
  }

  /// Reads the elements of an array and its closing bracket.
  private mutating func readElements() throws(ExportError) {
    var isFirst = true
    while !hasEnough {
      try skipBlanks()
      guard buffer.start < buffer.end else { throw try brokenArray() }
      if buffer[buffer.start] == Byte.closeBracket { return use(upTo: buffer.start + 1) }
      if !isFirst {
        guard buffer[buffer.start] == Byte.comma else { throw try brokenArray() }
        use(upTo: buffer.start + 1)
        try skipBlanks()
      }
      isFirst = false
      try readElement()
    }
  }

  private mutating func readElement() throws(ExportError) {
    var brackets = BracketCounter()
    var position = buffer.start
    let firstLine = line
    var isTooLarge = false
    while true {
      if let end = brackets.advance(buffer, &position) {
        let range = buffer.start..<end
        guard isTooLarge || !range.isEmpty else { throw try brokenArray() }
        if isTooLarge || range.count > limits.record {
          rejectTooLarge(at: firstLine)
        } else {
          readRecord(range, at: firstLine)
        }
        use(upTo: end)
        try deliver()
        return
      }
      guard !buffer.isComplete else { throw try brokenArray() }
      if buffer.end - buffer.start > limits.record { isTooLarge = true }
      if isTooLarge { use(upTo: position) }
      let distance = position - buffer.start
      try buffer.fill()
      position = buffer.start + distance
    }
  }

  private mutating func brokenArray() throws(ExportError) -> ExportError {
    try buffer.refused(.brokenArray(textOffset: buffer.textOffset(buffer.start)))
  }
}

extension RecordReader {
  /// Whether the pipeline names a path that begins at `results`, so that Parse's list is a record.
  var namesResults: Bool {
    layout?.layout.paths.contains { $0.paths.contains { $0.hasPrefix("results") } } ?? false
  }
}

/// Finds the end of a value by its brackets and quotes, even if the value exceeds the buffer.
private struct BracketCounter {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var hasBegun = false

  /// Finds the end of the value.
  ///
  /// `nil` if the value continues after the end of the buffer. Then `position` is the end of the
  /// buffer.
  mutating func advance(_ buffer: borrowing TextBuffer, _ position: inout Int) -> Int? {
    while position < buffer.end {
      let byte = buffer[position]
      if isInString {
        position += 1
        if isEscaped {
          isEscaped = false
        } else if byte == Byte.backslash {
          isEscaped = true
        } else if byte == Byte.quote || byte == Byte.newline {
          isInString = false
          if depth == 0 { return position }
        }
        continue
      }
      switch byte {
      case Byte.quote: isInString = true
      case Byte.openBrace, Byte.openBracket: depth += 1
      case Byte.closeBrace, Byte.closeBracket:
        if depth == 0 { return position }
        depth -= 1
        if depth == 0 { return position + 1 }
      case Byte.comma where depth == 0: return position
      default:
        if depth == 0, hasBegun, Byte.isBlank(byte) { return position }
      }
      hasBegun = true
      position += 1
    }
    return nil
  }
}
