package import Pipeline
internal import StateStore
internal import CivilTime
package import Diagnostics

/// The state of a pipeline in one line, and the exit status of `paidline status`.
///
/// Example: `STOPPED since 2021-02-09T03:15:07Z, 3 runs in a row: run 12 ended with 65 (input
/// refused or a data test failed; nothing published)`.
package struct StatusResult: Hashable {
  /// The first line of the status.
  package var headline: String
  /// The exit status of `paidline status`.
  package var exitStatus: ExitStatus
  /// The current faults that do not stop publication, one line per fault.
  ///
  /// Missing export days are left out, because the status lists them separately.
  var warnings: [String] = []

  /// Determines the state of a pipeline that has no state.db yet.
  ///
  /// Its first run may hold the lock already.
  package static func withoutState(_ definition: PipelineDefinition) -> StatusResult {
    StatusResult(
      runs: [], isAtWork: StateLock.isHeld(statePath: definition.statePath), faults: [],
      lastSuccess: nil, overdue: [])
  }

  /// The state and its exit status as JSON.
  package var json: JSONText {
    .object([
      .init("verdict", .text(headline)), .init("exit_status", .number(Int64(exitStatus.rawValue))),
    ])
  }

  /// Determines the state from the runs, the current faults and the age of the data.
  ///
  /// - Parameters:
  ///   - runs: The runs, newest first.
  ///   - isAtWork: Whether the newest run is still running, or the first run has begun; false for a
  ///     killed run.
  ///   - lastSuccess: The end of the last successful run.
  ///   - overdue: Texts about data that is too old; empty if all data is recent enough.
  init(
    runs: [RunRecord], isAtWork: Bool, faults: [StandingFault], lastSuccess: Instant?,
    overdue: [String]
  ) {
    warnings = faults.filter { !$0.fault.hasPrefix(Gate.missingExportDay.rawValue) }
      .map { fault in
        let line = fault.message.split(separator: "\n").first.map(String.init) ?? fault.fault
        return "since \(fault.since.text): \(OneLine.text(line))"
      }
    let ended = isAtWork ? Array(runs.dropFirst()) : runs
    guard let last = ended.first else {
      headline =
        isAtWork
        ? "OK: no run is recorded yet, but a program holds the lock"
        : "NEVER RUN: no run is recorded yet; run the pipeline"
      exitStatus = isAtWork ? .success : .inputMissing
      return
    }
    let failing = Array(ended.prefix { $0.status != .succeeded })
    if let first = failing.last {
      let row = failing.count > 1 ? ", \(failing.count) runs in a row" : ""
      (headline, exitStatus) = Self.failure(last, since: first.startedAt, row: row)
      // The reason why a run stopped is not repeated as a warning.
      if last.exitStatus == ExitStatus.dataRefused.rawValue { warnings = [] }
    } else if !overdue.isEmpty {
      headline = "TOO OLD: \(overdue.joined(separator: ", "))"
      exitStatus = .dataRefused
    } else {
      let success = lastSuccess.map { ": the last success was at \($0.text)" } ?? ""
      let with = warnings.isEmpty ? "" : ", with \(Count.text(warnings.count, "warning"))"
      headline = "OK\(with)\(success)"
      exitStatus = .success
    }
    if isAtWork { headline += "; a run is in progress" }
  }

  private static func failure(_ run: RunRecord, since: Instant, row: String) -> (
    String, ExitStatus
  ) {
    guard run.status == .failed, let status = run.exitStatus.flatMap(ExitStatus.init) else {
      return (
        "KILLED at some time after \(since.text)\(row): run \(run.id) did not record its end, as "
          + "after a kill, a power cut or a full disk; committed data is kept, so run again",
        .terminated
      )
    }
    let word = status == .dataRefused ? "STOPPED" : "FAILED"
    return (
      "\(word) since \(since.text)\(row): run \(run.id) ended with \(status.rawValue) "
        + "(\(status.meaning))", status
    )
  }
}
