internal import SQLiteFiles
internal import Diagnostics
internal import GRDB

/// The table `signed_token`: the numbers of signed transactions in each file.
enum TokenLedger {
  /// Inserts the token counts of files; those of an earlier reading must have been deleted.
  static func insert(
    _ entries: [IngestBatch.Entry], ids: [Int64], run: Int64, on db: Database
  ) throws {
    let insert = try RawStatement(
      "insert tokens",
      """
      INSERT INTO signed_token (file_id, run_id, verified, trusted, unsigned, rejected)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """, on: db)
    for (entry, id) in zip(entries, ids) where !entry.file.tally.tokens.isEmpty {
      let tokens = entry.file.tally.tokens
      insert.bind(id, at: 1)
      insert.bind(run, at: 2)
      insert.bind(Int64(tokens.verified), at: 3)
      insert.bind(Int64(tokens.trusted), at: 4)
      insert.bind(Int64(tokens.unsigned), at: 5)
      insert.bind(Int64(tokens.rejected), at: 6)
      try insert.run()
    }
  }
}
