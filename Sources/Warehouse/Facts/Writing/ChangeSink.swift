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
  private var tables: [FactSource.Target: ChangedTable] = [:]
  private var target = FactSource.Target.table("")

  /// Prepares to compare the tables of sources, in a transaction that has begun.
  init(_ sources: [FactSource], on db: Database) throws {
    for source in sources {
      tables[source.target] = try ChangedTable(source.target.name, on: db)
    }
  }

  func begin(_ target: FactSource.Target) {
    self.target = target
  }

  func add(_ rows: borrowing EncodedRows) throws {
    try tables[target]?.add(rows)
  }

  func end() throws {
    try tables[target]?.end()
  }

  /// What became of each table.
  var changes: [String: TableChanges] {
    Dictionary(uniqueKeysWithValues: tables.map { ($0.key.name, $0.value.changes) })
  }
}
