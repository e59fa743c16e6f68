package import StateStore
package import CivilTime
package import Diagnostics

/// The start of a run of one or several stages.
///
/// The stages of one run have a common entry in the ledger, which is the list of runs in state.db.
/// They find the entry by the start time and the kind of the run.
package struct RunStart {
  /// The start of the run.
  package let time: Instant
  /// The kind of the run: `run`, `backfill` or `erase` for several stages, else the stage's name.
  package let kind: String
  /// Whether the ledger entry stays open after a stage, because the next stage uses it too.
  var isShared: Bool { Self.sharedKinds.contains(kind) }
  /// The kind of an ordinary run, as by `paidline run`.
  package static let sharedKind = "run"
  /// The kind of a run over a window of export days.
  package static let backfillKind = "backfill"
  /// The kind of a run that erases customers.
  static let erasureKind = "erase"
  static let sharedKinds = [sharedKind, backfillKind, erasureKind]

  /// Creates the entry of the run in the ledger, or finds the entry that an earlier stage created.
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

  /// Ends this run's ledger entry if another pipeline has published an equal or higher run number.
  ///
  /// The run then continues with a new entry, which has a higher number.
  func endIfOvertaken(_ state: StateDatabase) throws(RunFailure) {
    guard let run = try open(in: state), run <= (try state.lastPublication()) else { return }
    try state.finishRun(
      run, at: SystemClock.now, exitStatus: ExitStatus.success.rawValue,
      message: "another pipeline published meanwhile; this run continues under the next run number")
  }

  /// Records the end of a run in its entry.
  ///
  /// Does nothing if no stage created an entry.
  func finish(in state: StateDatabase, status: ExitStatus, message: String? = nil)
    throws(RunFailure)
  {
    guard let run = try open(in: state) else { return }
    try state.finishRun(
      run, at: SystemClock.now, exitStatus: status.rawValue, message: message)
  }

  private static let lastCheck = "last_check"

  /// Records the end of a run that found nothing to do, which usually has no entry.
  ///
  /// The time is written at most once an hour.
  func finishWithoutNews(in state: StateDatabase) throws(RunFailure) {
    try finish(in: state, status: .success)
    let now = SystemClock.now
    let last = [
      try state.runs().last { $0.status == .succeeded }?.finishedAt, try Self.lastCheck(in: state),
    ].compactMap(\.self).max()
    guard last.map({ now.since($0).magnitude > .hours(1) }) ?? true else { return }
    try state.set(now.text, for: Self.lastCheck)
  }

  /// The end of the last run that found nothing to do; `nil` without such a run.
  package static func lastCheck(in state: StateDatabase) throws(RunFailure) -> Instant? {
    try state.setting(lastCheck).flatMap { Instant(text: $0) }
  }

  /// Finds the newest ledger entry of this run, open or ended; `nil` if no stage created an entry.
  func newestEntry(in state: StateDatabase) throws(RunFailure) -> Int64? {
    try state.runs().last { $0.startedAt == time && $0.kind == kind }?.id
  }

  /// Finds the open ledger entry of this run; `nil` if no earlier stage created an entry.
  func open(in state: StateDatabase) throws(RunFailure) -> Int64? {
    try state.runs().last { $0.status == .running && $0.startedAt == time && $0.kind == kind }?.id
  }
}
