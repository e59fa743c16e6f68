internal import SQLiteFiles
internal import GRDB

/// Writes encoded rows to empty tables through SQLite, the ordinary way.
///
/// Made within the database's access; rows may then come from any thread, one at a time.
final class RowSink: FactSink {
  private let db: Database
  private var statement: RawStatement?
  private var name = ""
  /// Rows by table.
  private(set) var rows: [String: Int] = [:]

  /// Prepares to fill tables.
  init(on db: Database) { self.db = db }

  func begin(_ name: String) throws {
    self.name = name
    rows[name] = 0
    let places = try WarehouseSchema.columns(of: name, on: db).map { _ in "?" }
    statement = try RawStatement(
      name, "INSERT INTO \(name) VALUES (\(places.joined(separator: ",")))", on: db)
  }

  func add(_ rows: borrowing EncodedRows) throws {
    guard let statement else { return }
    for row in 0..<rows.count {
      unsafe statement.bind(rows.record(row), key: rows.key(row))
      try statement.run()
    }
    self.rows[name, default: 0] += rows.count
  }

  func end() {}
}

extension RawStatement {
  /// Binds the columns of a record to the first parameters; the key replaces a first column of
  /// NULL.
  @inline(__always)
  func bind(_ record: UnsafeRawBufferPointer, key: Int64?) {
    var values = unsafe RecordCursor(record)
    var parameter: Int32 = 0
    while let value = unsafe values.next() {
      parameter += 1
      switch unsafe value {
      case .null:
        if parameter == 1, let key { bind(key, at: 1) } else { bindNull(at: parameter) }
      case .integer(let number): bind(number, at: parameter)
      case .text(let bytes): unsafe bind(utf8: bytes, at: parameter)
      }
    }
  }
}
