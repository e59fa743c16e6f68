internal import SQLiteFiles
internal import Diagnostics
internal import GRDB

/// The table `signed_token`: the numbers of verified, trusted, unsigned and rejected signed
/// transactions in each file.
enum TokenLedger {
  /// Inserts the token counts of files; rows of an earlier reading must have been deleted.
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
      try insert.run(
        id, run, tokens.verified, tokens.trusted, tokens.unsigned, tokens.rejected)
    }
  }
}
