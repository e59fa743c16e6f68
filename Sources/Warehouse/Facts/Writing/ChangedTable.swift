internal import GRDB
internal import Glibc

/// One table that is brought to what encoded rows say.
@safe
final class ChangedTable {
  /// What a column tells.
  private enum Role {
    /// What happened: a row that differs here says something else.
    case content
    /// The run that wrote the row first: kept.
    case firstRun
    /// The run that changed the row last: kept unless the content differs.
    case changedRun
    /// Where the row was read: written, but no change.
    case provenance
  }

  /// A stored row that must say something else.
  private struct Update {
    var row: Int
    var number: Int64
    /// The columns to write, a bit each.
    var columns: UInt64
    var isChange: Bool
  }

  private let name: String
  private let columns: [String]
  private let roles: [Role]
  private let changedRunColumn: UInt64  // its bit, or none
  private let unexaminedColumns: UInt64  // of those that no data test asks about
  private let keyColumns: Int
  private let hasNumberAsKey: Bool
  private let stored: RawStatement
  private let insertion: RawStatement
  private let connection: OpaquePointer
  private var updates: [UInt64: RawStatement] = [:]
  private let deletion: RawStatement
  private let note: RawStatement?
  private var last: [UInt8] = []  // the record of the last key that was compared
  private var lastNumber = Int64.min
  private(set) var changes = TableChanges()

