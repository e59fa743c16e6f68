internal import SQLiteFiles
public import Diagnostics
internal import Foundation
internal import GRDB

/// Stores the responses for the next export, and the progress of exports.
extension ValidationDatabase {
  /// The number of responses that no export contains yet.
  public func storedAnswers() throws(RunFailure) -> Int {
    try file.lookUp { try Int.fetchOne($0, sql: "SELECT count(1) FROM response") ?? 0 }
  }

  /// The number and path of an unfinished export; `nil` if there is none.
  public func unfinishedExport() throws(RunFailure) -> (number: Int, path: String)? {
    try file.lookUp { db in
      try StoredRow.fetchOne(
        db, sql: "SELECT export_number, path FROM export WHERE is_finished = 0"
      ).map { (number: $0[0], path: $0[1]) }
    }
  }

  /// The number of the next export, from 1.
  public func nextExportNumber() throws(RunFailure) -> Int {
    try file.lookUp { db in
      1 + (try Int.fetchOne(db, sql: "SELECT max(export_number) FROM export") ?? 0)
    }
  }

  /// Records that all stored responses are about to be written to a file.
  public func beginExport(_ number: Int, path: String) throws(RunFailure) {
    try file.write(.exportBegun) { db in
      try db.execute(
        sql: """
          INSERT INTO export (export_number, path, records, is_finished)
          VALUES (?, ?, (SELECT count(1) FROM response), 0)
          """, arguments: [number, path])
    }
  }

  /// Passes the lines of all stored responses to `body`, sorted by the keys of their receipts.
  ///
  /// - Parameter body: Receives a line; its error ends the reading.
  public func forEachAnswer(_ body: ([UInt8]) throws(RunFailure) -> Void) throws(RunFailure) {
    try file.read { db in
      let rows = try StoredRow.fetchCursor(db, sql: "SELECT line FROM response ORDER BY record_key")
      while let row = try rows.next() {
        let line: Data = row[0]
        try body(Array(line))
      }
    }
  }

  /// Records that an export is complete, and deletes all stored responses: the export has them now.
  public func finishExport(_ number: Int) throws(RunFailure) {
    try file.write(.exportEnded) { db in
      try db.execute(sql: "DELETE FROM response")
      try db.execute(
        sql: "UPDATE export SET is_finished = 1 WHERE export_number = ?", arguments: [number])
    }
    try file.checkpoint()
  }
}
