package import Pipeline
internal import SharedTables
internal import StateStore
package import CivilTime
package import Diagnostics
internal import PurchaseModel
internal import Warehouse

/// The state of a pipeline: its runs, the age of its data, unreadable input.
package struct StatusAnswer {
  /// The number of files of one status.
  struct FileCount: Hashable {
    var status: String
    var files: Int
  }

  /// A known file whose records are not used.
  struct UnusedFile: Hashable {
    var name: String
    var status: String
    /// The reason for the refusal; `nil` for a held file.
    var refusal: String?
    /// The finding of a gate in a held file, such as `0 of 2 records usable`; `nil` where no gate
    /// names it: it waits for those that one names.
    var found: String?
  }

  /// The number of records or rows rejected for one reason.
  struct RejectCount: Hashable {
    var reason: String
    var count: Int
  }

  /// The runs, newest first.
  var runs: [RunRecord]
  /// Whether the newest run is at work, if the ledger does not know its end.
  var isAtWork: Bool
  /// The end of the last successful run.
  var lastSuccess: Instant?
  /// The newest day in the name of an export that is used and holds purchases.
  var newestExportDay: CivilDay?
  /// Days between the first and the newest export day without an export.
  var missingDays: [CivilDay]
  /// The files by status.
  var files: [FileCount]
  /// The files that are refused or held, by name.
  var unusedFiles: [UnusedFile]
  /// The rejects of the files that are used, the most frequent first.
  var rejects: [RejectCount]
  /// The counts of signed transactions in the used files.
  var tokens: TokenTally
  /// The counts of signed transactions that each run read, by run; a run that read none is missing.
  var tokensOfRuns: [Int64: TokenTally]
  /// The rows of which nothing names the store, so that production is assumed.
  var assumedProduction: Int64
  /// The size of a warehouse that a killed run left unfinished; `nil` for none.
  var unfinishedBytes: Int64?
  /// The published revenue; `nil` before anything is published.
  var revenue: RevenueSummary?
  /// The purchases excluded from revenue, by reason, and the number of others that name a customer.
  var standing: FactStanding
  /// The changes of the newest runs that restated days.
  var restatements: RestatementSummary
  var faults: [StandingFault]
  /// The owner's corrections, with what became of them.
  var corrections: [PublishedCorrection]
  /// The last complete purchase day; `nil` if no day is complete.
  var completeThrough: CivilDay?
  /// The greatest age allowed for the last success and the newest export; `nil` for any age.
  var maxAge: Milliseconds?

  /// The number of runs shown.
  static let runsShown = 5

  /// Reads how a pipeline is doing.
  package static func read(_ definition: PipelineDefinition, maxAge: Milliseconds? = nil)
    throws(RunFailure) -> StatusAnswer
  {
    let state = try StateDatabase.openToRead(path: definition.statePath)
    let runs = try state.runs()
    // Leaves out refused and held files that no pattern of the pipeline matches any more.
    let files = try state.files().filter { file in
      file.status != .refused && file.status != .held
        || definition.patterns(of: file.kind).contains { $0.holds(file.name) }
    }
    let used = files.filter { $0.status == .used }
    let days = Set(used.filter { $0.kind == .receipts }.compactMap(\.exportDate))
    let covering = CoveringDays.days(
      receipts: days, signed: used.filter { $0.kind == .signed }.compactMap(\.exportDate),
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
      isAtWork: runs.last?.status == .running
        && StateLock.isHeld(statePath: definition.statePath),
      lastSuccess: runs.last { $0.status == .succeeded }?.finishedAt,
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
      revenue: exists ? try RevenueSummary.read(definition) : nil,
      standing: exists
        ? try PublishedWarehouse(definition).read { try FactStanding.read($0) } : FactStanding(),
      restatements: RestatementSummary(
        exists ? try warehouse.restatements(ofLast: RestatementSummary.runsShown) : []),
      faults: try state.standingFaults(),
      corrections: exists ? try warehouse.corrections() : [],
      completeThrough: exists ? try warehouse.lastRun()?.completeThrough : nil, maxAge: maxAge)
  }

  /// The state of the pipeline, in one line.
  package func verdict(now: Instant) -> StatusVerdict {
    StatusVerdict(
      runs: runs, isAtWork: isAtWork, faults: faults, lastSuccess: lastSuccess,
      overdue: maxAge.map { overdue(maxAge: $0, now: now) } ?? [])
  }

  /// The status of a run; a killed run could not write its end to the ledger.
  ///
  /// Only the newest run can still be at work, because the lock admits one at a time.
  func status(of run: RunRecord) -> String {
    let isKilled = run.status == .running && !(isAtWork && run.id == runs.first?.id)
    return isKilled ? "killed" : run.status.rawValue
  }

  /// The things older than allowed, in words; empty if there are none.
  ///
  /// The age of an export day is measured from its end, because its export cannot be there before.
  package func overdue(maxAge: Milliseconds, now: Instant) -> [String] {
    let limit = now.advanced(by: Milliseconds(-maxAge.rawValue))
    var overdue: [String] = []
    if let lastSuccess {
      if lastSuccess < limit { overdue.append("the last success was at \(lastSuccess.text)") }
    } else {
      overdue.append("no run has succeeded yet")
    }
    if let day = newestExportDay, day.advanced(by: 1).start < limit {
      overdue.append("the newest export is of \(day.text)")
    }
    return overdue
  }
}
