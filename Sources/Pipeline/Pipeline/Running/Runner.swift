internal import StateStore
internal import CivilTime
package import Diagnostics
internal import Glibc
package import Logging
internal import SystemPackage

/// Runs the stages one after another under one lock.
package struct Runner {
  let definition: PipelineDefinition
  let log: Logger
  let waitSeconds: Int
  /// The run's kind in the ledger.
  var kind = RunStart.sharedKind
  /// The work done under the lock instead of reading exports; `nil` to read them.
  var preparation: (() throws(RunFailure) -> Void)?
  private let durations: StageDurations

  /// Prepares to run a pipeline.
  package init(
    definition: PipelineDefinition, log: Logger, waitSeconds: Int,
    kind: String = RunStart.sharedKind, preparation: (() throws(RunFailure) -> Void)? = nil
  ) {
    self.definition = definition
    self.log = log
    self.waitSeconds = waitSeconds
    self.kind = kind
    self.preparation = preparation
    durations = StageDurations()
  }

  /// Runs all stages; the first that fails ends the run with its own status.
  ///
  /// Whatever happens, the metrics are written; only where another run holds the lock they are left
  /// to that one.
  ///
  /// To be called on the main thread.
  package func run(ingest: [String], reconstruct: [String], publish: [String]) throws(RunFailure) {
    let lock = try StateLock(statePath: definition.statePath, waitSeconds: waitSeconds)
    try lock.inherit()
    // The leftover of a killed `verify` may be as large as both databases.
    try? ScratchFolder.removeLeftovers(in: FilePaths.folder(of: definition.statePath))
    let start = RunStart(time: SystemClock.now, kind: kind)
    let shared = [
      definition.path, "--lock-descriptor", String(lock.descriptor.rawValue), "--runner",
      String(getpid()), "--run-started=\(start.time.milliseconds)", "--run-kind", kind,
      "--wait", String(waitSeconds),
    ]
    do throws(RunFailure) {
      do throws(RunFailure) {
        try runStages(ingest: shared + ingest, reconstruct: shared + reconstruct)
      } catch {
        try? Self.close(start, after: error, statePath: definition.statePath)
        throw error
      }
      try runPublishing(shared + publish)
    } catch {
      do throws(RunFailure) {
        try writeMetrics(start, error.status)
      } catch {
        log.warning("\(error.message)")
      }
      throw error
    }
    do throws(RunFailure) {
      try writeMetrics(start, .success)
    } catch {
      throw RunFailure(error.status, "the facts are published, the metrics not: \(error.message)")
    }
  }

  private func writeMetrics(_ start: RunStart, _ status: ExitStatus) throws(RunFailure) {
    try MetricsFile(definition: definition)
      .write(startedAt: start.time, exitStatus: status, milliseconds: durations.milliseconds)
  }

  /// Runs the third stage if it has anything to write; the facts are published by then.
  private func runPublishing(_ arguments: [String]) throws(RunFailure) {
    guard definition.hasPublications else { return }
    guard try StageProcess.exists(Self.publishing) else {
      let keys = definition.publications.map(\.key).joined(separator: ", ")
      return log.warning(
        "\(Self.publishing) does not lie beside paidline, so nothing is written for \(keys)")
    }
    try StopSignal.check()
    let status = try run(Self.publishing, arguments)
    guard status == .success else {
      throw RunFailure(status, "the facts are published; only \(Self.publishing) failed")
    }
  }

  private static let publishing = "paidline-publish"

  /// Notes the end of a run whose last stage could not: killed, or stopped between two stages.
  ///
  /// Does nothing if a stage has noted its end, or if no stage entered the run.
  static func close(_ start: RunStart, after failure: RunFailure, statePath: String)
    throws(RunFailure)
  {
    guard PathStatus.exists(statePath) else { return }
    let state = try StateDatabase.open(path: statePath, create: false)
    try start.finish(
      in: state, status: failure.status,
      message: failure.message.isEmpty
        ? "a stage ended with \(failure.status.rawValue): \(failure.status.meaning)"
        : failure.message)
  }

  private func runStages(ingest: [String], reconstruct: [String]) throws(RunFailure) {
    for (stage, arguments) in [
      ("paidline-ingest", ingest), ("paidline-reconstruct", reconstruct),
    ] {
      try StopSignal.check()
      if let preparation, stage == "paidline-ingest" {
        try preparation()
        continue
      }
      let status = try run(stage, arguments)
      // The stage has said why on standard error.
      guard status == .success else { throw RunFailure(status, "") }
    }
  }

  private func run(_ stage: String, _ arguments: [String]) throws(RunFailure) -> ExitStatus {
    let start = SystemClock.steadyMilliseconds
    defer {
      let name = String(stage.drop { $0 != "-" }.dropFirst())
      durations.milliseconds[name] = SystemClock.steadyMilliseconds - start
    }
    let (status, peakKiB) = try StageProcess.run(stage, arguments: arguments)
    let milliseconds = SystemClock.steadyMilliseconds - start
    let tenths = (milliseconds + 50) / 100
    log.info(
      """
      \(stage) ended after \(tenths / 10).\(tenths % 10) s, with at most \(peakKiB >> 10) MiB of \
      memory, status \(status.rawValue)
      """,
      metadata: [
        "event": "stage_ended", "status": "\(status.rawValue)",
        "milliseconds": "\(milliseconds)", "peak_kib": "\(peakKiB)",
      ])
    return status
  }
}

/// The duration of each stage of a run.
private final class StageDurations {
  /// By stage: `ingest`, `reconstruct`, `publish`.
  var milliseconds: [String: Int64] = [:]
}
