public import Diagnostics
package import GRDB
internal import SQLiteFiles

/// The finding of a gate in a run: a row of `audit_gate`.
public struct RunGate: Hashable, Sendable {
  /// The number of the run in which the gate was evaluated: `audit_gate.run_id`.
  public var runID: Int64
  /// The finding with its severity.
  public var outcome: GateOutcome

  /// Creates a finding of a run from its fields.
  public init(runID: Int64, outcome: GateOutcome) {
    self.runID = runID
    self.outcome = outcome
  }
}

extension [RunGate] {
  /// Reads a table with the columns of `audit_gate`.
  package static func read(from table: String, where condition: String, on db: Database) throws
    -> [RunGate]
  {
    try StoredRow.fetchAll(
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

  /// Adds the findings to a warehouse, except for runs whose findings the warehouse already has.
  package func writeMissing(on db: Database) throws {
    let known = Set(try Int64.fetchAll(db, sql: "SELECT DISTINCT run_id FROM audit_gate"))
    try filter { !known.contains($0.runID) }.write(to: "audit_gate", on: db)
  }

  /// Adds rows to a table with the columns of `audit_gate`.
  package func write(to table: String, on db: Database) throws {
    let insert = try RawStatement(
      table,
      """
      INSERT OR REPLACE INTO \(table) (run_id, gate, severity, subject, found, expected)
      VALUES (?, ?, ?, ?, ?, ?)
      """, on: db)
    for gate in self {
      try insert.run(
        gate.runID, gate.outcome.gate.rawValue, gate.outcome.severity.rawValue,
        gate.outcome.subject, gate.outcome.found, gate.outcome.expected)
    }
  }
}
