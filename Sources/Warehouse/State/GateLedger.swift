public import CivilTime
public import Diagnostics
internal import GRDB

/// What a gate found in a run: a row of `audit_gate`.
public struct RunGate: Hashable, Sendable {
  /// The run.
  public var runID: Int64
  /// What was found.
  public var outcome: GateOutcome

  /// Describes a finding of a run.
  public init(runID: Int64, outcome: GateOutcome) {
    self.runID = runID
    self.outcome = outcome
  }
}

/// A fault that stands: something that the nights find again and again until somebody mends it.
public struct StandingFault: Hashable, Sendable {
  /// The stage that finds it: `ingest` or `reconstruct`.
  public var stage: String
  /// What it is, the same every night: `useless_result customers`.
  public var fault: String
  /// What an operator is told.
  public var message: String
  /// When it was found first.
  public var since: Instant
  /// When it was last said on standard error.
  public var toldAt: Instant

  /// Describes a fault.
  public init(stage: String, fault: String, message: String, since: Instant, toldAt: Instant) {
    self.stage = stage
    self.fault = fault
    self.message = message
    self.since = since
    self.toldAt = toldAt
  }
}

extension StateDatabase {
  /// Keeps what one part of a run's gates found, in place of what the same part had found in it before.
  ///
  /// - Parameters:
  ///   - outcomes: The findings.
  ///   - run: The run.
  ///   - judge: Which part judged: `files`, `facts` or `data_tests`.
  /// - Throws: ``RunFailure`` when writing fails.
  public func note(_ outcomes: [GateOutcome], ofRun run: Int64, by judge: String)
    throws(RunFailure)
  {
    let known = try file.read { db in
      try Int.fetchOne(
        db, sql: "SELECT count(1) FROM gate WHERE run_id = ? AND judge = ?",
        arguments: [run, judge]) ?? 0
    }
    guard !outcomes.isEmpty || known > 0 else { return }
    try file.write(.gatesJudged) { db in
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

  /// What the gates found, by run, gate and subject.
  ///
  /// - Parameter run: Only of this run; `nil` for all.
  /// - Returns: The findings.
  /// - Throws: ``RunFailure`` when reading fails.
  public func gates(ofRun run: Int64? = nil) throws(RunFailure) -> [RunGate] {
    try file.read { db in
      try [RunGate].read(from: "gate", where: run.map { "run_id = \($0)" } ?? "1", on: db)
    }
  }

  /// The faults that stand, by stage and fault.
  ///
  /// - Throws: ``RunFailure`` when reading fails.
  public func standingFaults() throws(RunFailure) -> [StandingFault] {
    try file.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT stage, fault, message, since, told_at FROM standing_fault ORDER BY stage, fault
          """
      ).map { row in
        StandingFault(
          stage: row[0], fault: row[1], message: row[2], since: Instant(milliseconds: row[3]),
          toldAt: Instant(milliseconds: row[4]))
      }
    }
  }

  /// Keeps the faults that a stage found, in place of those that it had found before.
  ///
  /// Nothing is written where they are the same.
  ///
  /// - Parameters:
  ///   - faults: The faults, all of this stage.
  ///   - stage: The stage.
  /// - Throws: ``RunFailure`` when writing fails.
  public func keep(_ faults: [StandingFault], ofStage stage: String) throws(RunFailure) {
    let known = try standingFaults().filter { $0.stage == stage }
    guard Set(known) != Set(faults) else { return }
    try file.write(.faultsKept) { db in
      try db.execute(sql: "DELETE FROM standing_fault WHERE stage = ?", arguments: [stage])
      for fault in faults {
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO standing_fault (stage, fault, message, since, told_at)
            VALUES (?, ?, ?, ?, ?)
            """,
          arguments: [
            fault.stage, fault.fault, fault.message, fault.since.milliseconds,
            fault.toldAt.milliseconds,
          ])
      }
    }
  }
}

extension [RunGate] {
  /// Reads a table with the columns of `audit_gate`.
  static func read(from table: String, where condition: String, on db: Database) throws
    -> [RunGate]
  {
    try Row.fetchAll(
      db,
      sql: """
        SELECT run_id, gate, severity, subject, found, expected FROM \(table)
        WHERE \(condition) ORDER BY run_id, gate, subject
        """
    ).compactMap { row in
      guard let gate = Gate(rawValue: row[1]), let severity = GateSeverity(rawValue: row[2]) else {
        return nil  // In words of another version.
      }
      return RunGate(
        runID: row[0],
        outcome: GateOutcome(
          gate: gate, severity: severity, subject: row[3], found: row[4], expected: row[5]))
    }
  }

  /// Adds to a warehouse what the gates found in runs that it does not know.
  func writeMissing(on db: Database) throws {
    let known = Set(try Int64.fetchAll(db, sql: "SELECT DISTINCT run_id FROM audit_gate"))
    try filter { !known.contains($0.runID) }.write(to: "audit_gate", on: db)
  }

  /// Adds rows to a table with the columns of `audit_gate`.
  func write(to table: String, on db: Database) throws {
    let insert = try RawStatement(
      table,
      """
      INSERT OR REPLACE INTO \(table) (run_id, gate, severity, subject, found, expected)
      VALUES (?, ?, ?, ?, ?, ?)
      """, on: db)
    for gate in self {
      insert.bind(gate.runID, at: 1)
      insert.bind(gate.outcome.gate.rawValue, at: 2)
      insert.bind(gate.outcome.severity.rawValue, at: 3)
      insert.bind(gate.outcome.subject, at: 4)
      insert.bind(gate.outcome.found, at: 5)
      insert.bind(gate.outcome.expected, at: 6)
      try insert.run()
    }
  }
}
