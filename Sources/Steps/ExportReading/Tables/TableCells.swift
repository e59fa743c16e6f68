internal import Diagnostics

/// The columns of a text table that contain values of a layout, to find the cells of each row.
struct TableCells: Sendable {
  let shape: TableShape
  /// The edge of each column in the layout's ``PathTable``; `nil` for an unknown column.
  private let edges: [PathTable.Edge?]
  /// A name that two known columns have; `nil` if all known columns have different names.
  let repeated: String?

  /// Finds the columns of a layout; `nil` if the table has none of them.
  ///
  /// The parts of a response, whose fields begin at `firstPart`, are columns only in a table that
  /// has one of its lists.
  init?(_ shape: TableShape, _ table: PathTable, firstPart: Int = .max) {
    self.shape = shape
    var known = table.columns
    let lists = firstPart..<max(firstPart, firstPart &+ RecordLayout.lists)
    func field(_ column: String) -> Int? { known[column]?.field.map(Int.init) }
    let isSplit = shape.columns.contains { field($0).map(lists.contains) ?? false }
    let names = shape.columns.filter { column in
      guard let field = field(column), field >= firstPart else { return known[column] != nil }
      return isSplit && field < lists.upperBound
    }
    if !isSplit { known = known.filter { $0.value.field.map { $0 < firstPart } ?? true } }
    edges = shape.columns.map { known[$0] }
    guard !names.isEmpty else { return nil }
    repeated = names.indices.first { names[..<$0].contains(names[$0]) }.map { names[$0] }
  }

  /// Finds the columns of a service's export, whose names databases and spreadsheets change; `nil`
  /// for a table without transaction ids.
  ///
  /// Example: `STORE_TRANSACTION_ID` and ` store_transaction_id ` are `store_transaction_id`, and
  /// `data_transactionId` is `data.transactionId`. A column with the exact name is preferred.
  ///
  /// - Parameter mayLackColumns: Whether a table without a known column is read, because one of its
  ///   cells may hold a whole event as JSON.
  init?(serviceColumns shape: TableShape, _ table: PathTable, mayLackColumns: Bool) {
    self.shape = shape
    let known = table.columns
    var folded: [String: PathTable.Edge] = [:]
    for (name, edge) in known.sorted(by: { $0.key < $1.key }) where edge.field != nil {
      folded[ColumnName.folded(name)] = edge
    }
    var taken = Set(shape.columns.filter { known[$0] != nil }.map(ColumnName.folded))
    edges = shape.columns.map { column in
      if let edge = known[column] { return edge }
      let name = ColumnName.folded(column)
      guard let edge = folded[name], taken.insert(name).inserted else { return nil }
      return edge
    }
    let names = shape.columns.filter { known[$0] != nil }
    let transaction = Int(ServiceField.transaction.rawValue)
    guard mayLackColumns || edges.contains(where: { $0?.field.map(Int.init) == transaction }) else {
      return nil
    }
    repeated = names.indices.first { names[..<$0].contains(names[$0]) }.map { names[$0] }
  }

  /// Whether the table has a column of a field, given by the number of the field's value.
  func hasColumn(of field: Int) -> Bool {
    edges.contains { $0?.field.map(Int.init) == field }
  }

  /// Lists the columns as paths.
  ///
  /// If `row` is given, a column whose cell contains a JSON object is replaced by the paths in the
  /// object.
  func paths(in row: JSONCursor? = nil) -> [String] {
    let names = shape.columns.map { FieldPath.text(of: $0) }
    guard let row else { return names }
    var cells = CellReader(row, separator: shape.separator)
    return names.flatMap { name -> [String] in
      guard let cell = cells.next(), row.byte(at: cell.range.lowerBound) == Byte.openBrace else {
        return [name]
      }
      let plain = cell.range.map { row.byte(at: $0) }
      let paths = FoundPaths.all(in: cell.isEscaped ? cells.unquoted(cell) : plain)
      return paths.isEmpty ? [name] : paths.map { "\(name).\($0)" }
    }
  }

