public import Diagnostics
internal import GRDB
public import SharedTables
internal import SQLiteFiles

extension WarehouseDatabase {
  /// Reads the published runs after `run`, with what they changed and the findings of gates.
  ///
  /// Empty without a warehouse.
  public func history(after run: Int64 = 0) throws(RunFailure) -> PublicationHistory {
    try readIfThere { db in
      var history = try PublicationHistory(
        runs: "audit_run", restatements: "audit_restatement", changes: "audit_change",
        where: "run_id > \(run)", on: db)
      history.gates = try [RunGate].read(from: "audit_gate", where: "run_id > \(run)", on: db)
      return history
    } ?? PublicationHistory()
  }

  /// The numbers of the published runs; empty without a warehouse.
  public func publishedRuns() throws(RunFailure) -> Set<Int64> {
    try readIfThere { db in try Int64.fetchSet(db, sql: "SELECT run_id FROM audit_run") } ?? []
  }

  /// Reads from the warehouse; returns `nil` if there is no warehouse.
  ///
  /// Rolls back the changes of a killed writer first.
  private func readIfThere<Value>(_ body: (Database) throws -> Value) throws(RunFailure) -> Value? {
    guard try exists() else { return nil }
    let file = try DatabaseFile(path: path, format: WarehouseSchema.format, access: .readWrite)
    defer { try? file.close() }
    return try file.read(body)
  }

  /// The restatements of the `limit` newest runs that have restatements, newest run first.
  public func restatements(ofLast limit: Int) throws(RunFailure) -> [Restatement] {
    try read { db in
      try StoredRow.fetchAll(
        db,
        sql: """
          SELECT * FROM audit_restatement WHERE run_id IN (SELECT DISTINCT run_id
            FROM audit_restatement ORDER BY run_id DESC LIMIT ?)
          ORDER BY run_id DESC, metric, date_day, currency, cause
          """, arguments: [limit]
      ).compactMap { Restatement($0) }
    }
  }
}

extension WarehouseDatabase {
  /// The newest run that published; `nil` if there is none.
  public func lastRun() throws(RunFailure) -> PublishedRun? {
    try read { db in
      try StoredRow.fetchOne(db, sql: "SELECT * FROM audit_run ORDER BY run_id DESC LIMIT 1")
        .map(PublishedRun.init)
    }
  }
}
