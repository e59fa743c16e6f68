internal import Diagnostics
internal import PurchaseModel

/// Rewrites records of a custom layout as objects with the standard names.
///
/// Example: with `response: payload.apple`, `{"payload":{"apple":{…}}}` becomes `{"response":{…}}`.
/// The values are copied unchanged.
struct RecordRewriter {
  private let layout: RecordLayout
  /// The most recently rewritten record, as JSON.
  private(set) var text: [UInt8] = []
  /// The order of each field's value: the rank of its path, then its depth; the lowest order wins.
  ///
  /// A deeper value has a lower order. A field without a value has the maximum.
  private var orders: [UInt16]
  /// The value of each field, as JSON.
  private var values: [[UInt8]]
  private var room = PaddedText()

  init(_ layout: RecordLayout) {
    self.layout = layout
    orders = layout.names.map { _ in .max }
    values = layout.names.map { _ in [] }
  }

  /// The pipeline's paths to Apple's data, if the current record has no value at any path; else
  /// `nil`.
  var unfound: String? {
    layout.content.flatMap { orders[$0.field] == .max ? $0.paths : nil }
  }

  /// The names of the columns with Apple's data according to the pipeline's field mapping.
  ///
  /// `nil` for the default names. A table needs at least one of the columns.
  var neededColumn: String? { layout.content?.paths }

  /// Finds the columns that the layout uses in a table; `nil` if there are none.
  func cells(_ shape: TableShape) -> TableCells? { TableCells(shape, layout.table) }

  /// Rewrites a record; returns false if the record is not an object, or has no value of the
  /// layout.
  mutating func rewrite(_ record: JSONCursor) -> Bool {
    begin()
    var cursor = record
    cursor.skipBlanks()
    guard cursor.byte(at: cursor.position) == Byte.openBrace,
      (try? walk(0, &cursor, level: 1)) != nil, cursor.isAtEndOfText()
    else { return false }
    return finish()
  }

  /// Rewrites the row of a table.
  mutating func rewrite(_ cells: TableCells, _ row: JSONCursor) throws(JSONFault) {
    begin()
    try cells.forEachWanted(in: row, mayHoldJSON: true) { (cell, edge) throws(JSONFault) in
      guard let field = edge.field else { return }
      let isJSON = cell[0] == Byte.openBrace || cell[0] == Byte.openBracket
      var value: [UInt8] = []
      if isJSON {
        for index in cell.indices { value.append(cell[index]) }
      } else {
        value.append(Byte.quote)
        for index in cell.indices {
          if cell[index] == Byte.quote || cell[index] == Byte.backslash {
            value.append(Byte.backslash)
          }
          value.append(cell[index])
        }
        value.append(Byte.quote)
      }
      keep(value, edge, field: Int(field), level: 1)
    }
    _ = finish()
  }

  private mutating func begin() {
    text.removeAll(keepingCapacity: true)
    for field in orders.indices { orders[field] = .max }
  }

  private mutating func finish() -> Bool {
    var isEmpty = true
    for (field, name) in layout.names.enumerated() where orders[field] != .max {
      text.append(isEmpty ? Byte.openBrace : Byte.comma)
      isEmpty = false
      text.append(Byte.quote)
      text += name.utf8
      text += [Byte.quote, Byte.colon]
      text += values[field]
    }
    if isEmpty { text.append(Byte.openBrace) }
    text.append(Byte.closeBrace)
    return !isEmpty
  }

