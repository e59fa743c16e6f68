internal import CivilTime
public import Diagnostics
internal import Foundation
internal import GRDB
internal import SQLiteFiles

/// Stores the state of each question.
extension AskedDatabase {
  /// The state of a question; `nil` for one that was never asked.
  public func question(_ key: AskedKey) throws(RunFailure) -> AskedQuestion? {
    try file.lookUp { db in
      let statement = try db.cachedStatement(
        sql: "SELECT * FROM question WHERE service = ? AND key = ?")
      return try StoredRow.fetchOne(
        statement, arguments: [key.service.rawValue, Data(key.bytes)]
      ).map(AskedQuestion.init)
    }
  }

  /// Records the states of some questions, in one transaction.
  public func note(_ questions: [AskedKey: AskedQuestion]) throws(RunFailure) {
    try file.write(.questionsNoted) { db in try Self.note(questions, on: db) }
  }

  /// The questions of a service that are pending or rejected, sorted by file and line.
  public func unanswered(_ service: AskedKey.Service) throws(RunFailure)
    -> [(key: AskedKey, question: AskedQuestion)]
  {
    try file.read { db in
      try StoredRow.fetchAll(
        db,
        sql: """
          SELECT * FROM question WHERE service = ? AND state IN ('pending', 'rejected')
          ORDER BY file_name, line, key
          """, arguments: [service.rawValue]
      ).map { row in
        let bytes: Data = row["key"]
        return (key: AskedKey(service, bytes), question: AskedQuestion(row))
      }
    }
  }

  static func note(_ questions: [AskedKey: AskedQuestion], on db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO question
          (service, key, state, at_ms, reason, doubtful_runs, environment, cursor, lead, since_ms,
           file_name, line)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for (key, question) in questions {
      try statement.execute(arguments: [
        key.service.rawValue, Data(key.bytes), question.state.rawValue, question.at.milliseconds,
        question.reason, question.doubtfulRuns, question.environment, question.cursor,
        question.lead.map { Data($0) }, question.since?.milliseconds, question.fileName,
        question.line,
      ])
    }
  }
}

extension AskedQuestion {
  fileprivate init(_ row: StoredRow) {
    self.init(State(rawValue: row["state"]) ?? .pending, at: Instant(milliseconds: row["at_ms"]))
    reason = row["reason"]
    doubtfulRuns = row["doubtful_runs"]
    environment = row["environment"]
    cursor = row["cursor"]
    let lead: Data? = row["lead"]
    self.lead = lead.map { Array($0) }
    let since: Int64? = row["since_ms"]
    self.since = since.map { Instant(milliseconds: $0) }
    fileName = row["file_name"]
    line = row["line"]
  }
}
