internal import GRDB

extension ContentHash {
  /// Computes `content_sha256` from a finished database, by SQL alone.
  static func ofStored(_ db: Database) throws -> String {
    let hash = ContentHash()
    var bytes: [UInt8] = []
    for table in WarehouseSchema.hashedTables {
      hash.begin(table: table)
      let columns = try WarehouseSchema.hashedColumns(of: table, on: db)
      let key = try WarehouseSchema.primaryKey(of: table, on: db)
      let statement = try RawStatement(
        table,
        "SELECT \(columns.joined(separator: ",")) FROM \(table) "
          + "ORDER BY \(key.joined(separator: ","))", on: db)
      while try statement.next() {
        bytes.removeAll(keepingCapacity: true)
        CanonicalRow.append(statement, columns: Int32(columns.count), to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        unsafe bytes.withUnsafeBytes { unsafe hash.add($0) }
      }
    }
    return hash.finish()
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
