internal import GRDB

/// The changes to the rows of a table.
struct TableChanges: Hashable {
  /// The number of rows that the table has now.
  var rows = 0
  /// Rows that were not there before.
  var added = 0
  /// Rows that say something else than before.
  var changed = 0
  /// Rows that are gone.
  var removed = 0
  /// The columns in which a row says something else.
  var changedColumns: Set<String> = []
}

/// Updates the tables of a warehouse to the encoded rows, and touches only rows that differ.
///
/// Stored and new rows are read side by side in key order. The result is the same as if the tables
/// had been written anew. Unchanged rows keep their run numbers.
final class ChangeSink: FactSink {
  private let db: Database
  private var table: ChangedTable?
  private var name = ""
  /// The changes to each table.
  private(set) var changes: [String: TableChanges] = [:]
  /// The change to the digest of all rows, where only a scope is compared.
  private(set) var digest = ContentDigest()
  /// The change to the number of rows that each counted test finds; `nil` where all are compared.
  private(set) var counts: [String: Int]?

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
    guard let table else { return }
    changes[name] = table.changes
    guard let sums = table.sums else { return }
    digest.add(sums.digest)
    counts = (counts ?? [:]).merging(sums.counts, uniquingKeysWith: +)
  }
}