  private mutating func walk(_ node: PathTable.NodeIndex, _ cursor: inout JSONCursor, level: Int)
    throws(JSONFault)
  {
    try cursor.enter(level)
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      guard let key = layout.table.nodes[node].names.key(name, in: cursor) else {
        try cursor.skipValue(level: level)
        continue
      }
      let edge = layout.table.nodes[node].edges[Int(key.rawValue)]
      let first = cursor.byte(at: cursor.position)
      if let field = edge.field {
        let start = cursor.position
        try cursor.skipValue(level: level)
        guard first != UInt8(ascii: "n") else { continue }
        keep(
          (start..<cursor.position).map { cursor.byte(at: $0) }, edge, field: Int(field),
          level: level)
      } else if let object = edge.object, first == Byte.openBrace {
        try walk(object, &cursor, level: level + 1)
      } else if let object = edge.object, first == Byte.quote {
        try enter(try cursor.readString(), of: cursor, node: object, level: level + 1)
      } else {
        try cursor.skipValue(level: level)
      }
    }
  }

  /// Reads the values of an object that is JSON text in a string.
  private mutating func enter(
    _ scalar: Scalar, of cursor: JSONCursor, node: PathTable.NodeIndex, level: Int
  ) throws(JSONFault) {
    var text = PaddedText()
    swap(&text, &room)
    defer { swap(&text, &room) }
    text.fill { cursor.unescape(scalar, into: &$0) }
    try text.read { inner throws(JSONFault) in
      inner.skipBlanks()
      guard inner.byte(at: inner.position) == Byte.openBrace else { return }
      try walk(node, &inner, level: level)
    }
  }

  private mutating func keep(
    _ value: [UInt8], _ edge: PathTable.Edge, field: Int, level: Int
  ) {
    let order = edge.rank << 6 | UInt16(63 - min(level, 63))
    guard order < orders[field] else { return }
    orders[field] = order
    values[field] = value
  }
}

extension RecordReader {
  /// Rewrites a record under the standard names and passes the result to `body`.
  ///
  /// A record with none of the layout's values is passed unchanged.
  mutating func withRewritten(
    _ record: JSONCursor, _ body: (inout RecordReader, JSONCursor) -> Void
  ) {
    guard var writer = rewriter.take() else { return body(&self, record) }
    defer { rewriter = writer }
    let rejected = tally.rejected
    let isRewritten = writer.rewrite(record)
    unfound = writer.unfound
    defer { unfound = nil }
    if isRewritten {
      PaddedText(writer.text.span).read { body(&self, $0) }
    } else {
      body(&self, record)
    }
    if tally.rejected > rejected, notesPaths { note(FoundPaths.all(in: record)) }
  }

  /// Whether a file of this kind may be a table.
  var mayReadTables: Bool { kind != .appleReports }

  /// Finds the columns that the layout uses in a header; `nil` for a line that is not a header.
  func cells(_ header: JSONCursor) -> TableCells? {
    let shape = TableShape(header: header)
    switch kind {
    case .prices:
      return (layout?.layout ?? ownLayout).flatMap { TableCells(shape, $0.table) }
    case .receipts, .signed, .exports:
      return (rewriter ?? RecordLayout.own(of: kind).map(RecordRewriter.init))?.cells(shape)
    case .appleReports: return nil
    }
  }

  /// Starts reading the rows of a table.
  mutating func begin(_ table: TableCells) {
    cells = table
    if limits.reportsAllFaults { paths = table.paths() }
    if kind != .prices, rewriter == nil {
      rewriter = RecordLayout.own(of: kind).map(RecordRewriter.init)
    }
    if kind == .prices, layout == nil { layout = makeOwnLayout() }
  }

  mutating func readRow(_ row: JSONCursor, line: Int) {
    if limits.reportsAllFaults, let cells, tally.records == 0 { paths = cells.paths(in: row) }
    guard let cells, var writer = rewriter.take() else { return readNamed(row, line: line) }
    defer { rewriter = writer }
    do throws(JSONFault) {
      try writer.rewrite(cells, row)
    } catch {
      self.line = line
      return reject(error.reason, detail: error.key)
    }
    unfound = writer.unfound
    defer { unfound = nil }
    let rejected = tally.rejected
    PaddedText(writer.text.span).read { readNamed($0, line: line) }
    if tally.rejected > rejected, notesPaths { note(cells.paths(in: row)) }
  }
}
