internal import StateStore
package import CivilTime
internal import Diagnostics

/// The start of the run that a stage belongs to, and whether other stages belong to it.
///
/// The stages of one run have one entry in the list of runs, which they find by its start time.
package struct RunStart {
  /// The start of the run.
  package let time: Instant
  /// `run`, `backfill` or `erase` under a runner, else the stage that runs by itself.
  package let kind: String

  package init(time: Instant, kind: String) {
    self.time = time
    self.kind = kind
  }
  /// Whether a stage that succeeds leaves the entry open for the next stage.
  var isShared: Bool { Self.sharedKinds.contains(kind) }
  /// The kind of a nightly run.
  package static let sharedKind = "run"
  /// The kind of a run over a window of export days.
  package static let backfillKind = "backfill"
  /// The kind of a run that erases customers.
  static let erasureKind = "erase"
  static let sharedKinds = [sharedKind, backfillKind, erasureKind]

  /// Enters the run into the ledger, or finds the entry that an earlier stage of it made.
  func begin(in state: StateDatabase) throws(RunFailure) -> Int64 {
    let run: Int64
    if let open = try open(in: state) {
      run = open
    } else {
      run = try state.beginRun(
        RunRecord(
          kind: kind, startedAt: time, programVersion: ProgramVersion.program,
          rulesVersion: ProgramVersion.rules))
    }
    RunLog.currentRun = run
    return run
  }

  /// Ends the entry of this run where another pipeline has published under its number or a later
  /// one since an earlier stage made it; the next one gets a number above.
  func leaveBehind(_ state: StateDatabase) throws(RunFailure) {
    guard let run = try open(in: state), run <= (try state.lastPublication()) else { return }
    try state.finishRun(
      run, at: SystemClock.now, exitStatus: ExitStatus.success.rawValue,
      message: "another pipeline published meanwhile; continuing under the next number")
  }

  /// Notes the end of a stage that entered this run into the ledger; does nothing if none did.
  func finish(in state: StateDatabase, status: ExitStatus, message: String? = nil)
    throws(RunFailure)
  {
    guard let run = try open(in: state) else { return }
    try state.finishRun(
      run, at: SystemClock.now, exitStatus: status.rawValue, message: message)
  }

  /// The entry of this run; `nil` if no earlier stage created it.
  func open(in state: StateDatabase) throws(RunFailure) -> Int64? {
    try state.runs().last { $0.status == .running && $0.startedAt == time && $0.kind == kind }?.id
  }
}
