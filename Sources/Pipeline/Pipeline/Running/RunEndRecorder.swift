internal import StateStore
internal import Diagnostics
internal import Synchronization

/// Records the end of a run in the ledger, and writes its metrics.
final class RunEndRecorder: Sendable {
  private let definition: PipelineDefinition
  let start: RunStart
  /// The duration of each stage (`ingest`, `reconstruct`, `publish`) in milliseconds.
  private let milliseconds = Mutex<[String: Int64]>([:])

  init(definition: PipelineDefinition, start: RunStart) {
    self.definition = definition
    self.start = start
  }

  func note(_ duration: Int64, of stage: Stage) {
    milliseconds.withLock { $0[stage.shortName] = duration }
  }

  /// Records the end of a run that failed, and writes its metrics.
  ///
  /// - Parameters:
  ///   - failure: The reason.
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

  /// Records the end of a run in the ledger.
  ///
  /// Does nothing if a stage has already recorded the end, or if no stage has recorded the start.
  private func noteEnd(_ failure: RunFailure, isPatient: Bool) throws(RunFailure) {
    guard PathStatus.exists(definition.statePath) else { return }
    let state = try StateDatabase.open(
      path: definition.statePath, create: false, isPatient: isPatient)
    try start.finish(
      in: state, status: failure.status,
      message: failure.message.isEmpty
        ? "a stage ended with status \(failure.status.rawValue): \(failure.status.meaning)"
        : failure.message)
  }
}
