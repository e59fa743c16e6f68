internal import CProcess
internal import StateStore
internal import CivilTime
package import Diagnostics
internal import Glibc
package import Logging

/// A stage as a function: its name, which is that of its executable, and its work in a run.
package struct Stage {
  package let name: String
  package let work: (RunStart) throws(RunFailure) -> Void

  package init(_ name: String, work: @escaping (RunStart) throws(RunFailure) -> Void) {
    self.name = name
    self.work = work
  }

  /// The stage in the ledger and the metrics: `ingest` for `paidline-ingest`.
  var shortName: String { String(name.drop { $0 != "-" }.dropFirst()) }

  /// Runs only this stage, like its executable, under the lock and as a run of its own.
  package func runAlone(_ definition: PipelineDefinition, waitSeconds: Int) throws(RunFailure) {
    let lock = try StateLock(statePath: definition.statePath, waitSeconds: waitSeconds)
    try work(RunStart(time: SystemClock.now, kind: shortName))
    withExtendedLifetime(lock) {}
  }
}

/// Runs stages one after another in this process, under one lock.
package struct Runner {
  let definition: PipelineDefinition
  let log: Logger
  let waitSeconds: Int
  /// The run's kind in the ledger.
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

  /// Runs all stages; the first that fails ends the run with its own status.
  ///
  /// Whatever happens short of a kill, the ledger has an end of the run and the metrics are
  /// written; only where another run holds the lock they are left to that run.
  ///
  /// - Parameters:
  ///   - preparation: Work under the lock before the stages.
  ///   - deciding: The stages that lead to published facts.
  ///   - publishing: The stage that makes pages from the facts, where the pipeline names any.
  /// - Throws: ``RunFailure`` with the status of the stage that failed, and 75 where another run is
  ///   at work.
  package func run(
    preparation: () throws(RunFailure) -> Void = {}, _ deciding: [Stage], publishing: Stage
  ) throws(RunFailure) {
    let lock = try StateLock(statePath: definition.statePath, waitSeconds: waitSeconds)
    // The leftover of a killed `verify` may be as large as both databases.
    try? ScratchFolder.removeLeftovers(in: FilePaths.folder(of: definition.statePath))
    let account = RunAccount(
      definition: definition, start: RunStart(time: SystemClock.now, kind: kind))
    let cutOff = StopSignal.beforeCutOff { account.end($0, isCutOff: true) }
    defer { cutOff.cancel() }
    do throws(RunFailure) {
      try preparation()
      for stage in deciding {
        try lock.check()
        try run(stage, account)
      }
      try publish(publishing, account)
    } catch {
      StopSignal.letCutOffEnd()
      if let failure = account.end(error) { log.warning("\(failure.message)") }
      throw error
    }
    do throws(RunFailure) {
      try account.writeMetrics(.success)
    } catch {
      throw RunFailure(
        error.status,
        "the facts are published, but not the metrics: "
          + "\(error.message)")
    }
  }

  /// Runs the third stage if it has anything to write; the facts are published by then.
  private func publish(_ stage: Stage, _ account: RunAccount) throws(RunFailure) {
    guard definition.hasPublications else { return }
    do throws(RunFailure) {
      try run(stage, account)
    } catch {
      throw RunFailure(error.status, "the facts are published; only \(stage.name) failed")
    }
  }

  /// Runs a stage, and logs the reason of a failure under the name of the stage.
  private func run(_ stage: Stage, _ account: RunAccount) throws(RunFailure) {
    try StopSignal.check()
    let begin = SystemClock.steadyMilliseconds
    var failure: RunFailure?
    do throws(RunFailure) {
      try stage.work(account.start)
    } catch {
      StopSignal.letCutOffEnd()
      RunLog.writeEnd(error, of: stage.name)
      failure = error
    }
    // Memory that a stage has freed is not the next one's to pay for.
    paidline_return_memory()
    let milliseconds = SystemClock.steadyMilliseconds - begin
    account.note(milliseconds, of: stage)
    let (tenths, peakKiB) = ((milliseconds + 50) / 100, Self.peakKiB)
    let status = failure?.status ?? .success
    log.info(
      """
      \(stage.name) ended after \(tenths / 10).\(tenths % 10) s, with at most \(peakKiB >> 10) MiB \
      of memory so far, status \(status.rawValue)
      """,
      metadata: [
        "event": "stage_ended", "status": "\(status.rawValue)",
        "milliseconds": "\(milliseconds)", "peak_kib": "\(peakKiB)",
      ])
    // The reason is already in the log.
    if failure != nil { throw RunFailure(status, "") }
  }

  /// The largest memory that this process has held, in KiB.
  private static var peakKiB: Int {
    var usage = rusage()
    unsafe getrusage(0, &usage)  // RUSAGE_SELF, whose type in Swift is not the parameter's.
    return usage.ru_maxrss
  }
}
