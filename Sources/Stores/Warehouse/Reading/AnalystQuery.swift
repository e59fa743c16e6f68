package import GRDB

/// A query on the warehouse that a user wrote.
package struct AnalystQuery {
  /// The reason why a text is not a query: SQLite's message, or a message of this program.
  package struct Fault: Error {
    package let message: String
  }

  private let statement: Statement

  /// Prepares a query on a read-only warehouse.
  package init(_ sql: String, on db: Database) throws {
    do {
      statement = try db.makeStatement(sql: sql)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_MISUSE {
      throw Fault(message: "found no statement, or more than one")
    } catch let error as DatabaseError {
      throw Fault(message: error.message ?? "SQLite failed")
    }
    guard statement.isReadonly, statement.columnCount > 0 else {
      throw Fault(message: "found a statement that changes data or returns no columns")
    }
  }

  /// The names of the result's columns.
  package var columns: [String] { statement.columnNames }

  /// The rows of the result in order; numbers as digits, NULL as `nil`.
  package func rows() throws -> [[String?]] {
    try Row.fetchAll(statement).map { row in
      row.databaseValues.map { value in
        String.fromDatabaseValue(value) ?? Int64.fromDatabaseValue(value)?.description
      }
    }
  }
}
