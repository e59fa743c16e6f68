internal import SQLiteFiles
public import Diagnostics
internal import GRDB

extension StateDatabase {
  /// The number of unusable records and rows in all files that are not superseded, keyed by reason
  /// code.
  public func rejectTally() throws(RunFailure) -> [String: Int] {
    try file.read { db in
      let rows = try RawStatement(
        "count rejects",
        """
        SELECT reason_code, count(1) FROM reject JOIN input_file USING (file_id)
        WHERE status <> 'superseded' GROUP BY reason_code
        """, on: db)
      var tally: [String: Int] = [:]
      while try rows.next() { tally[rows.text(0)] = Int(rows.int64(1)) }
      return tally
    }
  }
}
