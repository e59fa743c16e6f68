internal import GRDB

/// A table of facts with a title, for output as text or JSON.
///
/// Columns have the same names as in the warehouse.
package struct FactSection: Hashable {
  package enum Value: Hashable {
    case null
    case number(Int64)
    case text(String)

    package init(_ value: Int64?) { self = value.map(Value.number) ?? .null }
    package init(_ value: String?) { self = value.map(Value.text) ?? .null }

    /// Converts a value of SQLite: a whole number, a text or NULL, but not a decimal number.
    init(_ value: DatabaseValue) {
      self =
        Int64.fromDatabaseValue(value).map(Value.number) ?? Value(String.fromDatabaseValue(value))
    }
  }

  /// The key of the section in JSON.
  package var key: String
  /// The title of the section in text output.
  package var title: String
  /// The names of the section's columns.
  package var columns: [String]
  package var rows: [[Value]]

  /// Creates a section from a query, with the columns of its result.
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

  /// Creates a section from computed rows.
  package init(_ key: String, title: String, columns: [String], rows: [[Value]]) {
    self.key = key
    self.title = title
    self.columns = columns
    self.rows = rows
  }

  /// Returns the section with its largest rows only, the largest first.
  ///
  /// `size` returns the size of a row; rows without a size are last. Rows of equal size keep their
  /// order.
  func largest(_ count: Int, by size: ([Value]) -> Int64?) -> FactSection {
    let sized = rows.enumerated().map { (number: $0.offset, size: size($0.element) ?? -1) }
    let order = sized.sorted { ($1.size, $0.number) < ($0.size, $1.number) }
    var section = self
    section.rows = order.prefix(count).map { rows[$0.number] }
    return section
  }
}
