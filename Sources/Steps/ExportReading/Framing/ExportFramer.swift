internal import Diagnostics
internal import PurchaseModel

/// Splits the text of a file into records and reads each of them.
struct ExportFramer: ~Copyable {
  var buffer: TextBuffer
  var reader: RecordReader
  let limits: ExportLimits
  private let batches: RowBatches?
  /// The line number at the start of the buffer's unparsed text.
  var line = 1
  /// The first line of the text, if it is like the header of a table but has no known column.
  var unknownHeader: TableShape?

  init(
    _ source: TextSource, kind: InputFile.Kind, fieldMapping: FieldMapping, limits: ExportLimits,
    spare: SpareCores?, batches: RowBatches?
  ) {
    precondition(limits.record <= 1 << 30, "a record may have at most 1 GiB")
    buffer = TextBuffer(source, capacity: limits.buffer, spare: spare)
    reader = RecordReader(kind: kind, limits: limits, fieldMapping: fieldMapping)
    self.limits = limits
    self.batches = batches
  }

  mutating func readAll() throws(ExportError) -> ExportContent {
    try buffer.fill()
    try skipByteOrderMark()
    try skipBlanks()
    try skipSeparatorLine()
    let foreign = try foreignContent()
    try skipEmptyContainer()
    if buffer.start < buffer.end {
      if reader.kind == .signed, buffer[buffer.start] == UInt8(ascii: "e") {
        // A file with one JWS per line is not JSON.
        try readLines()
      } else if foreign?.mayBeTable ?? false, try beginTable() {
        try readRows()
      } else if buffer[buffer.start] == Byte.openBracket {
        try readArrays()
      } else if !reader.namesResults, entersResults() {
        try readResults()
      } else if try isFirstLineWhole() {
        try readLines()
      } else {
        try readSequence()
      }
    }
    let isWanted = foreign == .signed && reader.kind == .signed
    if let foreign, !isWanted, reader.tally.hasNoUsableRecord, reader.cells == nil {
      let advice = unknownHeader?.finding ?? adviceOnColumns ?? foreign.description
      reader.explainFirstReject("no export: \(advice)", header: unknownHeader)
    }
    reader.countImpossible()
    reader.notices.localTimes = reader.fields.localTimes
    var set = reader.set
    set.symbols = reader.fields.symbols
    let account = buffer.account
    var content = ExportContent(
      set: set, tally: reader.tally, rejects: reader.rejects, notices: reader.notices,
      sha256: account.sha256, bytes: account.bytes, textBytes: account.textBytes,
      foreign: reader.cells == nil ? foreign : nil)
    content.isTable = reader.cells != nil || unknownHeader != nil
    content.previews = reader.previews.records
    content.paths = reader.previews.paths
    content.shapes = reader.previews.shapes.all
    content.answers = reader.previews.answers
    return content
  }

  /// The advice on a table without the columns of a service's export; `nil` for other content.
  private var adviceOnColumns: String? {
    unknownHeader == nil ? nil : reader.finder?.layout.export?.adviceOnColumns
  }

  /// Determines the likely format of a file; `nil` for JSON and for an empty file.
  ///
  /// The same bytes are examined whatever the size of the buffer.
  private mutating func foreignContent() throws(ExportError) -> ForeignContent? {
    while buffer.end - buffer.start < ForeignContent.bytesLookedAt, !buffer.isComplete {
      try buffer.fill()
    }
    guard buffer.start < buffer.end else { return nil }
    let end = min(buffer.end, buffer.start + ForeignContent.bytesLookedAt)
    return ForeignContent(beginning: (buffer.start..<end).map { buffer[$0] })
  }

  /// Skips an empty container on the first line, which an export of nothing consists of.
  ///
  /// Examples: `[]`, also before lines with objects; a whole text `{}` or `null`.
  private mutating func skipEmptyContainer() throws(ExportError) {
    let end = min(buffer.end, buffer.start + 8)
    let bytes = (buffer.start..<end).map { buffer[$0] }
    let word = bytes.prefix { !Byte.isBlank($0) }
    let rest = buffer.start + word.count
    let isWhole = buffer.isComplete && (rest..<buffer.end).allSatisfy { Byte.isBlank(buffer[$0]) }
    guard
      word.elementsEqual("[]".utf8)
        || isWhole && ["{}", "null", "\"\""].contains(where: { word.elementsEqual($0.utf8) })
    else { return }
    use(upTo: rest)
    try skipBlanks()
  }

  // MARK: Records

  /// Reads a record, and ignores blanks around it; a blank text is not a record.
  mutating func readRecord(_ range: Range<Int>, at line: Int) {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high, Byte.isBlank(buffer[low]) { low += 1 }
    while high > low, Byte.isBlank(buffer[high - 1]) { high -= 1 }
    guard low < high else { return }
    buffer.withText(low..<high) { reader.read($0, line: line) }
  }

  /// Passes the new rows to ``RowBatches`` if their size has reached ``RowBatches/bytes``.
  mutating func deliver() throws(ExportError) {
    guard let batches, reader.set.rowBytes >= batches.bytes else { return }
    guard batches.take(reader.removeStaged()) else { throw .cancelled }
  }

  /// Rejects the record that begins on a line because it is too large.
  mutating func rejectTooLarge(at line: Int) {
    reader.reject(.recordTooLarge, detail: "more than \(limits.record) bytes", at: line)
  }

  /// Whether the requested number of records has been read.
  var hasEnough: Bool { limits.records.map { reader.tally.records >= $0 } ?? false }

  // MARK: Moving on

  /// Marks the text before a position as used, and counts its lines.
  mutating func use(upTo position: Int) {
    line += buffer.newlines(in: buffer.start..<position)
    buffer.use(upTo: position)
  }

  /// Skips blanks up to the next byte that is not blank, or to the end of the text.
  mutating func skipBlanks() throws(ExportError) {
    while true {
      var position = buffer.start
      while position < buffer.end, Byte.isBlank(buffer[position]) { position += 1 }
      use(upTo: position)
      guard position == buffer.end, !buffer.isComplete else { return }
      try buffer.fill()
    }
  }

  /// Skips the line `sep=;` that tells Excel the separator; the header shows it too.
  private mutating func skipSeparatorLine() throws(ExportError) {
    while buffer.end - buffer.start < 7, !buffer.isComplete { try buffer.fill() }
    let line = (buffer.start..<min(buffer.end, buffer.start + 7)).map { buffer[$0] }
    guard line.starts(with: "sep=".utf8), line.count > 5,
      line[5] == Byte.newline || line[5] == UInt8(ascii: "\r")
    else { return }
    use(upTo: buffer.start + 5)
    try skipBlanks()
  }

  /// Skips a byte order mark at the beginning of the text; Windows tools write this mark.
  private mutating func skipByteOrderMark() throws(ExportError) {
    while buffer.end - buffer.start < 3, !buffer.isComplete { try buffer.fill() }
    guard buffer.end - buffer.start >= 3, buffer[buffer.start] == 0xEF,
      buffer[buffer.start + 1] == 0xBB, buffer[buffer.start + 2] == 0xBF
    else { return }
    buffer.use(upTo: buffer.start + 3)
  }
}