  /// Passes the cells of known columns to a closure, in the order of the columns.
  ///
  /// - Parameters:
  ///   - mayHoldJSON: Whether a cell that begins like a JSON object or list is JSON, such as a
  ///     response of Apple.
  ///   - body: Receives the bytes of a cell, and the edge of its column.
  func forEachWanted(
    in row: JSONCursor, mayHoldJSON: Bool = false,
    _ body: (Span<UInt8>, PathTable.Edge) throws(JSONFault) -> Void
  ) throws(JSONFault) {
    if let repeated {
      throw JSONFault(
        reason: .duplicateKey, offset: 0, key: "two columns have the name \(repeated)")
    }
    var cells = CellReader(row, separator: shape.separator)
    var column = 0
    while let cell = cells.next() {
      guard !cells.isOpen else {
        throw JSONFault(
          reason: .tableQuoteOpen, offset: 0, key: "in column \(column + 1) of \(edges.count)")
      }
      guard column < edges.count else {
        column += 1
        break
      }
      if let edge = edges[column], !cell.range.isEmpty {
        if cell.isEscaped {
          let bytes = cells.unquoted(cell)
          try check(bytes.span, edge, column: column, mayHoldJSON: mayHoldJSON)
          try body(bytes.span, edge)
        } else {
          let bytes = unsafe row.bytes(
            Scalar(
              kind: .text, start: Int32(cell.range.lowerBound), length: Int32(cell.range.count)))
          try unsafe check(bytes.span, edge, column: column, mayHoldJSON: mayHoldJSON)
          if !isNull(cell, row) { try unsafe body(bytes.span, edge) }
        }
      }
      column += 1
    }
    guard column == edges.count else {
      throw JSONFault(
        reason: .tableRowUneven, offset: 0,
        key: "\(cellCount(row)) cells for \(edges.count) columns")
    }
  }

  /// Passes the cells that may hold JSON to a closure, whatever their columns.
  func forEachObject(
    in row: JSONCursor, _ body: (Span<UInt8>) throws(JSONFault) -> Void
  ) throws(JSONFault) {
    var cells = CellReader(row, separator: shape.separator)
    while let cell = cells.next() {
      guard !cell.range.isEmpty else { continue }
      let bytes = cell.isEscaped ? cells.unquoted(cell) : cell.range.map { row.byte(at: $0) }
      guard bytes.first == Byte.openBrace || bytes.first == Byte.quote else { continue }
      try body(bytes.span)
    }
  }

  /// Returns true if a cell is `\N`, the null of PostgreSQL's and MySQL's text exports.
  private func isNull(_ cell: TableCell, _ row: JSONCursor) -> Bool {
    cell.range.count == 2 && row.byte(at: cell.range.lowerBound) == Byte.backslash
      && row.byte(at: cell.range.lowerBound + 1) == UInt8(ascii: "N")
  }

  private func cellCount(_ row: JSONCursor) -> Int {
    var cells = CellReader(row, separator: shape.separator)
    var count = 0
    while cells.next() != nil { count += 1 }
    return count
  }

  /// Refuses a cell with invalid UTF-8, or with control characters if the cell is not JSON.
  private func check(
    _ bytes: Span<UInt8>, _ edge: PathTable.Edge, column: Int, mayHoldJSON: Bool
  ) throws(JSONFault) {
    var (isPlain, hasControl) = (true, false)
    for index in bytes.indices {
      if bytes[index] >= 0x80 { isPlain = false }
      if bytes[index] < 0x20 { hasControl = true }
    }
    guard isPlain || (try? UTF8Span(validating: bytes)) != nil else {
      throw JSONFault(reason: .invalidUTF8, offset: 0)
    }
    // Only JSON may span several lines, such as a response in the form in which Apple sends it.
    let isJSON = mayHoldJSON && (bytes[0] == Byte.openBrace || bytes[0] == Byte.openBracket)
    let mayBeText = mayHoldJSON && edge.field != nil
    guard !hasControl || isJSON || edge.leadsOn && !mayBeText else {
      throw JSONFault(
        reason: .controlCharacter, offset: 0, key: "in the column \(shape.columns[column])")
    }
  }
}
