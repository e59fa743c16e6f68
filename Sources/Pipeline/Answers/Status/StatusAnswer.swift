package import Pipeline
internal import SharedTables
internal import StateStore
package import CivilTime
package import Diagnostics
internal import PurchaseModel
internal import Warehouse

/// The state of a pipeline: its runs, the age of its data, and unusable input.
package struct StatusAnswer {
  /// The number of files with one status, such as `used` or `held`.
  struct FileCount: Hashable {
    var status: String
    var files: Int
  }

  /// A refused or held file; its records are not used.
  struct UnusedFile: Hashable {
    var name: String
    var status: String
    /// The reason why the file is refused; `nil` for a held file.
    var refusal: String?
    /// The finding of a gate about a held file, such as `0 of 2 records usable`.
    ///
    /// `nil` for a file that is held because of other files.
    var found: String?
  }

  /// The number of records or rows that were rejected for one reason.
  struct RejectCount: Hashable {
    var reason: String
    var count: Int
  }

  /// The runs, newest first.
  var runs: [RunRecord]
  /// Whether a run is in progress; false for a killed run.
  ///
  /// A run is in progress if the newest recorded run has no end and a process holds the lock on
  /// state.db. The lock is checked because a killed run has no end either. If no run is recorded
  /// yet, only the lock is checked.
  var isAtWork: Bool
  /// The end of the newest run that succeeded; `nil` if no run has succeeded.
  var lastSuccess: Instant?
  /// The newest day in the file names of the receipt exports in use; `nil` if no name has a day.
  ///
  /// Exports of signed transactions are included if they continue after the receipt exports have
  /// ended, or if there are no receipt exports.
  var newestExportDay: CivilDay?
  /// The missing export days, as the gate `missing_export_day` finds them.
  var missingDays: [CivilDay]
  var files: [FileCount]
  /// The files that are refused or held, sorted by name.
  var unusedFiles: [UnusedFile]
  /// The number of rejects for each reason in the files in use, the most frequent reason first.
  var rejects: [RejectCount]
  /// The tally of the signed transactions in all files in use.
  var tokens: TokenTally
  /// The tally of the signed transactions that each run read, keyed by the id of the run.
  ///
  /// Runs that read no signed transaction are left out.
  var tokensOfRuns: [Int64: TokenTally]
  /// The number of rows without an environment; they are treated as production.
  var assumedProduction: Int64
  /// The size in bytes of an unfinished warehouse file that a killed run left; `nil` without a
  /// file.
  var unfinishedBytes: Int64?
  /// The published revenue, with sums if JSON was asked for; `nil` if nothing has been published.
  var revenue: RevenueSummary?
  /// The number of excluded purchases per reason, and the number of revenue purchases with a
  /// customer.
  var factCoverage: FactCoverage
  /// The restatements of the newest runs that changed published days.
  var restatements: RestatementSummary
  var faults: [StandingFault]
  /// The owner's corrections, each with its effect.
  var corrections: [PublishedCorrection]
  /// The last complete purchase day; `nil` if no day is complete.
  var completeThrough: CivilDay?
  /// The largest accepted age of the last success and of the newest export; `nil` for no limit.
  var maxAge: Milliseconds?

  static let runsShown = 5

  /// Reads the state of a pipeline.
  ///
  /// - Parameter withSums: Whether to add up the revenue, which only the JSON shows.
  package static func read(
    _ definition: PipelineDefinition, maxAge: Milliseconds? = nil, withSums: Bool
  ) throws(RunFailure) -> StatusAnswer {
    let state = try StateDatabase.openToRead(path: definition.statePath)
    let runs = try state.runs()
    let inputs = PresentInputs(definition)
    let files = try state.files().filter { file in
      file.status != .refused && file.status != .held || inputs.include(file)
    }
    let used = files.filter { $0.status == .used }
    let days = Set(used.filter { $0.kind == .receipts }.compactMap(\.exportDate))
    let covering = CoveringDays.days(
      receipts: days,
      signed: used.filter { $0.kind == .signed || $0.kind == .exports }
        .compactMap(\.exportDate),
      patience: definition.gates.completeAfterDays)
    var reasons: [String: Int] = [:]
    for reject in try state.rejects(ofFiles: .used) { reasons[reject.reasonCode, default: 0] += 1 }
    let stops = try state.gates(ofRun: runs.last?.id ?? 0).map(\.outcome)
      .filter { $0.severity == .stop }
    let found = Dictionary(stops.map { ($0.subject, $0.found) }) { first, _ in first }
    let warehouse = WarehouseDatabase(path: definition.warehousePath)
    let exists = try warehouse.exists()
    return StatusAnswer(
      runs: runs.reversed(),
      isAtWork: (runs.last.map { $0.status == .running } ?? true)
        && StateLock.isHeld(statePath: definition.statePath),
      lastSuccess: [
        runs.last { $0.status == .succeeded }?.finishedAt, try RunStart.lastCheck(in: state),
      ].compactMap(\.self).max(),
      newestExportDay: covering.last, missingDays: MissingDayGate.days(in: days),
      files: FileStatus.standing.map { status in
        FileCount(status: status.rawValue, files: files.count { $0.status == status })
      }.filter { $0.files > 0 || $0.status != FileStatus.ignored.rawValue } + [
        FileCount(status: "forgotten", files: try state.forgottenFiles().count)
      ],
      unusedFiles: files.filter { $0.status == .refused || $0.status == .held }
        .map { file in
          UnusedFile(
            name: file.name, status: file.status.rawValue, refusal: file.refusal,
            found: file.status == .held ? found[file.name] : nil)
        }
        .sorted { ($0.status, $0.name) < ($1.status, $1.name) },
      rejects: reasons.map { RejectCount(reason: $0.key, count: $0.value) }
        .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) },
      tokens: used.reduce(into: TokenTally()) { $0.add($1.tally.tokens) },
      tokensOfRuns: files.reduce(into: [:]) { tallies, file in
        guard let run = file.tokenRunID else { return }
        tallies[run, default: TokenTally()].add(file.tally.tokens)
      },
      assumedProduction: used.reduce(0) { $0 + $1.assumedProduction },
      unfinishedBytes: WarehouseLock.bytesLeftBehind(warehouse),
      revenue: exists ? try RevenueSummary.read(definition, withSums: withSums) : nil,
      factCoverage: exists
        ? try PublishedWarehouse(definition).read { try FactCoverage.read($0) } : FactCoverage(),
      restatements: RestatementSummary(
        exists ? try warehouse.restatements(ofLast: RestatementSummary.runsShown) : []),
      faults: try state.standingFaults(),
      corrections: exists ? try warehouse.corrections() : [],
      completeThrough: exists ? try warehouse.lastRun()?.completeThrough : nil, maxAge: maxAge)
  }

  /// Determines the state of the pipeline in one line, and the exit status.
  package func result(now: Instant) -> StatusResult {
    StatusResult(
      runs: runs, isAtWork: isAtWork, faults: faults, lastSuccess: lastSuccess,
      overdue: maxAge.map { overdue(maxAge: $0, now: now) } ?? [])
  }

  /// Returns the status of a run; `killed` for a run that has no recorded end and is not running.
  ///
  /// Only the newest run can be running, because each run holds a lock.
  func status(of run: RunRecord) -> String {
    let isKilled = run.status == .running && !(isAtWork && run.id == runs.first?.id)
    return isKilled ? "killed" : run.status.rawValue
  }

  /// Returns one text for each part of the data that is too old; empty if all data is recent.
  ///
  /// There is a text if the last success is older than `maxAge`, or in the future, or if no run has
  /// succeeded yet. There
  /// is another text if the newest export is older than `maxAge`. The age of an export is measured
  /// from the end of its day, because the export cannot exist earlier.
  package func overdue(maxAge: Milliseconds, now: Instant) -> [String] {
    let limit = now.advanced(by: Milliseconds(-maxAge.rawValue))
    var overdue: [String] = []
    if let lastSuccess {
      if lastSuccess > now.advanced(by: .days(2)) {
        overdue.append(
          "the last success was at \(lastSuccess.text), which is in the future: the clock of this "
            + "machine is or was wrong")
      } else if lastSuccess < limit {
        overdue.append("the last success was at \(lastSuccess.text)")
      }
    } else {
      overdue.append("no run has succeeded yet")
    }
    if let day = newestExportDay, day.advanced(by: 1).start < limit {
      overdue.append("the newest export is from \(day.text)")
    }
    return overdue
  }
}
