internal import StateStore
internal import Diagnostics
internal import Synchronization

/// Records the end of a run in the ledger, which is the list of runs in state.db, and writes the
/// metrics of the run.
final class RunEndRecorder: Sendable {
  private let definition: PipelineDefinition
  let start: RunStart
  /// The duration of each stage (`ingest`, `reconstruct`, `publish`) in milliseconds.
  private let milliseconds = Mutex<[String: Int64]>([:])
  /// The message of the stage that failed; empty if none failed.
  private let reason = Mutex("")

  init(definition: PipelineDefinition, start: RunStart) {
    self.definition = definition
    self.start = start
  }

  func note(_ duration: Int64, of stage: Stage, failure: RunFailure?) {
    milliseconds.withLock { $0[stage.shortName] = duration }
    if let failure { reason.withLock { $0 = failure.message } }
  }

  /// Records the end of a run that failed, and writes its metrics.
  ///
  /// - Parameters:
  ///   - isExiting: Whether the process is ending while a stage is still running. If that stage
  ///     uses state.db exclusively, the end is not recorded; `paidline status` then reports the run
  ///     as killed.
  /// - Returns: The reason why the metrics could not be written; `nil` if they were written.
  @discardableResult
  func end(_ failure: RunFailure, isExiting: Bool = false) -> RunFailure? {
    try? noteEnd(failure, isPatient: !isExiting)
    do throws(RunFailure) {
      try writeMetrics(failure.status)
      return nil
    } catch {
      return error
    }
  }

  func writeMetrics(_ status: ExitStatus) throws(RunFailure) {
    try MetricsFile(definition: definition)
      .write(
        startedAt: start.time, exitStatus: status,
        milliseconds: milliseconds.withLock { $0 })
  }

  /// Records a successful run if the newest entry of the ledger is not a successful run.
  ///
  /// A run without new data normally writes no entry. But after a failed or killed run an entry is
  /// necessary: otherwise `paidline status` would report that failure until new data arrives.
  func noteSuccess() throws(RunFailure) {
    let state = try StateDatabase.open(path: definition.statePath, create: false)
    guard let newest = try state.runs().last, newest.status != .succeeded else { return }
    try state.finishRun(
      try start.begin(in: state), at: SystemClock.now, exitStatus: ExitStatus.success.rawValue)
  }

  /// Records the end of a failed run in the ledger, also if it failed before a stage began an entry
  /// or after a stage ended it.
  private func noteEnd(_ failure: RunFailure, isPatient: Bool) throws(RunFailure) {
    guard PathStatus.exists(definition.statePath) else { return }
    let state = try StateDatabase.open(
      path: definition.statePath, create: false, isPatient: isPatient)
    let entry = try start.newestEntry(in: state)
    let run = if let entry { entry } else { try start.begin(in: state) }
    let parts = [failure.message, reason.withLock { $0 }].filter { !$0.isEmpty }
    try state.finishRun(
      run, at: SystemClock.now, exitStatus: failure.status.rawValue,
      message: parts.isEmpty ? failure.status.meaning : parts.joined(separator: ": "))
  }
}