  init(_ name: String, on db: Database) throws {
    self.name = name
    columns = try WarehouseSchema.columns(of: name, on: db)
    let key = try WarehouseSchema.primaryKey(of: name, on: db)
    precondition(columns.count <= 64, "\(name): a set of columns has 64 bits")
    roles = columns.map { Self.role(of: $0, in: name) }
    unexaminedColumns = columns.enumerated().reduce(0) { bits, column in
      ["evidence_count", "changed_run_id"].contains(column.element)
        ? bits | 1 << UInt64(column.offset) : bits
    }
    changedRunColumn = roles.firstIndex(of: .changedRun).map { 1 << UInt64($0) } ?? 0
    keyColumns = key.count
    hasNumberAsKey = try WarehouseSchema.hasNumberAsKey(name, on: db)
    let places = columns.indices.map { "?\($0 + 1)" }
    let bound = key.indices.map { "?\($0 + 1)" }.joined(separator: ",")
    let keys = key.joined(separator: ",")
    stored = try RawStatement(
      name,
      "SELECT \(columns.joined(separator: ",")), rowid FROM \(name) "
        + "WHERE (\(keys)) > (\(bound)) ORDER BY \(keys)", on: db)
    insertion = try RawStatement(
      name, "INSERT INTO \(name) VALUES (\(places.joined(separator: ",")))", on: db)
    guard let connection = unsafe db.sqliteConnection else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "\(name): the database is closed")
    }
    unsafe self.connection = connection
    deletion = try RawStatement(name, "DELETE FROM \(name) WHERE rowid = ?", on: db)
    guard ExaminationScope.notedTables.contains(name) else {
      note = nil
      return
    }
    try db.execute(sql: "DROP TABLE IF EXISTS temp.touched_\(name)")
    try db.execute(sql: "CREATE TEMP TABLE touched_\(name) (number INTEGER PRIMARY KEY)")
    note = try RawStatement(name, "INSERT INTO temp.touched_\(name) VALUES (?)", on: db)
  }

  private static func role(of column: String, in table: String) -> Role {
    guard ["fct_revenue", "fct_conversion", "price_evidence"].contains(table) else {
      return .content
    }
    return switch column {
    case "first_run_id": .firstRun
    case "changed_run_id": .changedRun
    case "source_file_id", "source_line": .provenance
    default: .content
    }
  }

  /// Compares the next rows with the stored ones of their range of keys, then writes what differs.
  func add(_ rows: borrowing EncodedRows) throws {
    guard rows.count > 0 else { return }
    var updates: [Update] = []
    var insertions: [Int] = []
    var deletions: [Int64] = []
    bindLast()
    var hasStored = try stored.next()
    for row in 0..<rows.count {
      let record = unsafe rows.record(row)
      let key = rows.key(row)
      var order = hasStored ? unsafe compareKey(record, key) : 1
      while hasStored, order < 0 {
        deletions.append(stored.int64(Int32(roles.count)))
        hasStored = try stored.next()
        order = hasStored ? unsafe compareKey(record, key) : 1
      }
      if hasStored, order == 0 {
        if let update = unsafe difference(row, record) { updates.append(update) }
        hasStored = try stored.next()
      } else {
        insertions.append(row)
      }
    }
    if hasStored { stored.reset() }
    unsafe last = Array(rows.record(rows.count - 1))
    lastNumber = rows.key(rows.count - 1) ?? 0
    changes.rows += rows.count
    try delete(deletions)
    for change in updates { try write(change, of: rows) }
    for row in insertions {
      unsafe insertion.bind(rows.record(row), key: rows.key(row))
      try insertion.run()
      if let key = rows.key(row) { try note(key) }
    }
    changes.added += insertions.count
  }

  /// Removes the stored rows after the last one.
  func end() throws {
    var deletions: [Int64] = []
    bindLast()
    while try stored.next() { deletions.append(stored.int64(Int32(roles.count))) }
    try delete(deletions)
  }

  private func delete(_ numbers: [Int64]) throws {
    for number in numbers {
      deletion.bind(number, at: 1)
      try deletion.run()
    }
    changes.removed += numbers.count
  }

  private func write(_ change: Update, of rows: borrowing EncodedRows) throws {
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
    try update.run()
    if change.columns & ~unexaminedColumns != 0 { try note(change.number) }
    if change.isChange { changes.changed += 1 }
  }

  /// The statement that writes these columns of a row.
  ///
  /// Columns that stay are not written: so SQLite need not ask their CHECKs, nor touch their
  /// indexes. The same few sets of columns change in most rows.
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

  /// Notes a row as touched, where the examination wants to know.
  ///
  /// How many voters a price has changes in many rows with every report, and nothing asks about it.
  private func note(_ number: Int64) throws {
    guard let note else { return }
    note.bind(number, at: 1)
    try note.run()
  }

  // MARK: Comparing

  private func bindLast() {
    if hasNumberAsKey { return stored.bind(lastNumber, at: 1) }
    guard !last.isEmpty else {
      for column in 0..<keyColumns { stored.bind("", at: Int32(column) + 1) }
      // Whole numbers come before all texts.
      return stored.bind(Int64.min, at: 1)
    }
    unsafe last.withUnsafeBytes { bytes in
      var cursor = unsafe RecordCursor(bytes)
      for column in 0..<keyColumns {
        switch unsafe cursor.next() {
        case .integer(let value): stored.bind(value, at: Int32(column) + 1)
        case .text(let text): unsafe stored.bind(utf8: text, at: Int32(column) + 1)
        default: preconditionFailure("a primary key holds no NULL")
        }
      }
    }
  }

  /// Whether the stored row comes before (below 0), at or after the new one.
  private func compareKey(_ record: UnsafeRawBufferPointer, _ key: Int64?) -> Int {
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
      default: preconditionFailure("a primary key holds no NULL")
      }
    }
    return 0
  }

  /// How the stored row must change; `nil` where it says the same.
  private func difference(_ row: Int, _ record: UnsafeRawBufferPointer) -> Update? {
    var cursor = unsafe RecordCursor(record)
    var changed: UInt64 = 0
    var isChange = false
    for column in 0..<Int32(roles.count) {
      guard let value = unsafe cursor.next() else { break }
      let role = roles[Int(column)]
      if role == .firstRun || role == .changedRun || column == 0 && hasNumberAsKey { continue }
      if unsafe stored.holds(value, at: column) { continue }
      changed |= 1 << UInt64(column)
      if role == .content { isChange = true }
    }
    guard changed != 0 else { return nil }
    return Update(
      row: row, number: stored.int64(Int32(roles.count)),
      columns: isChange ? changed | changedRunColumn : changed, isChange: isChange)
  }
}

extension RawStatement {
  /// Binds a value of a record, until the next step.
  @inline(__always)
  fileprivate func bind(_ value: RecordCursor.Value, at parameter: Int32) {
    switch unsafe value {
    case .null: bindNull(at: parameter)
    case .integer(let number): bind(number, at: parameter)
    case .text(let text): unsafe bind(utf8: text, at: parameter)
    }
  }

  /// Whether a column of the row holds this value, of the same type.
  @inline(__always)
  fileprivate func holds(_ value: RecordCursor.Value, at column: Int32) -> Bool {
    switch unsafe value {
    case .null: isNull(column)
    case .integer(let number): isInteger(column) && int64(column) == number
    case .text(let text): unsafe isText(column) && withBytes(column) { unsafe $0.equals(text) }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether two stretches of memory hold the same bytes.
  @inline(__always)
  fileprivate func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let own = baseAddress, let others = other.baseAddress else { return true }
    return unsafe memcmp(own, others, count) == 0
  }
}
