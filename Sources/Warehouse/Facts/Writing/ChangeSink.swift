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
  /// The tables that can be read beside SQLite; fixed before the first row comes.
  private var published: [FactSource.Target: PublishedTable] = [:]
  private var target = FactSource.Target.table("")

  /// Prepares to compare the tables of sources.
  ///
  /// - Parameters:
  ///   - sources: What the rows come from.
  ///   - file: The database's file, where it holds all that was committed, and nothing else: then
  ///     the large tables are read from its pages, which costs a fraction of asking SQLite.
  ///   - db: The database, its transaction begun, and nothing of large tables written.
  /// - Throws: What SQLite throws.
  init(_ sources: [FactSource], file: String?, on db: Database) throws {
    let pages = try file.map { try StoredPages(path: $0) }
    for source in sources {
      let name = source.target.name
      var stored: StoredTable?
      if let pages, ExaminationScope.notedTables.contains(name),
        try WarehouseSchema.hasNumberAsKey(name, on: db)
      {
        let root = try UInt32.fetchOne(
          db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [name])
        // What is damaged SQLite is left to find.
        stored = try? root.map { try StoredTable(pages, root: $0) }
      }
      let table = try ChangedTable(name, pages: stored, on: db)
      tables[source.target] = table
      published[source.target] = table.published
    }
  }

  func look(at rows: borrowing EncodedRows, of target: FactSource.Target) throws -> RowDifferences?
  {
    try published[target]?.differences(of: rows)
  }

  func begin(_ target: FactSource.Target) {
    self.target = target
  }

  func add(_ rows: borrowing EncodedRows, _ found: RowDifferences?) throws {
    try tables[target]?.add(rows, found)
  }

  func end() throws {
    try tables[target]?.end()
  }

  /// What became of each table.
  var changes: [String: TableChanges] {
    Dictionary(uniqueKeysWithValues: tables.map { ($0.key.name, $0.value.changes) })
  }
}
