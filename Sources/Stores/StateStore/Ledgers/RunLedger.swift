internal import SQLiteFiles
public import CivilTime
public import Diagnostics
internal import GRDB

/// One run of a stage or a pipeline in the ledger.
public struct RunRecord: Hashable, Sendable {
  /// The status of a run.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// The run has not ended, or was killed.
    case running
    /// The run ended with exit status 0.
    case succeeded
    /// The run ended with another exit status.
    case failed
  }

  /// The run's number, from 1; assigned by ``StateDatabase/beginRun(_:)``.
  public var id: Int64
  /// The kind: `run`, `backfill`, `full_refresh`, or the name of a single stage.
  public var kind: String
  /// The start of the run, UTC.
  public var startedAt: Instant
  /// The end of the run, UTC; `nil` while it runs.
  public var finishedAt: Instant?
  /// The status: running, succeeded or failed.
  public var status: Status
  /// The exit status; `nil` while it runs.
  public var exitStatus: Int32?
  /// The version of the program.
  public var programVersion: String
  /// The version of the rules that decide amounts, for example `3`.
  public var rulesVersion: String
  /// The as-of time, UTC; `nil` until the run has determined it.
  public var asOf: Instant?
  /// The reason for a failure, without personal data; `nil` if the run has not failed.
  public var message: String?

  /// Creates a starting run from its fields.
  public init(
    kind: String, startedAt: Instant, programVersion: String, rulesVersion: String,
    asOf: Instant? = nil
  ) {
    id = 0
    self.kind = kind
    self.startedAt = startedAt
    status = .running
    self.programVersion = programVersion
    self.rulesVersion = rulesVersion
    self.asOf = asOf
  }
}

extension StateDatabase {
  /// Records the start of a run, and commits.
  ///
  /// The number of the new run is higher than the numbers of all earlier runs and publications,
  /// including publications that were restored from a warehouse.
  public func beginRun(_ run: RunRecord) throws(RunFailure) -> Int64 {
    try file.write(.runBegun) { db in
      try db.execute(
        sql: """
          INSERT INTO run (run_id, kind, started_at, status, program_version, rules_version, as_of)
          VALUES (
            1 + max((SELECT coalesce(max(run_id), 0) FROM run),
              (SELECT coalesce(max(run_id), 0) FROM publication)),
            ?, ?, 'running', ?, ?, ?)
          """,
        arguments: [
          run.kind, run.startedAt.milliseconds, run.programVersion, run.rulesVersion,
          run.asOf?.milliseconds,
        ])
      return db.lastInsertedRowID
    }
  }

  /// Records the end of a run, and commits.
  ///
  /// - Parameters:
  ///   - exitStatus: The exit status of the run; 0 is success.
  ///   - asOf: The as-of time of the run; `nil` keeps the recorded time.
  ///   - message: The reason for a failure, without personal data; `nil` for success.
  public func finishRun(
    _ id: Int64, at time: Instant, exitStatus: Int32, asOf: Instant? = nil, message: String? = nil
  ) throws(RunFailure) {
    try file.write(.runEnded) { db in
      try db.execute(
        sql: """
          UPDATE run SET finished_at = ?, status = ?, exit_status = ?, as_of = coalesce(?, as_of),
            generation = (SELECT generation FROM generation), message = ?
          WHERE run_id = ?
          """,
        arguments: [
          time.milliseconds, exitStatus == 0 ? "succeeded" : "failed", exitStatus,
          asOf?.milliseconds, message, id,
        ])
    }
  }

  /// All runs, oldest first.
  public func runs() throws(RunFailure) -> [RunRecord] {
    try file.read { db in
      let rows = try RawStatement(
        "read runs",
        """
        SELECT run_id, kind, started_at, finished_at, status, exit_status, program_version,
          rules_version, as_of, message
        FROM run ORDER BY run_id
        """, on: db)
      var runs: [RunRecord] = []
      while try rows.next() {
        var run = RunRecord(
          kind: rows.text(1), startedAt: Instant(milliseconds: rows.int64(2)),
          programVersion: rows.text(6), rulesVersion: rows.text(7),
          asOf: rows.optionalInt64(8).map(Instant.init(milliseconds:)))
        run.id = rows.int64(0)
        run.finishedAt = rows.optionalInt64(3).map(Instant.init(milliseconds:))
        run.status = RunRecord.Status(rawValue: rows.text(4)) ?? .failed
        run.exitStatus = rows.optionalInt64(5).map(Int32.init(truncatingIfNeeded:))
        run.message = rows.optionalText(9)
        runs.append(run)
      }
      return runs
    }
  }
}
