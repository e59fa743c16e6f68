internal import Diagnostics
internal import PurchaseModel

/// Cuts the text of a file into records and has each one read.
struct ExportFramer: ~Copyable {
  private var buffer: TextBuffer
  private var reader: RecordReader
  private let limits: ExportLimits
  private let pieces: RowPieces?
  /// The line at the start of the buffer's unused text.
  private var line = 1

  init(
    _ source: TextSource, kind: InputFile.Kind, limits: ExportLimits, spare: SpareCores?,
    pieces: RowPieces?
  ) {
    precondition(limits.record <= 1 << 30, "positions in a record have 32 bits")
    buffer = TextBuffer(source, capacity: limits.buffer, spare: spare)
    reader = RecordReader(kind: kind, limits: limits)
    self.limits = limits
    self.pieces = pieces
  }

  /// Reads the whole text.
  mutating func readAll() throws(ExportError) -> ExportContent {
    try buffer.fill()
    try skipByteOrderMark()
    try skipBlanks()
    if buffer.start < buffer.end {
      if buffer[buffer.start] == Byte.openBracket {
        try readArray()
      } else if try isFirstLineWhole() {
        try readLines()
      } else {
        try readSequence()
      }
    }
    var set = reader.set
    set.symbols = reader.fields.symbols
    let account = buffer.account
    return ExportContent(
      set: set, tally: reader.tally, rejects: reader.rejects, notices: reader.notices,
      sha256: account.sha256, bytes: account.bytes, textBytes: account.textBytes)
  }

  // MARK: - One record a line

