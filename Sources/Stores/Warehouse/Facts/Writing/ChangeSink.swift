internal import GRDB

/// What became of the rows of a table.
struct TableChanges: Hashable {
  /// How many rows the table has now.
  var rows = 0
  /// Rows that were not there before.
  var added = 0
  /// Rows that say something else than before.
  var changed = 0
  /// Rows that are gone.
  var removed = 0
}

/// Brings the tables of a warehouse to what encoded rows say, and touches only rows that differ.
///
/// Stored and new rows are read side by side in key order; so whatever stands in the tables, they
/// end the same as if they had been written anew. Rows that stay keep their run numbers.
final class ChangeSink: FactSink {
  private let db: Database
  private var table: ChangedTable?
  private var name = ""
  /// What became of each table.
  private(set) var changes: [String: TableChanges] = [:]

  private let isScoped: Bool

  /// Prepares to compare tables, in a transaction that has begun.
  ///
  /// - Parameters:
  ///   - db: The warehouse.
  ///   - isScoped: Whether only the rows in the scope's temporary tables are compared.
  init(on db: Database, isScoped: Bool = false) {
    self.db = db
    self.isScoped = isScoped
  }

  func begin(_ name: String) throws {
    self.name = name
    table = try ChangedTable(name, on: db, isScoped: isScoped)
  }

  func add(_ rows: borrowing EncodedRows) throws { try table?.add(rows) }

  func end() throws {
    try table?.end()
    changes[name] = table?.changes
  }
}
