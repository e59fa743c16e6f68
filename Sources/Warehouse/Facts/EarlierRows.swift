internal import GRDB

/// The rows of a fact table before this run: what changed keeps or gets its run numbers by them.
struct EarlierRows {
  /// One row: its key, what it said, and the runs that wrote and changed it.
  struct Row {
    /// The primary key.
    var key: Int64
    /// The digest of what it said.
    var digest: Int
    /// The run that wrote it first; 0 where the table does not tell.
    var firstRunID: Int64
    /// The run that changed it last.
    var changedRunID: Int64
  }

  private var rows: [Row] = []
  private var position = 0
  private var seen = 0
  /// How many rows had no row before.
  private(set) var added = 0
  /// How many rows say something else than before.
  private(set) var changed = 0

  /// No earlier rows: everything is new.
  init() {}

  /// Reads a table whose primary key is one whole number.
  init(of table: String, hasFirstRun: Bool, on db: Database) throws {
    let columns = try WarehouseSchema.hashedColumns(of: table, on: db)
    let key = try WarehouseSchema.primaryKey(of: table, on: db)[0]
    let first = hasFirstRun ? "first_run_id" : "0"
    let statement = try RawStatement(
      table,
      "SELECT \(columns.joined(separator: ",")), \(key), \(first), changed_run_id "
        + "FROM \(table) ORDER BY \(key)", on: db)
    rows.reserveCapacity(try Int.fetchOne(db, sql: "SELECT count(1) FROM \(table)") ?? 0)
    let width = Int32(columns.count)
    var bytes: [UInt8] = []
    while try statement.next() {
      bytes.removeAll(keepingCapacity: true)
      CanonicalRow.append(statement, columns: width, to: &bytes)
      let digest = unsafe bytes.withUnsafeBytes { unsafe RowDigest.of($0) }
      rows.append(
        Row(
          key: statement.int64(width), digest: digest, firstRunID: statement.int64(width + 1),
          changedRunID: statement.int64(width + 2)))
    }
  }

  /// How many rows are gone.
  var removed: Int { rows.count - seen }

  /// The run numbers of a row that now says this; keys must come in rising order.
  mutating func runs(of key: Int64, digest: Int, run: Int64) -> (first: Int64, changed: Int64) {
    while position < rows.count, rows[position].key < key { position += 1 }
    guard position < rows.count, rows[position].key == key else {
      added += 1
      return (run, run)
    }
    seen += 1
    let row = rows[position]
    guard row.digest != digest else { return (row.firstRunID, row.changedRunID) }
    changed += 1
    return (row.firstRunID, run)
  }
}

/// A row in the form that `content_sha256` covers: NULL is a zero byte, numbers are decimal, texts
/// are UTF-8, and 0x1F stands between columns.
enum CanonicalRow {
  /// Appends the first columns of a statement's row.
  static func append(_ statement: RawStatement, columns: Int32, to bytes: inout [UInt8]) {
    for column in 0..<columns {
      if column > 0 { bytes.append(0x1F) }
      if statement.isNull(column) {
        bytes.append(0)
      } else {
        unsafe statement.withBytes(column) { unsafe bytes.append(contentsOf: $0) }
      }
    }
  }
}
