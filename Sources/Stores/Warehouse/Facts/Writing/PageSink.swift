internal import Diagnostics
internal import GRDB
internal import TemporaryFiles

/// Writes the pages of a fresh warehouse straight from encoded rows.
///
/// SQLite has made the file and its empty tables, and opens it again to examine it. Only the
/// numbers of pages differ from a file that SQLite would have written.
final class PageSink: FactSink {
  /// The root pages of a database's tables and indexes, by name.
  struct Roots {
    fileprivate var pages: [String: UInt32] = [:]
    fileprivate var keyIndexes: [String: KeyIndex] = [:]
    fileprivate var indexes: [String: [SortedIndex]] = [:]

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
      let ours = try Row.fetchAll(
        db,
        sql: "SELECT name, tbl_name, rootpage FROM sqlite_schema WHERE type = 'index' "
          + "AND sql IS NOT NULL ORDER BY name")
      for (number, row) in ours.enumerated() {
        let columns = try Int.fetchAll(
          db, sql: "SELECT cid FROM pragma_index_info(?) ORDER BY seqno",
          arguments: [row[0] as String])
        indexes[row[1], default: []].append(
          SortedIndex(number: UInt8(number), root: row[2], columns: columns))
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
  private let entries: ExternalSort
  private let entryWriter: ExternalSort.Writer
  private var name = ""
  private var sortedIndexes: [SortedIndex] = []
  private var table: TableTree?
  private var index: IndexTree?
  private var keyColumns = 0
  private var rowNumber: Int64 = 0
  private var lastKey: Int64?
  private var lastEntry: [UInt8] = []
  private var entry = ByteSink(capacity: 256)
  private var sortKey = ByteSink(capacity: 256)
  /// Rows by table.
  private(set) var rows: [String: Int] = [:]

  /// Begins to fill a file; the entries of indexes wait in the memory for sorting.
  init(file: PageFile, roots: Roots, memory: SortMemory) {
    self.file = file
    self.roots = roots
    entries = ExternalSort(memory: memory)
    entryWriter = entries.writer()
  }

  func begin(_ name: String) throws {
    self.name = name
    guard let root = roots.pages[name] else {
      throw RunFailure(.invariantBroken, "\(name): the new database has no such table")
    }
    rowNumber = 0
    lastKey = nil
    lastEntry = []
    keyColumns = 0
    table = TableTree(file: file, root: root)
    rows[name] = 0
    sortedIndexes = roots.indexes[name] ?? []
    if let key = roots.keyIndexes[name] {
      index = IndexTree(file: file, root: key.root)
      keyColumns = key.columns
    }
  }

  func add(_ rows: borrowing EncodedRows) throws {
    for row in 0..<rows.count {
      let number: Int64
      if let key = rows.key(row) {
        if let lastKey { try KeyClash.check(key, after: lastKey, in: name) }
        lastKey = key
        number = key
        unsafe try table?.add(key, rows.record(row))
      } else {
        rowNumber += 1
        number = rowNumber
        unsafe try table?.add(rowNumber, rows.record(row))
        unsafe try addKey(of: rows.record(row))
      }
      for index in sortedIndexes {
        unsafe try index.add(
          rows.record(row), number: number, key: &sortKey, entry: &entry, to: entryWriter)
      }
    }
    self.rows[name, default: 0] += rows.count
  }

  func end() throws {
    try table.take()?.finish()
    try index.take()?.finish()
  }

  /// Writes the indexes, once all tables have ended.
  func finish() throws {
    try entryWriter.finish()
    let reader = try entries.reader()
    var hasEntry = try reader.next()
    for index in roots.indexes.values.joined().sorted(by: { $0.number < $1.number }) {
      var tree = IndexTree(file: file, root: index.root)
      while hasEntry, unsafe reader.key[0] == index.number {
        unsafe try tree.add(reader.value)
        hasEntry = try reader.next()
      }
      try tree.finish()
    }
  }

  /// Adds the index entry of a row's primary key: its first columns and its number.
  private func addKey(of record: UnsafeRawBufferPointer) throws {
    guard keyColumns > 0 else { return }
    unsafe try KeyOrder.check(record, after: lastEntry, columns: keyColumns, in: name)
    entry.truncate(to: 0)
    unsafe RecordPrefix.append(record, columns: keyColumns, row: rowNumber, to: &entry)
    unsafe lastEntry = Array(entry.written)
    unsafe try index?.add(entry.written)
  }
}

/// An index of ours over a table whose rows come in the order of its key.
struct SortedIndex {
  /// Its number among ours.
  let number: UInt8
  let root: UInt32
  /// The positions of its columns in the table.
  let columns: [Int]

  /// Adds the entry of a row: its columns, then its number.
  func add(
    _ record: UnsafeRawBufferPointer, number: Int64, key: inout ByteSink, entry: inout ByteSink,
    to writer: ExternalSort.Writer
  ) throws(RunFailure) {
    key.truncate(to: 0)
    key.append(self.number)
    var header = ByteSink(capacity: 16)
    var body = ByteSink(capacity: 64)
    for column in columns {
      switch unsafe RecordCursor.value(column, of: record) {
      case .text(let text):
        unsafe key.append(text)
        SortKey.endText(&key)
        header.appendVarint(UInt64(13 + 2 * text.count))
        unsafe body.append(text)
      case .integer(let value):
        SortKey.append(value, to: &key)
        let type = SerialType(integer: value)
        header.append(type.code)
        body.appendBigEndian(UInt64(bitPattern: value), bytes: type.width)
      case .null:
        key.append(0)
        header.append(SerialType.null)
      }
    }
    SortKey.append(number, to: &key)
    let type = SerialType(integer: number)
    header.append(type.code)
    body.appendBigEndian(UInt64(bitPattern: number), bytes: type.width)
    entry.truncate(to: 0)
    entry.appendVarint(UInt64(header.count + 1))
    unsafe entry.append(header.written)
    unsafe entry.append(body.written)
    unsafe try writer.add(key: key.written, value: entry.written)
  }
}
