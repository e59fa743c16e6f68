public import CivilTime
public import Diagnostics
internal import Foundation
internal import GRDB

/// What is known about one raw receipt record.
public struct QuestionStanding: Hashable, Sendable {
  /// How far it has come.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Asked in vain, or not yet; to be asked again.
    case pending
    /// Apple has answered.
    case answered
    /// Never to be asked again.
    case rejected
  }

  /// How far it has come.
  public var state: State
  /// When that was last decided.
  public var decidedAt: Instant
}

/// A raw receipt record that has no answer.
public struct OpenQuestion: Hashable, Sendable {
  /// The file it was last seen in.
  public var fileName: String
  /// Its line there; 1-based.
  public var line: Int
  /// Pending or rejected.
  public var state: QuestionStanding.State
  /// Why, as a stable word.
  public var reason: String
}

/// Where a record was seen.
public struct RecordPlace: Hashable, Sendable {
  /// The SHA-256 of the record.
  public var key: [UInt8]
  /// The file.
  public var fileName: String
  /// Its line there; 1-based.
  public var line: Int

  /// Describes a place.
  public init(key: [UInt8], fileName: String, line: Int) {
    self.key = key
    self.fileName = fileName
    self.line = line
  }
}

/// validation.db: which raw receipts were asked about, and the answers that no export holds yet.
///
/// Private, and small: of a settled receipt only the hash of its record stays. A process that is
/// killed loses no answer it has stored; a power failure may lose the last few, which are asked
/// about again. One process writes at a time, under the pipeline's lock.
public final class ValidationDatabase: Sendable {
  let file: DatabaseFile

  /// Opens validation.db, creating it where it is missing, readable by its owner alone.
  ///
  /// - Parameter path: Where it lies.
  /// - Returns: The open database.
  /// - Throws: ``RunFailure`` with 78 for a foreign or newer file, which stays untouched, and 73, 74
  ///   or 77 for what the system refuses.
  public static func open(path: String) throws(RunFailure) -> ValidationDatabase {
    let file = try DatabaseFile(path: path, format: .validation, access: .createIfMissing)
    try file.outsideTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    return ValidationDatabase(file)
  }

  private init(_ file: DatabaseFile) {
    self.file = file
  }

  // MARK: Questions

  /// How far a record has come; `nil` where it is new.
  ///
  /// - Throws: ``RunFailure`` when reading fails.
  public func standing(of key: [UInt8]) throws(RunFailure) -> QuestionStanding? {
    try file.lookUp { db in
      let statement = try db.cachedStatement(
        sql: "SELECT state, decided_at_ms FROM question WHERE record_key = ?")
      guard let row = try Row.fetchOne(statement, arguments: [Self.blob(key)]),
        let state = QuestionStanding.State(rawValue: row[0])
      else { return nil }
      return QuestionStanding(state: state, decidedAt: Instant(milliseconds: row[1]))
    }
  }

  /// Stores an answer until an export holds it.
  ///
  /// - Parameters:
  ///   - line: The line of the export to come.
  ///   - place: The record.
  ///   - time: The moment of the answer.
  /// - Throws: ``RunFailure`` when writing fails.
  public func store(answer line: [UInt8], for place: RecordPlace, at time: Instant)
    throws(RunFailure)
  {
    try file.write(.answerStored) { db in
      try Self.note(place, .answered, reason: nil, at: time, on: db)
      try db.execute(
        sql: "INSERT OR REPLACE INTO answer (record_key, line) VALUES (?, ?)",
        arguments: [Self.blob(place.key), Self.blob(line)])
    }
  }

  /// Notes that a record is to be asked about again by a later run, or never.
  ///
  /// An answer that was had before stays the last word about it.
  ///
  /// - Parameters:
  ///   - place: The record.
  ///   - state: Pending or rejected.
  ///   - reason: Why, as a stable word.
  ///   - time: The moment.
  /// - Throws: ``RunFailure`` when writing fails.
  public func note(
    _ place: RecordPlace, _ state: QuestionStanding.State, reason: String, at time: Instant
  ) throws(RunFailure) {
    try file.write(.receiptNoted) { db in
      try Self.note(place, state, reason: reason, at: time, on: db)
    }
  }

  /// Counts a run in which Apple called a record malformed (21002); after so many it is rejected.
  ///
  /// - Parameters:
  ///   - place: The record.
  ///   - runsMax: The number of runs.
  ///   - time: The moment.
  /// - Returns: Whether the record is rejected now.
  /// - Throws: ``RunFailure`` when writing fails.
  public func noteMalformed(_ place: RecordPlace, runsMax: Int, at time: Instant)
    throws(RunFailure) -> Bool
  {
    try file.write(.receiptNoted) { db in
      let before = try Int.fetchOne(
        db, sql: "SELECT malformed_runs FROM question WHERE record_key = ?",
        arguments: [Self.blob(place.key)])
      let isRejected = (before ?? 0) + 1 >= runsMax
      try Self.note(
        place, isRejected ? .rejected : .pending, reason: "status_21002", at: time, on: db)
      try db.execute(
        sql: "UPDATE question SET malformed_runs = malformed_runs + 1 WHERE record_key = ?",
        arguments: [Self.blob(place.key)])
      return isRejected
    }
  }

