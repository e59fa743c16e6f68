internal import GRDB

/// Writes encoded rows to empty tables through SQLite, the ordinary way.
///
/// Made within the database's access; rows may then come from any thread, one at a time.
final class RowSink: FactSink {
  private let statements: [FactSource.Target: RawStatement]
  private var target = FactSource.Target.table("")
  /// Rows by table.
  private(set) var rows: [String: Int] = [:]

  /// Prepares to fill the tables of sources.
  init(_ sources: [FactSource], on db: Database) throws {
    var statements: [FactSource.Target: RawStatement] = [:]
    for source in sources {
      let name = source.target.name
      let places = try WarehouseSchema.columns(of: name, on: db).map { _ in "?" }
      statements[source.target] = try RawStatement(
        name, "INSERT INTO \(name) VALUES (\(places.joined(separator: ",")))", on: db)
    }
    self.statements = statements
  }

  func begin(_ target: FactSource.Target) {
    self.target = target
    rows[target.name] = 0
  }

  func add(_ rows: borrowing EncodedRows) throws {
    guard let statement = statements[target] else { return }
    for row in 0..<rows.count {
      unsafe statement.bind(rows.record(row), key: rows.key(row))
      try statement.run()
    }
    self.rows[target.name, default: 0] += rows.count
  }

  func end() {}
}

extension RawStatement {
  /// Binds the columns of a record to the first parameters; the key stands for a first column of
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
