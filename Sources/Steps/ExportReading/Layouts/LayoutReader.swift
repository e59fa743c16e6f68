internal import Amounts
internal import Diagnostics

/// Finds values in records by the paths of a ``PriceLayout``.
///
/// The values come from the record, from JSON text inside the record, or from the cells of a table.
struct LayoutReader {
  let layout: PriceLayout
  var unit: PriceUnit
  /// The values of the record, as ranges of ``text``.
  var values = LayoutValues()
  /// Whether a record must have the own form exactly.
  ///
  /// Then a value of another type and a second value of a field are faults, text is never read as
  /// JSON, and no envelope is entered.
  private(set) var isStrict = false
  /// Whether a strict reader has found an envelope, such as `payload`.
  var hasEnvelope = false
  /// The offers found in lists.
  var offers: [OfferScalars] = []
  /// The text of all values.
  private var text = ValueText()
  /// The list of reports, as written in the record; empty if there is none.
  private var list = ValueText()
  private var listElement: PathTable.NodeIndex = 0
  /// Buffers for JSON text inside strings, reused for every record.
  private var rooms: [PaddedText] = []
  /// The path of each value, indexed by field; recorded only for a preview.
  private(set) var sources: [String]?

  private let constants: LayoutValues
  /// Whether the time has the two keys of the own form.
  private let hasMilliseconds: Bool
  /// The text of the pipeline's constants, with which the text of each record begins.
  private let constantText: ValueText

  init(_ layout: PriceLayout, recordsSources: Bool) {
    self.layout = layout
    unit = layout.unit
    var values = LayoutValues()
    var text = ValueText()
    for (field, value) in layout.values {
      let bytes = Array(value.utf8)
      let scalar = Scalar(
        kind: .text, start: Int32(text.append(bytes.span)), length: Int32(bytes.count))
      // This order ranks after every path.
      values.keep(scalar, order: .max - 1, for: field.rawValue)
    }
    constants = values
    constantText = text
    hasMilliseconds = layout.named.allSatisfy { $0.key != LayoutField.time.name }
    if recordsSources {
      sources = [String](repeating: "", count: LayoutField.allCases.count)
      for (field, _) in layout.values { sources?[Int(field.rawValue)] = "values" }
    }
  }

  /// Removes the values of the previous record, but keeps the pipeline's constants.
  mutating func begin(isStrict: Bool = false) {
    self.isStrict = isStrict
    hasEnvelope = false
    values = constants
    values.hasMilliseconds = isStrict && hasMilliseconds
    text.replaceAll(by: constantText)
    list.truncate(to: 0)
    offers.removeAll(keepingCapacity: true)
  }

  /// Finds the values of a record; ``forEachReport(_:)`` reads those in a list of reports.
  mutating func read(_ record: inout JSONCursor) throws(JSONFault) {
    try walk(0, &record, level: 1)
  }

  /// Calls the body with the found values, the offers found in lists, and a cursor on the text.
  mutating func withText<Value>(
    _ body: (LayoutValues, [OfferScalars], JSONCursor) throws(JSONFault) -> Value
  ) throws(JSONFault) -> Value {
    text.pad()
    return try text.read { cursor throws(JSONFault) in try body(values, offers, cursor) }
  }

  /// Whether the record contains a list of reports.
  var hasList: Bool { list.count > 0 }

  /// Finds the values of each report in the record's list, together with the record's own values.
  ///
  /// `body` is called once per report, with a reader for the values of this report. For an empty
  /// list, `body` is called once, with the record's own values only.
  mutating func forEachReport(
    _ body: (inout LayoutReader) throws(JSONFault) -> Void
  ) throws(JSONFault) {
    var list = ValueText()
    swap(&list, &self.list)
    let listElement = listElement
    var isEmpty = true
    list.pad()
    let (shared, sharedOffers, end) = (values, offers, text.count)
    try list.read { list throws(JSONFault) in
      var cursor = list
      try cursor.enter(1)
      var isFirst = true
      while try cursor.nextElement(isFirst: &isFirst) {
        values = shared
        offers = sharedOffers
        text.truncate(to: end)
        guard cursor.byte(at: cursor.position) == Byte.openBrace else {
          try cursor.skipValue(level: 1)
          continue
        }
        isEmpty = false
        try walk(listElement, &cursor, level: 2)
        // The payload of a list element may contain a list itself.
        if hasList { try forEachReport(body) } else { try body(&self) }
      }
      if isEmpty { try body(&self) }
    }
  }

