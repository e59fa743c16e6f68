internal import SQLiteFiles
internal import Crypto
internal import GRDB

extension ContentDigest {
  /// Computes `content_digest` from a finished database, by SQL alone.
  static func ofStored(_ db: Database) throws -> ContentDigest {
    var digest = ContentDigest()
    for table in WarehouseSchema.hashedTables {
      let columns = try WarehouseSchema.hashedColumns(of: table, on: db)
      try digest.add(
        table: table, "SELECT \(columns.joined(separator: ",")) FROM \(table)", on: db)
    }
    return digest
  }

  /// Adds rows of a table that a query gives, with the columns that are hashed.
  mutating func add(table: String, _ query: String, on db: Database) throws {
    var bytes: [UInt8] = []
    let statement = try RawStatement(table, query, on: db)
    let columns = statement.columnCount
    while try statement.next() {
      bytes.removeAll(keepingCapacity: true)
      bytes.append(contentsOf: table.utf8)
      bytes.append(UInt8(ascii: "\n"))
      CanonicalRow.append(statement, columns: columns, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
      add(ContentDigest(row: SHA256.hash(data: bytes)))
    }
  }
}

/// A row in the form that `content_digest` covers.
///
/// NULL is a zero byte, numbers are decimal, texts are UTF-8, with 0x1F between columns.
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
