internal import SQLiteFiles
internal import Crypto
internal import GRDB

extension ContentDigest {
  /// Computes `content_digest` from the stored rows of a finished database.
  static func ofStored(_ db: Database) throws -> ContentDigest {
    var digest = ContentDigest()
    for table in WarehouseSchema.hashedTables {
      let columns = try WarehouseSchema.hashedColumns(of: table, on: db)
      let row = try RawStatement(
        table, "SELECT \(columns.joined(separator: ",")) FROM \(table)", on: db)
      while try row.next() { digest.add(ContentDigest(table: table, row: row)) }
    }
    return digest
  }

  /// Computes the digest of a statement's current row, from all columns of the statement.
  init(table: String, row: RawStatement) {
    var bytes = Array(table.utf8)
    bytes.append(UInt8(ascii: "\n"))
    CanonicalRow.append(row, columns: row.columnCount, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    self.init(row: SHA256.hash(data: bytes))
  }
}

/// The canonical bytes of a row, from which its part of `content_digest` is computed.
///
/// NULL is a zero byte, numbers are decimal digits, texts are UTF-8; a byte 0x1F separates columns.
enum CanonicalRow {
  /// Appends the first `columns` columns of a statement's current row.
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
