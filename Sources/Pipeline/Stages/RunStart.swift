internal import CivilTime
internal import Diagnostics
internal import Warehouse

/// When the run began that a stage is part of, and whether a runner began it.
///
/// The stages of one run share one entry of the ledger, which they find by that moment.
struct RunStart {
  /// When the run began.
  let time: Instant
  /// `run` under a runner, else the stage that runs alone.
  let kind: String
  /// Whether a stage that succeeds leaves the entry open for the next one.
  var isShared: Bool { kind == Self.sharedKind }
  /// The kind of a run under a runner.
  static let sharedKind = "run"

  /// Enters the run into the ledger, or finds the entry that an earlier stage of it made.
  func begin(in state: StateDatabase) throws(RunFailure) -> Int64 {
    if let run = try open(in: state) { return run }
    return try state.beginRun(
      RunRecord(
        kind: kind, startedAt: time, programVersion: ProgramVersion.program,
        rulesVersion: ProgramVersion.rules))
  }

  /// Notes how a stage ended that entered this run into the ledger; nothing where none did.
  func finish(in state: StateDatabase, status: ExitStatus, message: String? = nil)
    throws(RunFailure)
  {
    guard let run = try open(in: state) else { return }
    try state.finishRun(
      run, at: SystemClock.now, exitStatus: status.rawValue, message: message)
  }

  /// The entry of this run, where an earlier stage made one.
  func open(in state: StateDatabase) throws(RunFailure) -> Int64? {
    try state.runs().last { $0.status == .running && $0.startedAt == time && $0.kind == kind }?.id
  }
}