  /// The records without an answer, by file and line.
  ///
  /// - Throws: ``RunFailure`` when reading fails.
  public func openQuestions() throws(RunFailure) -> [OpenQuestion] {
    try file.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT file_name, line, state, reason FROM question WHERE state <> 'answered'
          ORDER BY file_name, line, record_key
          """
      ).map { row in
        OpenQuestion(
          fileName: row[0], line: row[1], state: .init(rawValue: row[2]) ?? .pending,
          reason: row[3])
      }
    }
  }

  /// The keys of the pending records with the file each was last seen in.
  ///
  /// - Throws: ``RunFailure`` when reading fails.
  public func pendingRecords() throws(RunFailure) -> [[UInt8]: String] {
    try file.read { db in
      var pending: [[UInt8]: String] = [:]
      let rows = try Row.fetchCursor(
        db, sql: "SELECT record_key, file_name FROM question WHERE state = 'pending'")
      while let row = try rows.next() {
        let key: Data = row[0]
        pending[Array(key)] = row[1]
      }
      return pending
    }
  }

  // MARK: Exports

  /// How many answers no export holds yet.
  ///
  /// - Throws: ``RunFailure`` when reading fails.
  public func storedAnswers() throws(RunFailure) -> Int {
    try file.lookUp { try Int.fetchOne($0, sql: "SELECT count(1) FROM answer") ?? 0 }
  }

  /// An export that was begun and not finished: its number and path.
  ///
  /// - Throws: ``RunFailure`` when reading fails.
  public func unfinishedExport() throws(RunFailure) -> (number: Int, path: String)? {
    try file.lookUp { db in
      try Row.fetchOne(
        db, sql: "SELECT export_number, path FROM export WHERE is_finished = 0"
      ).map { (number: $0[0], path: $0[1]) }
    }
  }

  /// The number that the next export gets; from 1.
  ///
  /// - Throws: ``RunFailure`` when reading fails.
  public func nextExportNumber() throws(RunFailure) -> Int {
    try file.lookUp { db in
      1 + (try Int.fetchOne(db, sql: "SELECT max(export_number) FROM export") ?? 0)
    }
  }

  /// Notes that all stored answers are about to be written to a file.
  ///
  /// - Parameters:
  ///   - number: The export's number.
  ///   - path: The file.
  /// - Throws: ``RunFailure`` when writing fails.
  public func beginExport(_ number: Int, path: String) throws(RunFailure) {
    try file.write(.exportBegun) { db in
      try db.execute(
        sql: """
          INSERT INTO export (export_number, path, records, is_finished)
          VALUES (?, ?, (SELECT count(1) FROM answer), 0)
          """, arguments: [number, path])
    }
  }

  /// Hands out all stored lines, in the order of their records' keys.
  ///
  /// - Parameter body: Takes a line; what it throws ends the reading.
  /// - Throws: ``RunFailure`` when reading fails, or from the body.
  public func forEachAnswer(_ body: ([UInt8]) throws(RunFailure) -> Void) throws(RunFailure) {
    try file.read { db in
      let rows = try Row.fetchCursor(db, sql: "SELECT line FROM answer ORDER BY record_key")
      while let row = try rows.next() {
        let line: Data = row[0]
        try body(Array(line))
      }
    }
  }

  /// Notes that an export is in its place, and forgets the answers it holds.
  ///
  /// - Parameter number: The export's number.
  /// - Throws: ``RunFailure`` when writing fails.
  public func finishExport(_ number: Int) throws(RunFailure) {
    try file.write(.exportEnded) { db in
      try db.execute(sql: "DELETE FROM answer")
      try db.execute(
        sql: "UPDATE export SET is_finished = 1 WHERE export_number = ?", arguments: [number])
    }
    try file.checkpoint()
  }

  /// Closes the file; the database must not be used afterwards.
  ///
  /// - Throws: ``RunFailure`` when closing fails.
  public func close() throws(RunFailure) { try file.close() }

  // MARK: Statements

  private static func note(
    _ place: RecordPlace, _ state: QuestionStanding.State, reason: String?, at time: Instant,
    on db: Database
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO question
          (record_key, state, reason, malformed_runs, file_name, line, decided_at_ms)
        VALUES (?1, ?2, ?3, 0, ?4, ?5, ?6)
        ON CONFLICT (record_key) DO UPDATE SET
          state = CASE WHEN state = 'answered' THEN state ELSE excluded.state END,
          reason = CASE WHEN state = 'answered' THEN NULL ELSE excluded.reason END,
          file_name = excluded.file_name, line = excluded.line,
          decided_at_ms = excluded.decided_at_ms
        """)
    try statement.execute(arguments: [
      blob(place.key), state.rawValue, reason, place.fileName, place.line, time.milliseconds,
    ])
  }

  static func blob(_ bytes: [UInt8]) -> Data { Data(bytes) }
}
