public import CivilTime
public import Diagnostics
internal import Foundation
internal import GRDB
internal import SQLiteFiles

/// Stores answers as lines of the next export, and the progress of exports.
extension AskedDatabase {
  /// Stores an answer until an export has it, with the states of the questions that it settles.
  public func store(
    answer line: [UInt8], to key: AskedKey, at time: Instant,
    noting questions: [AskedKey: AskedQuestion] = [:]
  ) throws(RunFailure) {
    try file.write(.answerStored) { db in
      try Self.note(questions, on: db)
      try db.execute(
        sql: "INSERT INTO response (service, key, received_at_ms, line) VALUES (?, ?, ?, ?)",
        arguments: [key.service.rawValue, Data(key.bytes), time.milliseconds, Data(line)])
    }
  }

  /// The newest answer to a question that no export has yet.
  public func answer(to key: AskedKey) throws(RunFailure) -> [UInt8]? {
    try file.lookUp { db in
      try Data.fetchOne(
        db,
        sql: """
          SELECT line FROM response WHERE service = ? AND key = ?
          ORDER BY response_number DESC LIMIT 1
          """, arguments: [key.service.rawValue, Data(key.bytes)]
      ).map { Array($0) }
    }
  }

  /// The answers of a service that no export has yet.
  public struct Waiting: Hashable, Sendable {
    /// The number of answers.
    public var answers: Int
    /// The length of all lines.
    public var bytes: Int
    /// The time of the oldest answer; `nil` without answers.
    public var oldest: Instant?
  }

  /// Counts the answers of a service that no export has yet.
  public func waiting(_ service: AskedKey.Service) throws(RunFailure) -> Waiting {
    try file.lookUp { db in
      let row = try StoredRow.fetchOne(
        db,
        sql: """
          SELECT count(1), coalesce(sum(length(line)), 0), min(received_at_ms) FROM response
          WHERE service = ?
          """, arguments: [service.rawValue])
      let oldest: Int64? = row?[2]
      return Waiting(
        answers: row?[0] ?? 0, bytes: row?[1] ?? 0,
        oldest: oldest.map { Instant(milliseconds: $0) })
    }
  }

  /// Changes answers that no export has yet, in one transaction.
  ///
  /// The old lines may remain in freed pages until ``scrub()``.
  ///
  /// - Parameter body: Receives a stored line; returns the new line, or `nil` to keep the stored
  ///   line.
  /// - Returns: The number of changed answers.
  public func replaceAnswers(_ body: ([UInt8]) -> [UInt8]?) throws(RunFailure) -> Int {
    try file.write(.customersErased) { db in
      var changed: [(number: Int64, line: Data)] = []
      let rows = try StoredRow.fetchCursor(db, sql: "SELECT response_number, line FROM response")
      while let row = try rows.next() {
        let line: Data = row[1]
        if let new = body(Array(line)) { changed.append((row[0], Data(new))) }
      }
      for (number, line) in changed {
        try db.execute(
          sql: "UPDATE response SET line = ? WHERE response_number = ?", arguments: [line, number])
      }
      return changed.count
    }
  }

  // MARK: - Exports

  /// The path of each export, oldest first, and whether it is complete.
  public func exports() throws(RunFailure) -> [(path: String, isFinished: Bool)] {
    try file.read { db in
      try StoredRow.fetchAll(
        db, sql: "SELECT path, is_finished FROM export ORDER BY service, export_number"
      ).map { (path: $0[0], isFinished: $0[1]) }
    }
  }

  /// The number and path of a service's unfinished export; `nil` if there is none.
  public func unfinishedExport(_ service: AskedKey.Service) throws(RunFailure)
    -> (number: Int, path: String)?
  {
    try file.lookUp { db in
      try StoredRow.fetchOne(
        db, sql: "SELECT export_number, path FROM export WHERE service = ? AND is_finished = 0",
        arguments: [service.rawValue]
      ).map { (number: $0[0], path: $0[1]) }
    }
  }

  /// The number of a service's next export, from 1.
  public func nextExportNumber(_ service: AskedKey.Service) throws(RunFailure) -> Int {
    try file.lookUp { db in
      1
        + (try Int.fetchOne(
          db, sql: "SELECT max(export_number) FROM export WHERE service = ?",
          arguments: [service.rawValue]) ?? 0)
    }
  }

  /// Records that all stored answers of a service are about to be written to a file.
  public func beginExport(_ service: AskedKey.Service, _ number: Int, path: String)
    throws(RunFailure)
  {
    try file.write(.exportBegun) { db in
      try db.execute(
        sql: "INSERT INTO export (service, export_number, path, is_finished) VALUES (?, ?, ?, 0)",
        arguments: [service.rawValue, number, path])
    }
  }

  /// Passes the lines of a service's stored answers to `body`, in the order of their arrival.
  public func forEachAnswer(
    _ service: AskedKey.Service, _ body: ([UInt8]) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    try file.read { db in
      let rows = try StoredRow.fetchCursor(
        db, sql: "SELECT line FROM response WHERE service = ? ORDER BY response_number",
        arguments: [service.rawValue])
      while let row = try rows.next() {
        let line: Data = row[0]
        try body(Array(line))
      }
    }
  }

  /// Records that an export is complete, and deletes the service's answers: the export has them.
  public func finishExport(_ service: AskedKey.Service, _ number: Int) throws(RunFailure) {
    try file.write(.exportEnded) { db in
      try db.execute(sql: "DELETE FROM response WHERE service = ?", arguments: [service.rawValue])
      try db.execute(
        sql: "UPDATE export SET is_finished = 1 WHERE service = ? AND export_number = ?",
        arguments: [service.rawValue, number])
    }
    try file.checkpoint()
  }
}
