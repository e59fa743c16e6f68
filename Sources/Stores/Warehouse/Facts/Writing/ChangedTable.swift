internal import SQLiteFiles
internal import GRDB
internal import TemporaryFiles

/// A stored table; its rows that differ from the encoded rows are replaced.
@safe
final class ChangedTable {
  private let name: String
  private let columns: [String]
  private let comparison: RowComparison
  private let unexaminedColumns: UInt64  // bits of columns that no data test reads
  private let keyColumns: Int
  private let hasNumberAsKey: Bool
  /// The statements that read the stored rows in key order: all rows, and the rows after a key.
  private let (all, following): (RawStatement, RawStatement)
  private let insertion: RawStatement
  private let connection: OpaquePointer
  private var updates: [UInt64: RawStatement] = [:]
  private let deletion: RawStatement
  private let note: RawStatement?
  private var last: [UInt8] = []  // the record of the last key that was compared
  private var lastNumber = Int64.min
  private(set) var changes = TableChanges()
  /// The changes to the content digest and to data tests; `nil` if all rows are compared.
  private(set) var sums: RowSums?
  private var changedColumns: UInt64 = 0

  /// Prepares the comparison of a table.
  ///
  /// - Parameters:
  ///   - isScoped: Whether only the rows in the scope's temporary tables are compared.
  init(_ name: String, on db: Database, isScoped: Bool, notesTouchedRows: Bool) throws {
    self.name = name
    columns = try WarehouseSchema.columns(of: name, on: db)
    let key = try WarehouseSchema.primaryKey(of: name, on: db)
    hasNumberAsKey = try WarehouseSchema.hasNumberAsKey(name, on: db)
    comparison = RowComparison(name, columns: columns, hasNumberAsKey: hasNumberAsKey)
    unexaminedColumns = columns.enumerated().reduce(0) { bits, column in
      column.element == "changed_run_id" ? bits | 1 << UInt64(column.offset) : bits
    }
    keyColumns = key.count
    let places = columns.indices.map { "?\($0 + 1)" }
    let bound = key.indices.map { "?\($0 + 1)" }.joined(separator: ",")
    let source = isScoped ? ScopeTables.source(of: name) : nil
    let keys = key.map { source?.name(of: $0) ?? "t.\($0)" }.joined(separator: ",")
    let selection =
      "SELECT \(columns.map { "t.\($0)" }.joined(separator: ",")), t.rowid "
      + "FROM \(source?.text ?? "main.\(name) AS t")"
    all = try RawStatement(name, "\(selection) ORDER BY \(keys)", on: db)
    following = try RawStatement(
      name, "\(selection) WHERE (\(keys)) > (\(bound)) ORDER BY \(keys)", on: db)
    insertion = try RawStatement(
      name, "INSERT INTO \(name) VALUES (\(places.joined(separator: ",")))", on: db)
    guard let connection = unsafe db.sqliteConnection else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "\(name): the database is closed")
    }
    unsafe self.connection = connection
    deletion = try RawStatement(name, "DELETE FROM \(name) WHERE rowid = ?", on: db)
    sums = isScoped ? try RowSums(of: name, on: db) : nil
    guard notesTouchedRows, ExaminationScope.notedTables.contains(name) else {
      note = nil
      return
    }
    try db.execute(sql: "DROP TABLE IF EXISTS temp.touched_\(name)")
    try db.execute(sql: "CREATE TEMP TABLE touched_\(name) (number INTEGER PRIMARY KEY)")
    note = try RawStatement(name, "INSERT OR IGNORE INTO temp.touched_\(name) VALUES (?)", on: db)
  }

  /// Compares the next batch of new rows with the stored rows, and writes the differences.
  ///
  /// Stored rows after the last new key are left for the next call.
  func add(_ rows: borrowing EncodedRows) throws {
    guard rows.count > 0 else { return }
    let found = try compareStored(rows)
    unsafe last = Array(rows.record(rows.count - 1))
    lastNumber = rows.key(rows.count - 1) ?? 0
    changes.rows += rows.count
    try delete(found.deletions)
    for change in found.updates { try write(change, of: rows) }
    let insertion = insertion
    for row in found.insertions {
      unsafe insertion.bind(rows.record(row), key: rows.key(row))
      try insertion.run()
      let number = rows.key(row) ?? insertion.insertedRow
      try sums?.add(number)
      try note(number)
    }
    changes.added += found.insertions.count
  }

  /// Finds the differences between new rows and the stored rows in their range of keys.
  private func compareStored(_ rows: borrowing EncodedRows) throws -> RowDifferences {
    var found = RowDifferences()
    let stored = storedRows()
    var hasStored = try stored.next()
    for row in 0..<rows.count {
      let record = unsafe rows.record(row)
      let key = rows.key(row)
      var order = hasStored ? unsafe compareKey(stored, record, key) : 1
      while hasStored, order < 0 {
        found.deletions.append(number(of: stored))
        hasStored = try stored.next()
        order = hasStored ? unsafe compareKey(stored, record, key) : 1
      }
      guard hasStored, order == 0 else {
        found.insertions.append(row)
        continue
      }
      let update = unsafe comparison.difference(row, record, number: number(of: stored)) {
        unsafe stored.holds($0, at: Int32($1))
      }
      if let update { found.updates.append(update) }
      hasStored = try stored.next()
    }
    if hasStored { stored.reset() }
    return found
  }

  /// The rowid of a stored row.
  private func number(of stored: RawStatement) -> Int64 { stored.int64(Int32(columns.count)) }

  /// Removes the stored rows whose keys are after the key of the last new row.
  ///
  /// Must be called after all new rows of the table are added.
  func end() throws {
    var deletions: [Int64] = []
    let stored = storedRows()
    while try stored.next() { deletions.append(number(of: stored)) }
    try delete(deletions)
    for column in columns.indices where changedColumns >> UInt64(column) & 1 == 1 {
      changes.changedColumns.insert(columns[column])
    }
  }

  private func delete(_ numbers: [Int64]) throws {
    for number in numbers {
      try sums?.remove(number)
      deletion.bind(number, at: 1)
      try deletion.run()
      try note(number)
    }
    changes.removed += numbers.count
  }

  private func write(_ change: RowDifferences.Update, of rows: borrowing EncodedRows) throws {
    let update = try update(of: change.columns)
    var values = unsafe RecordCursor(rows.record(change.row))
    var parameter: Int32 = 0
    for column in columns.indices {
      guard let value = unsafe values.next() else { break }
      guard change.columns >> UInt64(column) & 1 == 1 else { continue }
      parameter += 1
      unsafe update.bind(value, at: parameter)
    }
    update.bind(change.number, at: parameter + 1)
    if change.isChange { try sums?.remove(change.number) }
    try update.run()
    if change.isChange { try sums?.add(change.number) }
    changedColumns |= change.columns
    if change.columns & ~unexaminedColumns != 0 { try note(change.number) }
    if change.isChange { changes.changed += 1 }
  }

  /// Returns the statement that updates some columns of a row, given as a bit set.
  ///
  /// Unchanged columns are not written, so that SQLite skips their CHECKs and indexes. The
  /// statement is kept, because most changed rows have one of a few sets of columns.
  private func update(of changed: UInt64) throws -> RawStatement {
    if let known = updates[changed] { return known }
    let settings = columns.indices.filter { changed >> UInt64($0) & 1 == 1 }
      .map { "\(columns[$0]) = ?" }
    let statement = try unsafe RawStatement(
      name, "UPDATE \(name) SET \(settings.joined(separator: ",")) WHERE rowid = ?",
      connection: connection)
    updates[changed] = statement
    return statement
  }

  /// Records the rowid of a changed or removed row, if the data tests examine only recorded rows.
  ///
  /// The caller leaves out rows in which only `changed_run_id` changes, because no data test reads
  /// that column.
  private func note(_ number: Int64) throws {
    guard let note else { return }
    note.bind(number, at: 1)
    try note.run()
  }

  // MARK: Comparing

  /// The stored rows that have not been compared yet, in key order.
  ///
  /// The first call uses a statement without a start key, because no start key precedes all text
  /// keys. A number would not help: SQLite converts it to a text before comparing.
  private func storedRows() -> RawStatement {
    guard !last.isEmpty else { return all }
    if hasNumberAsKey {
      following.bind(lastNumber, at: 1)
      return following
    }
    unsafe last.withUnsafeBytes { bytes in
      var cursor = unsafe RecordCursor(bytes)
      for column in 0..<keyColumns {
        switch unsafe cursor.next() {
        case .integer(let value): following.bind(value, at: Int32(column) + 1)
        case .text(let text): unsafe following.bind(utf8: text, at: Int32(column) + 1)
        default: DamagedRow.note("NULL in the primary key of a table")
        }
      }
    }
    return following
  }

  /// Compares the key of a stored row with the key of a new row.
  ///
  /// - Returns: A negative number if the stored row is first; 0 for equal keys; else a positive
  ///   number.
  private func compareKey(
    _ stored: RawStatement, _ record: UnsafeRawBufferPointer, _ key: Int64?
  ) -> Int {
    if hasNumberAsKey {
      let number = stored.int64(0)
      let new = key ?? 0
      return number < new ? -1 : number > new ? 1 : 0
    }
    var cursor = unsafe RecordCursor(record)
    for column in 0..<Int32(keyColumns) {
      switch unsafe cursor.next() {
      case .integer(let new):
        let number = stored.int64(column)
        if number != new { return number < new ? -1 : 1 }
      case .text(let new):
        let order = unsafe stored.withBytes(column) { unsafe KeyOrder.compare($0, new) }
        if order != 0 { return order }
      default: DamagedRow.note("NULL in the primary key of a table")
      }
    }
    return 0
  }
}
