internal import GRDB
internal import TemporaryFiles

/// The changes to the rows of a table.
struct TableChanges: Hashable {
  /// The number of rows that the table has now.
  var rows = 0
  /// Rows that were not there before.
  var added = 0
  /// Rows that differ from before.
  var changed = 0
  /// Rows that are gone.
  var removed = 0
  /// The columns in which a row differs.
  var changedColumns: Set<String> = []
}

/// Updates the tables of a warehouse to the encoded rows, and touches only rows that differ.
///
/// Stored and new rows are read side by side in key order. The result is the same as if the tables
/// had been written again. Unchanged rows keep their run numbers.
final class ChangeSink {
  private let db: Database
  private let isScoped: Bool
  private let notesTouchedRows: Bool
  /// The changes to each table.
  private(set) var changes: [String: TableChanges] = [:]
  /// The change to the digest of all rows, where only a scope is compared.
  private(set) var digest = ContentDigest()
  /// The change to the number of rows that each counted test finds; `nil` where all are compared.
  private(set) var counts: [String: Int]?

  /// Prepares to compare tables, in a transaction that has begun.
  ///
  /// - Parameters:
  ///   - db: The warehouse.
  ///   - isScoped: Whether only the rows in the scope's temporary tables are compared.
  ///   - notesTouchedRows: Whether the numbers of touched rows are noted in `temp.touched_…`.
  init(on db: Database, isScoped: Bool, notesTouchedRows: Bool) {
    self.db = db
    self.isScoped = isScoped
    self.notesTouchedRows = notesTouchedRows
  }

  /// Writes the differences between all facts, table by table, and the stored rows.
  func write(_ facts: FactStore) throws {
    // A scope is looked up and sorted for every portion, and it is small.
    let portion = isScoped ? 65_536 : 2048
    let reader = try facts.sort.reader()
    var rows = EncodedRows()
    var hasRow = try reader.next()
    for name in FactTable.allCases {
      let table = try ChangedTable(
        name.name, on: db, isScoped: isScoped, notesTouchedRows: notesTouchedRows)
      while hasRow, unsafe reader.key[0] == name.rawValue {
        rows.removeAll()
        while hasRow, rows.count < portion, unsafe reader.key[0] == name.rawValue {
          unsafe rows.add(
            reader.value, key: name.hasNumberAsKey ? SortKey.number(reader.key) : nil)
          hasRow = try reader.next()
        }
        try table.add(rows)
      }
      try table.end()
      note(table, name.name)
    }
  }

  private func note(_ table: ChangedTable, _ name: String) {
    changes[name] = table.changes
    guard let sums = table.sums else { return }
    digest.add(sums.digest)
    counts = (counts ?? [:]).merging(sums.counts, uniquingKeysWith: +)
  }
}
