internal import GRDB
internal import SQLiteFiles

@testable internal import Warehouse

/// Writes encoded rows to empty tables through SQLite, the ordinary way.
///
/// Made within the database's access; rows may then come from any thread, one at a time.
final class RowSink: FactSink {
  private let db: Database
  private var statement: RawStatement?

  /// Prepares to fill tables.
  init(on db: Database) { self.db = db }

  func begin(_ name: String) throws {
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
  }

  func end() {}
}
