internal import CProcess
package import Diagnostics
internal import Glibc
package import Logging

/// A stage of a run: the name of its executable, such as `paidline-ingest`, and its work.
package struct Stage {
  package let name: String
  package let work: (RunStart) throws(RunFailure) -> Void

  package init(_ name: String, work: @escaping (RunStart) throws(RunFailure) -> Void) {
    self.name = name
    self.work = work
  }

  /// The name of the stage in the ledger and the metrics: `ingest` for `paidline-ingest`.
  var shortName: String { String(name.drop { $0 != "-" }.dropFirst()) }

  /// Runs only this stage, under the lock and as a separate run, like its executable.
  package func runAlone(_ definition: PipelineDefinition, waitSeconds: Int) throws(RunFailure) {
    let lock = try StateLock(statePath: definition.statePath, waitSeconds: waitSeconds)
    try work(RunStart(time: SystemClock.now, kind: shortName))
    withExtendedLifetime(lock) {}
  }
}

/// Runs the stages of a pipeline one after another in this process, under one lock.
package struct Runner {
  let definition: PipelineDefinition
  let log: Logger
  let waitSeconds: Int
  /// The kind of the run in the ledger.
  let kind: String

  /// Prepares to run a pipeline.
  package init(
    definition: PipelineDefinition, log: Logger, waitSeconds: Int,
    kind: String = RunStart.sharedKind
  ) {
    self.definition = definition
    self.log = log
    self.waitSeconds = waitSeconds
    self.kind = kind
  }

  /// Runs all stages; if one fails, the run ends with the status of that stage.
  ///
  /// The end of the run is recorded in the ledger, and its metrics are written. If the process is
  /// killed, or another run holds the lock, nothing is recorded.
  ///
  /// - Parameters:
  ///   - publishing: The stage that writes pages from the facts, if the pipeline has any.
  /// - Throws: ``RunFailure`` with the status of the stage that failed, and 75 if another run holds
  ///   the lock.
  package func run(
    preparation: () throws(RunFailure) -> Void = {}, _ deciding: [Stage], publishing: Stage
  ) throws(RunFailure) {
    let lock = try StateLock(statePath: definition.statePath, waitSeconds: waitSeconds)
    try PrivateModes.putRight(definition, log: log)
    // The leftover of a killed `verify` may be as large as both databases together.
    try? ScratchFolder.removeLeftovers(in: FilePaths.folder(of: definition.statePath))
    let endRecorder = RunEndRecorder(
      definition: definition, start: RunStart(time: SystemClock.now, kind: kind))
    let exitHandler = StopSignal.onExit { endRecorder.end($0, isExiting: true) }
    defer { exitHandler.cancel() }
    do throws(RunFailure) {
      try preparation()
      for stage in deciding {
        try lock.check()
        try run(stage, endRecorder)
      }
      try publish(publishing, endRecorder)
      try endRecorder.noteSuccess()
    } catch {
      StopSignal.waitForExit()
      if let failure = endRecorder.end(error) { log.warning("\(failure.message)") }
      throw error
    }
    do throws(RunFailure) {
      try endRecorder.writeMetrics(.success)
    } catch {
      throw RunFailure(
        error.status,
        "the facts are published, but the metrics are not written: \(error.message)")
    }
  }

  /// Runs the stage `paidline-publish`, if it has anything to write that may differ from the
  /// pages of the last run.
  ///
  /// If it fails, the message adds that the facts are already published.
  private func publish(_ stage: Stage, _ endRecorder: RunEndRecorder) throws(RunFailure) {
    guard definition.hasPublications else { return }
    let pages = try StandingPages(definition)
    guard try !pages.stand() else {
      return try run(
        Stage(stage.name) { _ in
          log.info("the pages are up to date", metadata: ["event": "pages_stand"])
        }, endRecorder)
    }
    do throws(RunFailure) {
      try run(stage, endRecorder)
    } catch {
      throw RunFailure(error.status, "the facts are published; only \(stage.name) failed")
    }
    try pages.note()
  }

  /// Runs a stage and logs its duration; if the stage fails, logs the reason with the stage's name.
  private func run(_ stage: Stage, _ endRecorder: RunEndRecorder) throws(RunFailure) {
    try StopSignal.check()
    let begin = SystemClock.steadyMilliseconds
    var failure: RunFailure?
    do throws(RunFailure) {
      try stage.work(endRecorder.start)
    } catch {
      StopSignal.waitForExit()
      RunLog.writeEnd(error, of: stage.name)
      failure = error
    }
    // Returns the memory that the stage has freed to the system, so that the next stage can use it.
    paidline_return_memory()
    let milliseconds = SystemClock.steadyMilliseconds - begin
    endRecorder.note(milliseconds, of: stage, failure: failure)
    let (tenths, peakKiB) = ((milliseconds + 50) / 100, Self.peakKiB)
    let status = failure?.status ?? .success
    log.info(
      """
      \(stage.name) ended after \(tenths / 10).\(tenths % 10) s, peak memory so far \
      \(peakKiB >> 10) MiB, status \(status.rawValue)
      """,
      metadata: [
        "event": "stage_ended", "status": "\(status.rawValue)",
        "milliseconds": "\(milliseconds)", "peak_kib": "\(peakKiB)",
      ])
    // The message is empty, because the reason was logged before.
    if failure != nil { throw RunFailure(status, "") }
  }

  /// The largest amount of memory that this process has used, in KiB.
  private static var peakKiB: Int {
    var usage = rusage()
    unsafe getrusage(0, &usage)  // RUSAGE_SELF, whose type in Swift is not the parameter's.
    return usage.ru_maxrss
  }
}
