internal import GRDB
internal import TemporaryFiles

/// The numbers of changed rows in a table, and the columns that changed.
struct TableChanges: Hashable {
  /// The number of rows that the run has for the table; in a run, only rows in the
  /// scope.
  var rows = 0
  var added = 0
  var changed = 0
  var removed = 0
  /// The columns that differ in at least one changed row.
  var changedColumns: Set<String> = []
}

/// Makes the tables of a warehouse equal to the encoded rows; writes only rows that differ.
///
/// Reads stored and new rows side by side, in the order of keys. The result equals a complete
/// rewrite, except that unchanged rows keep their run numbers.
final class ChangeSink {
  private let db: Database
  private let isScoped: Bool
  private let notesTouchedRows: Bool
  private(set) var changes: [String: TableChanges] = [:]
  /// The change to the content digest of all rows; used only in a run.
  private(set) var digest = ContentDigest()
  /// The changes in the number of failing rows, keyed by data test; `nil` in a run over all rows.
  private(set) var counts: [String: Int]?

  /// Prepares the comparison of tables in an open transaction.
  ///
  /// - Parameters:
  ///   - isScoped: Whether only the rows in the scope's temporary tables are compared.
  init(on db: Database, isScoped: Bool, notesTouchedRows: Bool) {
    self.db = db
    self.isScoped = isScoped
    self.notesTouchedRows = notesTouchedRows
  }

  /// Writes the differences between all new facts and the stored rows, table by table.
  func write(_ facts: FactStore) throws {
    // The scope of a run has few rows, but each batch must look them up and sort them.
    // So its batches are large.
    let batchRows = isScoped ? 65_536 : 2048
    let reader = try facts.sort.reader()
    var rows = EncodedRows()
    var hasRow = try reader.next()
    for name in FactTable.allCases {
      let table = try ChangedTable(
        name.name, on: db, isScoped: isScoped, notesTouchedRows: notesTouchedRows)
      while hasRow, unsafe reader.key[0] == name.rawValue {
        rows.removeAll()
        while hasRow, rows.count < batchRows, unsafe reader.key[0] == name.rawValue {
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
