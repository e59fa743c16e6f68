internal import Crypto
internal import GRDB

extension ContentDigest {
  /// Computes `content_digest` from a finished database, by SQL alone.
  static func ofStored(_ db: Database) throws -> ContentDigest {
    var digest = ContentDigest()
    var bytes: [UInt8] = []
    for table in WarehouseSchema.hashedTables {
      let columns = try WarehouseSchema.hashedColumns(of: table, on: db)
      let statement = try RawStatement(
        table, "SELECT \(columns.joined(separator: ",")) FROM \(table)", on: db)
      while try statement.next() {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: table.utf8)
        bytes.append(UInt8(ascii: "\n"))
        CanonicalRow.append(statement, columns: Int32(columns.count), to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        digest.add(ContentDigest(row: SHA256.hash(data: bytes)))
      }
    }
    return digest
  }
}

/// A row in the form that `content_digest` covers: NULL is a zero byte, numbers are decimal, texts
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
