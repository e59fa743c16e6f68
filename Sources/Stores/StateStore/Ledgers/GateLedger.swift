internal import SQLiteFiles
public import SharedTables
public import CivilTime
public import Diagnostics
internal import GRDB

/// A standing fault: every run finds it until its cause is removed.
public struct StandingFault: Hashable, Sendable {
  /// The stage that finds the fault: `ingest` or `reconstruct`.
  public var stage: String
  /// The identity of the fault, which is equal in every run, such as `useless_result customers`.
  public var fault: String
  /// The message for the operator.
  public var message: String
  /// The time at which the fault was first found, UTC.
  public var since: Instant
  /// The time at which the fault was last reported on standard error, UTC.
  public var loggedAt: Instant

  /// Creates a fault from its fields.
  public init(stage: String, fault: String, message: String, since: Instant, loggedAt: Instant) {
    self.stage = stage
    self.fault = fault
    self.message = message
    self.since = since
    self.loggedAt = loggedAt
  }
}

extension StateDatabase {
  /// Stores the findings of a group of gates in a run.
  ///
  /// Findings that are already stored for this group and run are replaced.
  public func note(_ outcomes: [GateOutcome], ofRun run: Int64, by judge: String)
    throws(RunFailure)
  {
    let known = try file.read { db in
      try Int.fetchOne(
        db, sql: "SELECT count(1) FROM gate WHERE run_id = ? AND judge = ?",
        arguments: [run, judge]) ?? 0
    }
    guard !outcomes.isEmpty || known > 0 else { return }
    try file.write(.gatesChecked) { db in
      try db.execute(
        sql: "DELETE FROM gate WHERE run_id = ? AND judge = ?", arguments: [run, judge])
      for outcome in outcomes {
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO gate (run_id, judge, gate, severity, subject, found, expected)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            run, judge, outcome.gate.rawValue, outcome.severity.rawValue, outcome.subject,
            outcome.found, outcome.expected,
          ])
      }
    }
  }

  /// The findings of gates, sorted by run, gate and subject.
  ///
  /// - Parameter run: A single run; `nil` for all.
  public func gates(ofRun run: Int64? = nil) throws(RunFailure) -> [RunGate] {
    try file.read { db in
      try [RunGate].read(from: "gate", where: run.map { "run_id = \($0)" } ?? "1", on: db)
    }
  }

  /// The standing faults, sorted by stage and fault.
  public func standingFaults() throws(RunFailure) -> [StandingFault] {
    try file.read { db in
      try StoredRow.fetchAll(
        db,
        sql: """
          SELECT stage, fault, message, since, logged_at FROM standing_fault ORDER BY stage, fault
          """
      ).map { row in
        StandingFault(
          stage: row[0], fault: row[1], message: row[2], since: Instant(milliseconds: row[3]),
          loggedAt: Instant(milliseconds: row[4]))
      }
    }
  }

  /// Stores the standing faults that a stage found, and replaces the faults stored for this stage.
  ///
  /// Unchanged faults are not written again.
  public func keep(_ faults: [StandingFault], ofStage stage: String) throws(RunFailure) {
    let known = try standingFaults().filter { $0.stage == stage }
    guard Set(known) != Set(faults) else { return }
    try file.write(.faultsKept) { db in
      try db.execute(sql: "DELETE FROM standing_fault WHERE stage = ?", arguments: [stage])
      for fault in faults {
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO standing_fault (stage, fault, message, since, logged_at)
            VALUES (?, ?, ?, ?, ?)
            """,
          arguments: [
            fault.stage, fault.fault, fault.message, fault.since.milliseconds,
            fault.loggedAt.milliseconds,
          ])
      }
    }
  }
}
