internal import Diagnostics

/// Finds the values of receipt records, signed records and services' rows by the paths of a layout.
///
/// Example: with `response: payload.apple`, the record `{"payload":{"apple":{…}}}` has the value
/// `{…}` for `response`.
struct RecordFinder {
  /// One value, as a part of ``text``.
  struct Value {
    var range: Range<Int>
    /// Whether the value is the text of a table's cell; else it is JSON.
    var isText: Bool
    /// The position of the value in the record, or in the text that contains it; 0 in a cell.
    var origin: Int
    /// The rank of the value's path, then its depth: the lowest order wins, so a deeper value.
    var order: UInt16

    /// The value of a cell as a scalar.
    var scalar: Scalar {
      Scalar(
        kind: .text, start: Int32(truncatingIfNeeded: range.lowerBound),
        length: Int32(truncatingIfNeeded: range.count))
    }
  }

  let layout: RecordLayout
  /// The values of the current record, by field.
  private(set) var values: [Value?]
  /// Whether the current record is read by its values.
  ///
  /// False for a JSON record that is no object or has no value of the layout.
  private(set) var isFound = false
  /// The fault that ended the search in a JSON record; `nil` if it was searched to its end.
  private(set) var fault: JSONFault?
  private(set) var text = ValueText()
  private var room = PaddedText()
  /// Whether objects under unknown names are read as the record itself.
  private var unwraps = false
  /// The different transactions under unknown names; up to three.
  private var transactions: Set<[UInt8]> = []

  /// Whether the current record is a map of records, of which only one would be read.
  var isMap: Bool { transactions.count > 2 }

  init(_ layout: RecordLayout) {
    self.layout = layout
    values = layout.names.map { _ in nil }
  }

  /// The pipeline's paths to Apple's data, if the current record has no value at any path; else
  /// `nil`.
  var unfound: String? { layout.content.flatMap { values[$0.field] == nil ? $0.paths : nil } }

  /// Whether a customer or another value was found, but not Apple's data, to which the pipeline has
  /// no path: the record may be the data itself.
  var lacksContent: Bool {
    isFound && layout.content == nil && values[layout.contentField] == nil
  }

  /// Whether a service's record has no transaction where its format has it.
  ///
  /// Owners keep webhooks in records of their own: `{"received_at":"…","payload":{…}}`.
  private var lacksTransaction: Bool { unfound != nil && layout.export?.isNested ?? false }

  /// Finds the values of a JSON record.
  mutating func find(in record: JSONCursor) {
    begin()
    var cursor = record
    cursor.skipBlanks()
    let start = cursor
    guard cursor.byte(at: cursor.position) == Byte.openBrace else { return }
    do throws(JSONFault) {
      try walk(0, &cursor, level: 1)
      guard cursor.isAtEndOfText() else { throw cursor.invalid() }
      if lacksTransaction {
        begin()
        unwraps = true
        defer { unwraps = false }
        cursor = start
        try walk(0, &cursor, level: 1)
      }
    } catch {
      fault = error
      return
    }
    text.pad()
    isFound = values[..<layout.firstPart].indices.contains {
      values[$0] != nil && layout.isAround($0)
    }
  }

  /// Finds the values in the row of a table.
  mutating func find(in row: JSONCursor, _ cells: TableCells) throws(JSONFault) {
    begin()
    try cells.forEachWanted(in: row, mayHoldJSON: true) { (cell, edge) throws(JSONFault) in
      guard let field = edge.field else { return }
      let isJSON = cell[0] == Byte.openBrace || cell[0] == Byte.openBracket
      keep(cell, isText: !isJSON, origin: 0, edge, field: Int(field), level: 1)
    }
    if lacksTransaction {
      begin()
      unwraps = true
      defer { unwraps = false }
      try cells.forEachObject(in: row) { (cell) throws(JSONFault) in
        try read(PaddedText(cell), node: 0, level: 1)
      }
    }
    text.pad()
    isFound = true
  }

  private mutating func begin() {
    isFound = false
    fault = nil
    transactions.removeAll(keepingCapacity: true)
    text.truncate(to: 0)
    for field in values.indices { values[field] = nil }
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
        guard first != UInt8(ascii: "n"),
          layout.isReadInJSON(Int(field))
        else {
          continue
        }
        let value = unsafe cursor.bytes(start..<cursor.position)
        unsafe keep(
          value.span, isText: false, origin: start, edge, field: Int(field), level: level)
      } else if let object = edge.object, first == Byte.openBrace {
        try walk(object, &cursor, level: level + 1)
      } else if let object = edge.object, first == Byte.quote {
        let text = try cursor.readString()
        do throws(JSONFault) {
          try enter(text, of: cursor, node: object, level: level + 1)
        } catch {
          throw error.within(layout.table.paths[Int(edge.path)])
        }
      } else {
        try cursor.skipValue(level: level)
      }
    }
  }

  /// Finds the values of an object that is JSON text in a string.
  private mutating func enter(
    _ scalar: Scalar, of cursor: JSONCursor, node: PathTable.NodeIndex, level: Int
  ) throws(JSONFault) {
    var text = PaddedText()
    swap(&text, &room)
    defer { swap(&text, &room) }
    text.fill { cursor.unescape(scalar, into: &$0) }
    try read(text, node: node, level: level)
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
    _ value: Span<UInt8>, isText: Bool, origin: Int, _ edge: PathTable.Edge, field: Int, level: Int
  ) {
    if unwraps, field == layout.content?.field, !isMap {
      transactions.insert(unsafe value.withUnsafeBufferPointer { unsafe Array($0) })
    }
    let order = edge.rank << 6 | UInt16(63 - min(level, 63))
    guard order < values[field]?.order ?? .max else { return }
    let start = text.append(value)
    text.endValue()
    values[field] = Value(
      range: start..<start + value.count, isText: isText, origin: origin, order: order)
  }
}

extension RecordDigest {
  /// Hashes the values that were found in a record.
  init(of found: RecordFinder) {
    self = found.text.read { text in
      var digest = RecordDigest.ofNothing
      for (field, value) in found.values.enumerated() {
        guard let value else { continue }
        digest.add(
          RecordDigest(of: text, in: value.range), mark: UInt64(field * 2 + (value.isText ? 1 : 0)))
      }
      return digest
    }
  }
}
