public import Diagnostics
internal import GRDB
internal import SQLiteFiles

/// The tables of state.db whose rows have checksums.
private let checkedTables: [(name: String, keys: String, blobs: [String])] = [
  ("chain_part", "chain_key, file_id, piece", ["body"]),
  ("price_report", "evidence_id, file_id, 0", ["body"]),
  ("apple_report", "file_id, 0, 0", ["lines"]),
  ("file_keys", "file_id, reading, 0", ["chain_keys", "evidence_ids", "customers"]),
  ("last_publication", "only_row, 0, 0", ["sums"]),
  ("link", "chain_key, 0, 0", ["body"]),
  ("claim", "transaction_id, chain_key, 0", []),
  ("placed", "evidence_id, 0, 0", ["body"]),
  ("vote", "chain_key, evidence_id, 0", ["body"]),
  ("cell_row", "chain_key, 0, 0", ["body"]),
]

extension StateDatabase {
  /// Checks the file for damage: its pages, its tables, and the rows that have checksums.
  ///
  /// - Returns: The findings; empty for an intact file.
  public func damage(isThorough: Bool) throws(RunFailure) -> [String] {
    let damaged = try file.damage(isThorough: isThorough)
    // The rows of a file with broken pages cannot all be read.
    guard damaged.isEmpty else { return damaged }
    let path = file.path
    return try file.read { db in
      try checkedTables.compactMap { table in
        let damaged = try Self.damagedRows(
          of: table.name, keys: table.keys, blobs: table.blobs, on: db)
        guard damaged > 0 else { return nil }
        return "\(path): rows of \(table.name) that are not as written: \(damaged). "
          + "Restore the file from a copy, or move it away and run the pipeline with all exports"
      }
    }
  }

  private static func damagedRows(
    of table: String, keys: String, blobs: [String], on db: Database
  ) throws -> Int {
    let rows = try RawStatement(
      "check rows",
      "SELECT \((["\(keys), checksum"] + blobs).joined(separator: ", ")) FROM \(table)", on: db)
    var damaged = 0
    while try rows.next() {
      var checksum = RowChecksum(rows.int64(0), rows.int64(1), rows.int64(2))
      for column in 4..<Int32(4 + blobs.count) {
        unsafe rows.withBytes(column) { unsafe checksum.add($0) }
      }
      if checksum.value != rows.int64(3) { damaged += 1 }
    }
    return damaged
  }
}