  /// Reads the cell of a table; `edge` is the edge of the cell's column.
  mutating func take(_ cell: Span<UInt8>, at edge: PathTable.Edge) throws(JSONFault) {
    guard !cell.isEmpty else { return }
    if let field = edge.field { keep(cell, kind: .text, edge, field: field, level: 1) }
    guard edge.leadsOn, cell[0] == Byte.openBrace || cell[0] == Byte.openBracket else { return }
    var room = rooms.popLast() ?? PaddedText()
    defer { rooms.append(room) }
    unsafe cell.withUnsafeBufferPointer { cell in
      room.fill { unsafe $0.append(contentsOf: cell) }
    }
    try readText(room, behind: edge, level: 1)
  }

  // MARK: Walking

  mutating func walk(_ node: PathTable.NodeIndex, _ cursor: inout JSONCursor, level: Int)
    throws(JSONFault)
  {
    try cursor.enter(level)
    var isFirst = true
    var seen: UInt64 = 0
    var fields = StrictFields()
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      guard let key = layout.table.nodes[node].names.key(name, in: cursor) else {
        try cursor.skipValue(level: level)
        continue
      }
      let bit: UInt64 = 1 &<< UInt64(key.rawValue)
      let edge = layout.table.nodes[node].edges[Int(key.rawValue)]
      guard seen & bit == 0 else {
        throw JSONFault(
          reason: .duplicateKey, offset: cursor.position, key: layout.table.paths[Int(edge.path)])
      }
      seen |= bit
      guard isStrict else {
        try follow(edge, &cursor, level: level)
        continue
      }
      guard fields.insert(edge) else {
        throw JSONFault(reason: .duplicateKey, offset: cursor.position, key: self.key(of: edge))
      }
      try followStrictly(edge, &cursor, level: level)
    }
  }

  private mutating func follow(
    _ edge: PathTable.Edge, _ cursor: inout JSONCursor, level: Int
  ) throws(JSONFault) {
    switch cursor.byte(at: cursor.position) {
    case Byte.openBrace:
      if let object = edge.object {
        try walk(object, &cursor, level: level + 1)
      } else if let field = edge.field, let scalar = try cursor.readTypedScalar() {
        if scalar.kind != .null { keep(scalar, of: cursor, edge, field: field, level: level) }
      } else {
        try cursor.skipValue(level: level)
      }
    case Byte.openBracket:
      if let picker = edge.picker {
        try pick(picker, &cursor, level: level + 1)
      } else if let element = edge.element {
        try readList(of: element, edge, &cursor, level: level + 1)
      } else {
        try cursor.skipValue(level: level)
      }
    default:
      let scalar = try cursor.readScalar()
      guard scalar.kind != .null, scalar.length > 0 else { return }
      if let field = edge.field { keep(scalar, of: cursor, edge, field: field, level: level) }
      if edge.leadsOn, scalar.kind == .text || scalar.kind == .escapedText {
        try enter(scalar, of: cursor, behind: edge, level: level)
      }
    }
  }

  /// Reads a list of offers immediately; copies a list of reports for ``forEachReport(_:)``.
  mutating func readList(
    of element: PathTable.NodeIndex, _ edge: PathTable.Edge, _ cursor: inout JSONCursor, level: Int
  ) throws(JSONFault) {
    guard edge.holdsOffers else {
      let start = cursor.position
      try cursor.skipValue(level: level - 1)
      list.truncate(to: 0)
      _ = unsafe list.append(cursor.bytes(start..<cursor.position).span)
      listElement = element
      return
    }
    try cursor.enter(level)
    var isFirst = true
    while try cursor.nextElement(isFirst: &isFirst) {
      guard cursor.byte(at: cursor.position) == Byte.openBrace else {
        let start = cursor.position
        try cursor.skipValue(level: level)
        guard !isStrict else {
          throw JSONFault(reason: .wrongType, offset: start, key: key(of: edge))
        }
        continue
      }
      values.forgetOffer()
      try walk(element, &cursor, level: level + 1)
      offers.append(values.offer)
      offers[offers.count - 1].list = edge.path
      values.forgetOffer()
    }
  }

  /// Reads the list elements that a path selects by the value of a member: `[key=price]`.
  private mutating func pick(
    _ picker: Int, _ cursor: inout JSONCursor, level: Int
  ) throws(JSONFault) {
    try cursor.enter(level)
    var isFirst = true
    while try cursor.nextElement(isFirst: &isFirst) {
      guard cursor.byte(at: cursor.position) == Byte.openBrace,
        let node = try chosenNode(picker, cursor, level: level + 1)
      else {
        try cursor.skipValue(level: level)
        continue
      }
      try walk(node, &cursor, level: level + 1)
    }
  }

  /// Finds the node for a list element, by the value of the member that selects elements.
  ///
  /// Example: a path contains `items[key=price]`. For an element whose `key` is `price`, the result
  /// is the node below this step. `nil` if no path selects the element. The cursor stays at the
  /// beginning of the element.
  private func chosenNode(
    _ picker: Int, _ cursor: JSONCursor, level: Int
  ) throws(JSONFault) -> PathTable.NodeIndex? {
    var ahead = cursor
    try ahead.enter(level)
    var isFirst = true
    while let name = try ahead.nextKey(isFirst: &isFirst) {
      guard layout.table.pickers[picker].member.key(name, in: ahead) != nil else {
        try ahead.skipValue(level: level)
        continue
      }
      guard ahead.byte(at: ahead.position) == Byte.quote else { return nil }
      let value = try ahead.readString()
      return layout.table.pickers[picker].values.key(value, in: ahead).map {
        layout.table.pickers[picker].nodes[Int($0.rawValue)]
      }
    }
    return nil
  }

  /// Reads JSON text inside a string if it contains an object or a list; ignores any other text.
  private mutating func enter(
    _ scalar: Scalar, of cursor: JSONCursor, behind edge: PathTable.Edge, level: Int
  ) throws(JSONFault) {
    var room = rooms.popLast() ?? PaddedText()
    defer { rooms.append(room) }
    room.fill { cursor.unescape(scalar, into: &$0) }
    try readText(room, behind: edge, level: level)
  }

  private mutating func readText(
    _ room: PaddedText, behind edge: PathTable.Edge, level: Int
  ) throws(JSONFault) {
    try room.read { inner throws(JSONFault) in
      inner.skipBlanks()
      let first = inner.byte(at: inner.position)
      guard first == Byte.openBrace || first == Byte.openBracket else { return }
      do throws(JSONFault) {
        try follow(edge, &inner, level: level)
        guard inner.isAtEndOfText() else { throw inner.invalid() }
      } catch {
        throw error.within(layout.table.paths[Int(edge.path)])
      }
    }
  }

  // MARK: Keeping

  @inline(__always)
  mutating func keep(
    _ scalar: Scalar, of cursor: JSONCursor, _ edge: PathTable.Edge, field: UInt8, level: Int
  ) {
    unsafe keep(cursor.bytes(scalar).span, kind: scalar.kind, edge, field: field, level: level)
  }

  /// Stores a value, unless a value from a preferred path is already stored.
  ///
  /// If one path has values at several depths, the deepest value is stored, because it belongs to
  /// the payload. In Paidline's own format, the outermost value is stored.
  @inline(__always)
  private mutating func keep(
    _ bytes: Span<UInt8>, kind: Scalar.Kind, _ edge: PathTable.Edge, field: UInt8, level: Int
  ) {
    let depth = UInt16(min(level, 63))
    let order = edge.rank << 6 | (layout.isOwn ? depth : 63 - depth)
    guard values.takes(order, for: field) else { return }
    let start = Int32(text.append(bytes))
    values.keep(
      Scalar(kind: kind, start: start, length: Int32(bytes.count)), order: order, for: field)
    if sources != nil { sources?[Int(field)] = layout.table.paths[Int(edge.path)] }
  }
}
