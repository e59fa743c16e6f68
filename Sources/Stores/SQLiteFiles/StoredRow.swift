package import GRDB
internal import Synchronization

/// A row of a result whose columns have the types that the schema promises.
///
/// GRDB's own rows end the process if a column has another type, such as NULL in a column that
/// never is NULL. A damaged database file has such rows. So the value is replaced here, the damage
/// is noted, and ``DatabaseFile`` throws when the reading ends: nothing that was read is used.
package struct StoredRow {
  private let row: Row

  private init(_ row: Row) { self.row = row }

  package static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> [StoredRow] {
    try Row.fetchAll(db, sql: sql, arguments: arguments).map(StoredRow.init)
  }

  package static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> StoredRow? {
    try Row.fetchOne(db, sql: sql, arguments: arguments).map(StoredRow.init)
  }

  package static func fetchOne(_ statement: Statement, arguments: StatementArguments) throws
    -> StoredRow?
  {
    try Row.fetchOne(statement, arguments: arguments).map(StoredRow.init)
  }

  /// Reads the rows one by one; a row is valid until the next row is read.
  package static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> MapCursor<RowCursor, StoredRow> {
    try Row.fetchCursor(db, sql: sql, arguments: arguments).map { StoredRow($0) }
  }

  /// The number of columns.
  package var count: Int { row.count }

  /// Returns true if a column is NULL.
  package func isNull(_ column: Int) -> Bool { row.hasNull(atIndex: column) }

  /// The value in a column, by its number from 0.
  package subscript<Value: DatabaseValueConvertible>(_ column: Int) -> Value {
    do {
      return try row.decode(Value.self, atIndex: column)
    } catch {
      return DamagedRow.note(column: Array(row.columnNames)[column])
    }
  }

  /// The value in a column, by its name.
  package subscript<Value: DatabaseValueConvertible>(_ column: String) -> Value {
    do {
      return try row.decode(Value.self, forColumn: column)
    } catch {
      return DamagedRow.note(column: column)
    }
  }
}

/// The error of a row that no undamaged file can contain.
package struct DamagedRow: Error, CustomStringConvertible {
  /// The fault, without a value of the row, which may name a customer.
  package var description: String

  package init(_ description: String) { self.description = description }

  /// The first damage that was noted and not thrown yet.
  private static let noted = Mutex<DamagedRow?>(nil)

  /// Notes damage, and returns a value of the expected type, which nobody uses.
  static func note<Value: DatabaseValueConvertible>(column: String) -> Value {
    note("\(column) of a row has no value, or a value of another type")
    for value: DatabaseValue in [.null, 0.databaseValue, "".databaseValue] {
      if let value = Value.fromDatabaseValue(value) { return value }
    }
    preconditionFailure("a column is a number or a text")
  }

  /// Notes damage, for code that cannot throw.
  package static func note(_ description: String) {
    noted.withLock { if $0 == nil { $0 = DamagedRow(description) } }
  }

  /// Throws the noted damage.
  package static func check() throws {
    let found = noted.withLock { noted in
      defer { noted = nil }
      return noted
    }
    if let found { throw found }
  }
}
