internal import CivilTime
public import Diagnostics
internal import GRDB
public import SharedTables
internal import SQLiteFiles

extension StateDatabase {
  /// Reads the publications in state.db, except runs that the warehouse already has.
  ///
  /// - Parameter known: The runs in the warehouse; they are not read, because the changes of
  ///   years are large.
  public func history(without known: Set<Int64> = []) throws(RunFailure) -> PublicationHistory {
    try file.read { db in
      let missing = try Int64.fetchAll(db, sql: "SELECT run_id FROM publication ORDER BY run_id")
        .filter { !known.contains($0) }
      guard !missing.isEmpty else { return PublicationHistory() }
      return try PublicationHistory(
        runs: "publication", restatements: "restatement", changes: "amount_change",
        where: "run_id IN (\(missing.map(String.init).joined(separator: ",")))", on: db)
    }
  }

  /// The number of the newest run that has published, according to state.db; 0 for none.
  public func lastPublication() throws(RunFailure) -> Int64 {
    try file.read { db in
      try Int64.fetchOne(db, sql: "SELECT MAX(run_id) FROM publication") ?? 0
    }
  }

  /// The hash of the settings of the newest publication in state.db; `nil` if there is none.
  public func lastPublishedSettings() throws(RunFailure) -> String? {
    try file.read { db in
      try String.fetchOne(
        db, sql: "SELECT settings_sha256 FROM publication ORDER BY run_id DESC LIMIT 1")
    }
  }

  /// Copies the publications of a warehouse, with changes and gates, to this state.db.
  ///
  /// Facts with a higher generation than this state.db were built from another state.db. Perhaps
  /// this file is an older copy, the other state.db was lost, or another pipeline has published to
  /// the warehouse. Then the generation of this file is raised above the generation of the facts,
  /// so that generations stay distinct.
  ///
  /// - Parameters:
  ///   - unpublished: The current run, which has not published yet. A publication with its number
  ///     belongs to another pipeline.
  public func adopt(_ history: PublicationHistory, unpublished: Int64? = nil) throws(RunFailure) {
    guard !history.runs.isEmpty else { return }
    try file.write(.publicationsKept) { db in
      for run in history.runs { try run.write(to: "publication", on: db) }
      try history.restatements.write(to: "restatement", on: db)
      try history.changes.write(to: "amount_change", on: db)
      try AmountChange.limit("amount_change", on: db)
      try history.gates.write(to: "gate", on: db)
      let begun = Set(
        try StoredRow.fetchAll(db, sql: "SELECT run_id, started_at FROM run")
          .map { [$0["run_id"] as Int64, ($0["started_at"] as Int64) / 1000] })
      let published = history.runs.map(\.stateGeneration).max() ?? 0
      let least = history.runs.map { run in
        // The warehouse stores whole seconds.
        let isOwn =
          run.runID != unpublished
          && begun.contains([run.runID, run.startedAt.milliseconds / 1000])
        return run.stateGeneration + (isOwn ? 0 : 1)
      }
      try db.execute(
        sql: "UPDATE generation SET generation = ?1 + 1 WHERE generation < ?2",
        arguments: [published, least.max() ?? 0])
    }
  }
}
