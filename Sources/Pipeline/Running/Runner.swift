internal import CivilTime
internal import Diagnostics
internal import Logging
internal import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs the stages one after another under one lock.
struct Runner {
  let definition: PipelineDefinition
  let log: Logger
  let waitSeconds: Int

  /// Runs all stages; the first that fails ends the run with its own status.
  ///
  /// To be called on the main thread.
  func run(ingest: [String], reconstruct: [String]) throws(RunFailure) {
    let lock = try StateLock(statePath: definition.statePath, waitSeconds: waitSeconds)
    try lock.inherit()
    let shared = [
      definition.path, "--lock-descriptor", String(lock.descriptor.rawValue), "--runner",
      String(getpid()), "--run-started", String(SystemClock.now.milliseconds),
    ]
    for (stage, arguments) in [
      ("paidline-ingest", ingest), ("paidline-reconstruct", reconstruct),
    ] {
      try StopSignal.check()
      let start = SystemClock.steadyMilliseconds
      let (status, peakKiB) = try StageProcess.run(stage, arguments: shared + arguments)
      log.info(
        "\(stage) ended",
        metadata: [
          "status": "\(status.rawValue)",
          "milliseconds": "\(SystemClock.steadyMilliseconds - start)",
          "peak_kib": "\(peakKiB)",
        ])
      // The stage has said why on standard error.
      guard status == .success else { throw RunFailure(status, "") }
    }
  }
}
