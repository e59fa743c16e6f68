internal import GRDB

/// What the rows of a table can break together with those of another one that they point to.
///
/// Both are read in the order of their keys, in step. Where the numbers that point do not rise with
/// the rows, only SQLite can tell.
struct JoinedConditions: Sendable {
  /// The test, by its position among ``DataTest/all``.
  let test: Int
  /// The table.
  let table: String
  /// The table that its rows point to.
  let parent: String
  private let column: Int
  private let shape: RecordShape
  private let parentShape: RecordShape
  private let program: ConditionProgram

  /// Makes a test's condition ready.
  ///
  /// - Throws: ``UnknownCondition`` where only SQLite can tell.
  init(_ joined: JoinedCondition, test: Int, subqueries: Subqueries, on db: Database) throws {
    self.test = test
    table = joined.table
    parent = joined.parent
    shape = try RecordShape(of: table, on: db)
    parentShape = try RecordShape(of: parent, on: db)
    let names = try WarehouseSchema.columns(of: table, on: db)
    let parentNames = try WarehouseSchema.columns(of: parent, on: db)
    guard let column = names.firstIndex(of: joined.column), column != shape.keyColumn,
      let key = parentShape.keyColumn, parentNames[key] == joined.parentKey
    else { throw UnknownCondition(what: joined.join) }
    self.column = column
    var parser = ConditionParser(
      try ConditionToken.all(in: joined.sql),
      columns: names.map { "\(joined.alias).\($0)" }
        + parentNames.map { "\(joined.parentAlias).\($0)" },
      into: ConditionProgram(), subqueries: subqueries)
    try parser.read()
    program = parser.program
  }

  /// Asks of some rows, given the table that they point to.
  ///
  /// - Throws: ``UnknownCondition`` where only SQLite can tell.
  func ask(_ rows: StoredRows, parents: StoredTable, sets: [ValueSet]) throws
    -> ConditionEvaluator.Findings
  {
    var evaluator = ConditionEvaluator(program, shape, parent: parentShape, sets: sets)
    var last: Int64?
    var candidates: StoredRows?
    var candidate: Int64?
    while let row = try rows.next() {
      let pointer = unsafe try self.pointer(in: rows.record)
      if let last, pointer < last { throw UnknownCondition(what: "rows in another order") }
      last = pointer
      if candidates == nil {
        candidates = parents.rows(from: pointer)
        candidate = try candidates?.next()
      }
      while let known = candidate, known < pointer { candidate = try candidates?.next() }
      let parent = candidate == pointer ? unsafe candidates?.record : nil
      unsafe evaluator.ask(rows.record, row: row, pointsTo: parent, parentRow: pointer)
    }
    return evaluator.finish()
  }

  /// The number of the row that a record points to.
  private func pointer(in record: UnsafeRawBufferPointer) throws -> Int64 {
    let unknown = UnknownCondition(what: "a row that points to none")
    guard unsafe RecordCursor.isWhole(record) else { throw unknown }
    var cursor = unsafe RecordCursor(record)
    for _ in 0..<column { _ = unsafe cursor.next() }
    guard case .integer(let number)? = unsafe cursor.next() else { throw unknown }
    return number
  }
}
