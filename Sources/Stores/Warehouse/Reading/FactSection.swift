internal import GRDB

/// A titled table of facts that can be shown to people and to machines alike.
///
/// Columns bear the names of the warehouse.
package struct FactSection: Hashable {
  /// One value.
  package enum Value: Hashable {
    case null
    case number(Int64)
    case text(String)

    package init(_ value: Int64?) { self = value.map(Value.number) ?? .null }
    package init(_ value: String?) { self = value.map(Value.text) ?? .null }

    /// A value of a row that is no decimal.
    init(_ value: DatabaseValue) {
      self =
        Int64.fromDatabaseValue(value).map(Value.number) ?? Value(String.fromDatabaseValue(value))
    }
  }

  /// The key under which machines find it.
  package var key: String
  /// The title of the section.
  package var title: String
  /// The names of its columns.
  package var columns: [String]
  /// The rows, in their order.
  package var rows: [[Value]]

  /// The rows of a query; its columns are the section's.
  init(
    _ key: String, title: String, sql: String, arguments: StatementArguments = [], on db: Database
  ) throws {
    let statement = try db.makeStatement(sql: sql)
    columns = statement.columnNames
    rows = try Row.fetchAll(statement, arguments: arguments).map { row in
      row.databaseValues.map { Value($0) }
    }
    self.key = key
    self.title = title
  }

  /// A section of rows that were computed.
  package init(_ key: String, title: String, columns: [String], rows: [[Value]]) {
    self.key = key
    self.title = title
    self.columns = columns
    self.rows = rows
  }
}
