internal import GRDB

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

  /// What differs between rows and the stored ones of their range of keys.
  private struct Differences {
    var updates: [Update] = []
    var insertions: [Int] = []
    var deletions: [Int64] = []
  }

  private let name: String
  private let columns: [String]
  private let roles: [Role]
  private let changedRunColumn: UInt64  // its bit, or none
  private let unexaminedColumns: UInt64  // of those that no data test asks about
  private let keyColumns: Int
  private let hasNumberAsKey: Bool
  private let stored: RawStatement
  /// The stored rows as the file has them, where it can be read beside SQLite.
  private let file: StoredRows?
  private var fileRow: Int64?
  private let insertion: RawStatement
  private let connection: OpaquePointer
  private var updates: [UInt64: RawStatement] = [:]
  private let deletion: RawStatement
  private let note: RawStatement?
  private var last: [UInt8] = []  // the record of the last key that was compared
  private var lastNumber = Int64.min
  private(set) var changes = TableChanges()

  /// Prepares to compare.
  ///
  /// - Parameters:
  ///   - name: The table.
  ///   - file: All its rows, as they were when the transaction began and still are; `nil` where
  ///     only SQLite can tell. The key must be a whole number.
  ///   - db: The database.
  /// - Throws: What SQLite throws.
  init(_ name: String, file: StoredRows? = nil, on db: Database) throws {
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
    self.file = file
    deletion = try RawStatement(name, "DELETE FROM \(name) WHERE rowid = ?", on: db)
    guard ExaminationScope.notedTables.contains(name) else {
      note = nil
      return
    }
    try db.execute(sql: "DROP TABLE IF EXISTS temp.touched_\(name)")
    try db.execute(sql: "CREATE TEMP TABLE touched_\(name) (number INTEGER PRIMARY KEY)")
    note = try RawStatement(name, "INSERT INTO temp.touched_\(name) VALUES (?)", on: db)
    if let file { try advance(file) }
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
    var found = Differences()
    if let file {
      try compare(rows, with: file, &found)
    } else {
      try compareStored(rows, &found)
    }
    changes.rows += rows.count
    try delete(found.deletions)
    for change in found.updates { try write(change, of: rows) }
    for row in found.insertions {
      unsafe insertion.bind(rows.record(row), key: rows.key(row))
      try insertion.run()
      if let key = rows.key(row) { try note(key) }
    }
    changes.added += found.insertions.count
  }

  /// Compares rows with those of the file, both in the order of their keys.
  private func compare(
    _ rows: borrowing EncodedRows, with file: StoredRows, _ found: inout Differences
  ) throws {
    for row in 0..<rows.count {
      let key = rows.key(row) ?? 0
      while let number = fileRow, number < key {
        found.deletions.append(number)
        try advance(file)
      }
      guard fileRow == key else {
        found.insertions.append(row)
        continue
      }
      if let update = unsafe difference(row, rows.record(row), file.record, number: key) {
        found.updates.append(update)
      }
      try advance(file)
    }
  }

  /// Goes to the next row of the file, which must be whole.
  private func advance(_ file: StoredRows) throws {
    do {
      fileRow = try file.next()
      if unsafe fileRow == nil || RecordCursor.isWhole(file.record) { return }
    } catch is DamagedPage {}
    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(name): a row is damaged")
  }

  /// Compares rows with the stored ones of their range of keys.
  private func compareStored(_ rows: borrowing EncodedRows, _ found: inout Differences) throws {
    bindLast()
    var hasStored = try stored.next()
    for row in 0..<rows.count {
      let record = unsafe rows.record(row)
      let key = rows.key(row)
      var order = hasStored ? unsafe compareKey(record, key) : 1
      while hasStored, order < 0 {
        found.deletions.append(stored.int64(Int32(roles.count)))
        hasStored = try stored.next()
        order = hasStored ? unsafe compareKey(record, key) : 1
      }
      if hasStored, order == 0 {
        if let update = unsafe difference(row, record) { found.updates.append(update) }
        hasStored = try stored.next()
      } else {
        found.insertions.append(row)
      }
    }
    if hasStored { stored.reset() }
    unsafe last = Array(rows.record(rows.count - 1))
    lastNumber = rows.key(rows.count - 1) ?? 0
  }

  /// Removes the stored rows after the last one.
  func end() throws {
    var deletions: [Int64] = []
    if let file {
      while let number = fileRow {
        deletions.append(number)
        try advance(file)
      }
      return try delete(deletions)
    }
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
    return update(row, number: stored.int64(Int32(roles.count)), changed, isChange: isChange)
  }

  /// The same for a stored row as the file has it.
  private func difference(
    _ row: Int, _ record: UnsafeRawBufferPointer, _ known: UnsafeRawBufferPointer, number: Int64
  ) -> Update? {
    var new = unsafe RecordCursor(record)
    var old = unsafe RecordCursor(known)
    var changed: UInt64 = 0
    var isChange = false
    for column in roles.indices {
      guard let value = unsafe new.next() else { break }
      let stored = unsafe old.next()
      let role = roles[column]
      if role == .firstRun || role == .changedRun || column == 0 { continue }
      if let stored = unsafe stored, unsafe stored.equals(value) { continue }
      changed |= 1 << UInt64(column)
      if role == .content { isChange = true }
    }
    return update(row, number: number, changed, isChange: isChange)
  }

  private func update(_ row: Int, number: Int64, _ changed: UInt64, isChange: Bool) -> Update? {
    guard changed != 0 else { return nil }
    return Update(
      row: row, number: number, columns: isChange ? changed | changedRunColumn : changed,
      isChange: isChange)
  }
}
