internal import Diagnostics
internal import GRDB

/// Writes the pages of a fresh warehouse straight from encoded rows.
///
/// SQLite has made the file and its empty tables; it is opened again to be examined. What this
/// writes can be told from what SQLite would have written only by the numbers of pages.
final class PageSink: FactSink {
  /// The root pages of a database's tables and indexes, by name.
  struct Roots {
    fileprivate var pages: [String: UInt32] = [:]
    fileprivate var keyIndexes: [String: KeyIndex] = [:]

    /// Looks them up in a new database; indexes of ours must exist already.
    init(_ db: Database) throws {
      for row in try Row.fetchAll(
        db, sql: "SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0")
      {
        pages[row[0]] = row[1]
      }
      for (name, root) in pages {
        let prefix = "sqlite_autoindex_"
        guard name.hasPrefix(prefix), name.hasSuffix("_1") else { continue }
        let table = String(name.dropFirst(prefix.count).dropLast(2))
        let width = try WarehouseSchema.primaryKey(of: table, on: db).count
        keyIndexes[table] = KeyIndex(root: root, columns: width)
      }
    }
  }

  /// The index that SQLite made for a primary key of texts.
  fileprivate struct KeyIndex {
    var root: UInt32
    var columns: Int
  }

  private let file: PageFile
  private let roots: Roots
  private var target = FactSource.Target.table("")
  private var table: TableTree?
  private var index: IndexTree?
  private var keyColumns = 0
  private var rowNumber: Int64 = 0
  private var lastKey: Int64?
  private var lastEntry: [UInt8] = []
  private var entry = ByteSink(capacity: 256)
  /// Rows by table.
  private(set) var rows: [String: Int] = [:]

  /// Begins to fill a file.
  init(file: PageFile, roots: Roots) {
    self.file = file
    self.roots = roots
  }

  func begin(_ target: FactSource.Target) throws {
    guard let root = roots.pages[target.name] else {
      throw RunFailure(.invariantBroken, "\(target.name): the new database has no such table")
    }
    self.target = target
    rowNumber = 0
    lastKey = nil
    lastEntry = []
    keyColumns = 0
    if case .index = target {
      index = IndexTree(file: file, root: root)
      return
    }
    table = TableTree(file: file, root: root)
    rows[target.name] = 0
    if let key = roots.keyIndexes[target.name] {
      index = IndexTree(file: file, root: key.root)
      keyColumns = key.columns
    }
  }

  func add(_ rows: borrowing EncodedRows) throws {
    for row in 0..<rows.count {
      if case .index = target {
        unsafe try index?.add(rows.record(row))
      } else if rows.keys.isEmpty {
        rowNumber += 1
        unsafe try table?.add(rowNumber, rows.record(row))
        unsafe try addKey(of: rows.record(row))
      } else {
        let key = rows.keys[row]
        if let lastKey { try KeyClash.check(key, after: lastKey, in: target.name) }
        lastKey = key
        unsafe try table?.add(key, rows.record(row))
      }
    }
    self.rows[target.name, default: 0] += rows.count
  }

  func end() throws {
    try table.take()?.finish()
    try index.take()?.finish()
  }

  /// Adds what the index of the primary key holds of a row: its first columns and its number.
  private func addKey(of record: UnsafeRawBufferPointer) throws {
    guard keyColumns > 0 else { return }
    unsafe try KeyOrder.check(record, after: lastEntry, columns: keyColumns, in: target.name)
    entry.truncate(to: 0)
    unsafe RecordPrefix.append(record, columns: keyColumns, row: rowNumber, to: &entry)
    unsafe lastEntry = Array(entry.written)
    unsafe try index?.add(entry.written)
  }
}