  private mutating func readLines() throws(ExportError) {
    var scanned = buffer.start
    while true {
      if let newline = buffer.newline(from: scanned) {
        readLine(buffer.start..<newline)
        buffer.use(upTo: newline + 1)
        line += 1
        try handOn()
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

  /// Reads a record whose text may have blanks around it; nothing but blanks is no record.
  private mutating func readRecord(_ range: Range<Int>, at line: Int) {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high, Byte.isBlank(buffer[low]) { low += 1 }
    while high > low, Byte.isBlank(buffer[high - 1]) { high -= 1 }
    guard low < high else { return }
    buffer.withText(low..<high) { reader.read($0, line: line) }
  }

  /// Hands on what is staged when it has become much.
  private mutating func handOn() throws(ExportError) {
    guard let pieces, reader.set.rowBytes >= pieces.bytes else { return }
    guard pieces.take(reader.takeStaged()) else { throw .cancelled }
  }

  private mutating func rejectTooLarge(at line: Int) {
    reader.reject(.recordTooLarge, detail: "more than \(limits.record) bytes", at: line)
  }

  /// Goes on behind the next newline, holding no more than one buffer.
  private mutating func skipLine() throws(ExportError) {
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

  // MARK: - One object after another

  /// Reads objects that may span lines.
  ///
  /// Behind a bad one, reading goes on with the next line that begins
  /// with a brace: what stands inside a pretty-printed object is indented.
  private mutating func readSequence() throws(ExportError) {
    while true {
      try skipBlanks()
      guard buffer.start < buffer.end else { return }
      let outcome = skipOneValue()
      switch outcome {
      case .ended(let end):
        let range = buffer.start..<end
        if range.count > limits.record {
          rejectTooLarge(at: line)
        } else {
          readRecord(range, at: line)
        }
        use(upTo: end)
        try handOn()
      case .needsMore where buffer.end - buffer.start > limits.record:
        rejectTooLarge(at: line)
        try skipToObjectLine(from: buffer.end)
      case .needsMore:
        try buffer.fill()
      case .failed(let fault, let end):
        let reason = end - buffer.start > limits.record ? .recordTooLarge : fault.reason
        reader.reject(reason, detail: "at byte \(fault.offset)", at: line)
        try skipToObjectLine(from: end)
      }
    }
  }

  private enum ValueOutcome {
    case ended(Int)
    case needsMore
    case failed(JSONFault, Int)
  }

  /// Checks the value at the start of the buffer and finds its end.
  private func skipOneValue() -> ValueOutcome {
    let range = buffer.start..<buffer.end
    let isComplete = buffer.isComplete
    return buffer.withText(range) { cursor in
      var cursor = cursor
      do throws(JSONFault) {
        try cursor.skipValue(level: 0)
        let last = cursor.byte(at: cursor.position - 1)
        let isClosed = last == Byte.closeBrace || last == Byte.closeBracket || last == Byte.quote
        if cursor.position == cursor.end, !isClosed, !isComplete { return .needsMore }
        return .ended(range.lowerBound + cursor.position)
      } catch {
        // What fails within an escape's length of the end may only lack its rest.
        if !isComplete, cursor.end - error.offset < 16 { return .needsMore }
        return .failed(error, range.lowerBound + error.offset)
      }
    }
  }

  /// Goes on with the first line at or behind a position that begins with a brace.
  private mutating func skipToObjectLine(from position: Int) throws(ExportError) {
    var position = max(position, buffer.start + 1)
    while true {
      if position >= buffer.end {
        // Keep the last byte: it may be the newline before a brace.
        use(upTo: max(buffer.start, buffer.end - 1))
        guard !buffer.isComplete else {
          use(upTo: buffer.end)
          return
        }
        try buffer.fill()
        position = buffer.start + 1
        continue
      }
      if buffer[position] == Byte.openBrace, buffer[position - 1] == Byte.newline {
        use(upTo: position)
        return
      }
      guard let newline = buffer.newline(from: position) else {
        position = buffer.end
        continue
      }
      position = newline + 1
    }
  }

  // MARK: - One array

  /// Elements are cut out by their brackets alone, so that one bad element costs only itself; an
  /// array that does not go on or end as one is refused.
  private mutating func readArray() throws(ExportError) {
    use(upTo: buffer.start + 1)
    var isFirst = true
    while true {
      try skipBlanks()
      guard buffer.start < buffer.end else { throw try brokenArray() }
      if buffer[buffer.start] == Byte.closeBracket {
        use(upTo: buffer.start + 1)
        break
      }
      if !isFirst {
        guard buffer[buffer.start] == Byte.comma else { throw try brokenArray() }
        use(upTo: buffer.start + 1)
        try skipBlanks()
      }
      isFirst = false
      try readElement()
    }
    try skipBlanks()
    guard buffer.start == buffer.end else { throw try brokenArray() }
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
        try handOn()
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

  // MARK: - Moving on

  private mutating func use(upTo position: Int) {
    line += buffer.newlines(in: buffer.start..<position)
    buffer.use(upTo: position)
  }

  private mutating func skipBlanks() throws(ExportError) {
    while true {
      var position = buffer.start
      while position < buffer.end, Byte.isBlank(buffer[position]) { position += 1 }
      use(upTo: position)
      guard position == buffer.end, !buffer.isComplete else { return }
      try buffer.fill()
    }
  }

  /// A byte order mark at the very start is no content; Windows tools write one.
  private mutating func skipByteOrderMark() throws(ExportError) {
    while buffer.end - buffer.start < 3, !buffer.isComplete { try buffer.fill() }
    guard buffer.end - buffer.start >= 3, buffer[buffer.start] == 0xEF,
      buffer[buffer.start + 1] == 0xBB, buffer[buffer.start + 2] == 0xBF
    else { return }
    buffer.use(upTo: buffer.start + 3)
  }

  /// Whether the first line is one whole JSON value, so that every line is a record.
  ///
  /// A first line that is larger than any record counts as one: it is rejected alone.
  private mutating func isFirstLineWhole() throws(ExportError) -> Bool {
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
}

/// Finds where a value ends by its brackets and quotes alone, across buffers.
private struct BracketCounter {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var hasBegun = false

  /// The end of the value; `nil`, with the position at the end of the buffer, where it goes on.
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
