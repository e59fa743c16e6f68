internal import SQLiteFiles
public import CivilTime
public import Diagnostics
internal import Foundation
internal import GRDB

/// Stores the state of each raw receipt.
extension ValidationDatabase {
  /// The state of the raw receipt with a key (``RecordPlace/key``); `nil` for a new receipt.
  public func status(of key: [UInt8]) throws(RunFailure) -> RawReceiptStatus? {
    try file.lookUp { db in
      let statement = try db.cachedStatement(
        sql: "SELECT state, decided_at_ms FROM raw_receipt WHERE record_key = ?")
      guard let row = try StoredRow.fetchOne(statement, arguments: [Self.blob(key)]),
        let state = RawReceiptStatus.State(rawValue: row[0])
      else { return nil }
      return RawReceiptStatus(state: state, decidedAt: Instant(milliseconds: row[1]))
    }
  }

  /// Stores Apple's response to a raw receipt; it is kept until an export contains it.
  ///
  /// - Parameters:
  ///   - line: The response, as the bytes of a line of the next export.
  public func store(answer line: [UInt8], for place: RecordPlace, at time: Instant)
    throws(RunFailure)
  {
    try file.write(.answerStored) { db in
      try Self.note(place, .answered, reason: nil, at: time, on: db)
      try db.execute(
        sql: "INSERT OR REPLACE INTO response (record_key, line) VALUES (?, ?)",
        arguments: [Self.blob(place.key), Self.blob(line)])
    }
  }

  /// Records that a raw receipt has no response, and whether a later run sends it again.
  ///
  /// Does not change the state of a receipt that has a response.
  ///
  /// - Parameters:
  ///   - state: Pending (sent again) or rejected (not sent again).
  public func note(
    _ place: RecordPlace, _ state: RawReceiptStatus.State, reason: String, at time: Instant
  ) throws(RunFailure) {
    try file.write(.receiptNoted) { db in
      try Self.note(place, state, reason: reason, at: time, on: db)
    }
  }

  /// Records a run in which Apple responded 21002 (malformed) to a raw receipt.
  ///
  /// - Returns: True if the receipt is now rejected.
  public func noteMalformed(_ place: RecordPlace, runsMax: Int, at time: Instant)
    throws(RunFailure) -> Bool
  {
    try file.write(.receiptNoted) { db in
      let before = try Int.fetchOne(
        db, sql: "SELECT malformed_runs FROM raw_receipt WHERE record_key = ?",
        arguments: [Self.blob(place.key)])
      let isRejected = (before ?? 0) + 1 >= runsMax
      try Self.note(
        place, isRejected ? .rejected : .pending, reason: "status_21002", at: time, on: db)
      try db.execute(
        sql: "UPDATE raw_receipt SET malformed_runs = malformed_runs + 1 WHERE record_key = ?",
        arguments: [Self.blob(place.key)])
      return isRejected
    }
  }

  /// The raw receipts without a response, sorted by file and line.
  public func unansweredReceipts() throws(RunFailure) -> [UnansweredReceipt] {
    try file.read { db in
      try StoredRow.fetchAll(
        db,
        sql: """
          SELECT file_name, line, state, reason FROM raw_receipt WHERE state <> 'answered'
          ORDER BY file_name, line, record_key
          """
      ).map { row in
        UnansweredReceipt(
          fileName: row[0], line: row[1], state: .init(rawValue: row[2]) ?? .pending,
          reason: row[3])
      }
    }
  }

  /// The file in which each pending raw receipt last occurred, keyed by the key of the receipt.
  public func pendingRecords() throws(RunFailure) -> [[UInt8]: String] {
    try file.read { db in
      var pending: [[UInt8]: String] = [:]
      let rows = try StoredRow.fetchCursor(
        db, sql: "SELECT record_key, file_name FROM raw_receipt WHERE state = 'pending'")
      while let row = try rows.next() {
        let key: Data = row[0]
        pending[Array(key)] = row[1]
      }
      return pending
    }
  }

  private static func note(
    _ place: RecordPlace, _ state: RawReceiptStatus.State, reason: String?, at time: Instant,
    on db: Database
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO raw_receipt
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
}
