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
  /// Whether objects under unknown names are read as the record itself.
  private var unwraps = false

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
  func cells(_ shape: TableShape) -> TableCells? {
    layout.isOfService
      ? TableCells(serviceColumns: shape, layout.table, mayLackColumns: layout.isOfEvents)
      : TableCells(shape, layout.table)
  }

  /// Whether a service's record has no transaction where its format has it.
  ///
  /// Owners keep webhooks in records of their own: `{"received_at":"…","payload":{…}}`.
  private var lacksTransaction: Bool {
    guard layout.isOfEvents, let content = layout.content else { return false }
    return orders[content.field] == .max
  }

  /// Rewrites a record; returns false if the record is not an object, or has no value of the
  /// layout.
  mutating func rewrite(_ record: JSONCursor) -> Bool {
    begin()
    var cursor = record
    cursor.skipBlanks()
    let start = cursor
    guard cursor.byte(at: cursor.position) == Byte.openBrace,
      (try? walk(0, &cursor, level: 1)) != nil, cursor.isAtEndOfText()
    else { return false }
    if lacksTransaction {
      begin()
      unwraps = true
      defer { unwraps = false }
      cursor = start
      guard (try? walk(0, &cursor, level: 1)) != nil else { return false }
    }
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
    if lacksTransaction {
      begin()
      unwraps = true
      defer { unwraps = false }
      try cells.forEachObject(in: row) { (cell) throws(JSONFault) in
        try enter(cell, node: 0, level: 1)
      }
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
      let first = cursor.byte(at: cursor.position)
      guard let key = layout.table.nodes[node].names.key(name, in: cursor) else {
        if unwraps, node == 0, level < 8, first == Byte.openBrace {
          try walk(0, &cursor, level: level + 1)
        } else if unwraps, node == 0, level < 8, first == Byte.quote {
          try enter(try cursor.readString(), of: cursor, node: 0, level: level + 1)
        } else {
          try cursor.skipValue(level: level)
        }
        continue
      }
      let edge = layout.table.nodes[node].edges[Int(key.rawValue)]
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
    try read(text, node: node, level: level)
  }

  /// Reads the values of an object that is JSON text in the cell of a table.
  private mutating func enter(
    _ cell: Span<UInt8>, node: PathTable.NodeIndex, level: Int
  ) throws(JSONFault) {
    try read(PaddedText(cell), node: node, level: level)
  }

  private mutating func read(
    _ text: PaddedText, node: PathTable.NodeIndex, level: Int
  ) throws(JSONFault) {
    try text.read { inner throws(JSONFault) in
      inner.skipBlanks()
      switch inner.byte(at: inner.position) {
      // A text around the record that only begins like JSON is not the record.
      case Byte.openBrace where unwraps: try? walk(node, &inner, level: level)
      case Byte.openBrace: try walk(node, &inner, level: level)
      // The object was encoded twice.
      case Byte.quote where unwraps && level < 8:
        try enter(try inner.readString(), of: inner, node: node, level: level + 1)
      default: break
      }
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
      return layout.flatMap { TableCells(shape, $0.layout.table) }
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
