internal import SQLiteFiles
public import Diagnostics
internal import Foundation
internal import GRDB

extension ValidationDatabase {
  /// Changes stored responses that no export contains yet, in one transaction.
  ///
  /// Each response is stored as a line of the next export.
  ///
  /// The old lines may remain in freed pages until ``scrub()``.
  ///
  /// - Parameter body: Receives a stored line; returns the new line, or `nil` to keep the stored
  ///   line.
  public func replaceAnswers(_ body: ([UInt8]) -> [UInt8]?) throws(RunFailure) -> Int {
    try file.write(.customersErased) { db in
      var changed: [(key: Data, line: Data)] = []
      let rows = try StoredRow.fetchCursor(db, sql: "SELECT record_key, line FROM response")
      while let row = try rows.next() {
        let line: Data = row[1]
        if let new = body(Array(line)) { changed.append((row[0], Data(new))) }
      }
      for (key, line) in changed {
        try db.execute(
          sql: "UPDATE response SET line = ? WHERE record_key = ?", arguments: [line, key])
      }
      return changed.count
    }
  }

  /// The path of each export, oldest first, and whether it is complete.
  public func exports() throws(RunFailure) -> [(path: String, isFinished: Bool)] {
    try file.read { db in
      try StoredRow.fetchAll(db, sql: "SELECT path, is_finished FROM export ORDER BY export_number")
        .map { (path: $0[0], isFinished: $0[1]) }
    }
  }

  /// Rewrites the file without its freed pages and empties its log.
  ///
  /// - Returns: Whether all removed data is gone; `false` while a reader uses the log.
  public func scrub() throws(RunFailure) -> Bool { try file.scrub() }
}
