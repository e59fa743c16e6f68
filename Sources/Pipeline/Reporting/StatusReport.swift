internal import SharedTables
internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import Warehouse

/// How a pipeline is doing: its runs, how fresh it is, what could not be read.
struct StatusReport {
  /// How many files there are of one status.
  struct FileCount: Hashable {
    var status: String
    var files: Int
  }

  /// A file that was seen and whose records do not count.
  struct UnusedFile: Hashable {
    var name: String
    var status: String
    /// Why it was refused; `nil` for a held file.
    var refusal: String?
  }

  /// How many records or rows were rejected for one reason.
  struct RejectCount: Hashable {
    var reason: String
    var count: Int
  }

  /// The runs, newest first.
  var runs: [RunRecord]
  /// Whether the newest run is at work, if the ledger does not know its end.
  var isAtWork: Bool
  /// When a run last ended with success.
  var lastSuccess: Instant?
  /// The newest day in the name of an export that counts and holds purchases.
  var newestExportDay: CivilDay?
  /// Days between the first and the newest export day without an export.
  var missingDays: [CivilDay]
  /// The files by status.
  var files: [FileCount]
  /// The files that are refused or held, by name.
  var unusedFiles: [UnusedFile]
  /// The rejects of the files that count, the commonest first.
  var rejects: [RejectCount]
  /// What became of the signed transactions of the files that count.
  var tokens: TokenTally
  /// What became of those that each run read, by run; a run that read none is missing.
  var tokensOfRuns: [Int64: TokenTally]
  /// The size of a warehouse that a killed run left unfinished; `nil` for none.
  var unfinishedBytes: Int64?
  /// What is published; `nil` for nothing yet.
  var revenue: RevenueSummary?
  /// The purchases that are no revenue, by reason, and how many of the others name a customer.
  var standing: FactStanding
  /// What the newest runs that restated days changed.
  var restatements: RestatementSummary
  /// The faults that stand.
  var faults: [StandingFault]
  /// The last purchase day that counts as complete; `nil` where none does.
  var completeThrough: CivilDay?
  /// How old the last success and the newest export may be; `nil` for any age.
  var maxAge: Milliseconds?

  /// How many runs are shown.
  static let runsShown = 5

  /// Reads how a pipeline is doing.
  static func read(_ definition: PipelineDefinition, maxAge: Milliseconds? = nil)
    throws(RunFailure) -> StatusReport
  {
    let state = try StateDatabase.openToRead(path: definition.statePath)
    let runs = try state.runs()
    let files = try state.files()
    let used = files.filter { $0.status == .used }
    let days = Set(used.filter { $0.kind == .receipts }.compactMap(\.exportDate))
    let covering = CoveringDays.days(
      receipts: days, signed: used.filter { $0.kind == .signed }.compactMap(\.exportDate),
      patience: definition.gates.completeAfterDays)
    var reasons: [String: Int] = [:]
    for reject in try state.rejects(ofFiles: .used) { reasons[reject.reasonCode, default: 0] += 1 }
    let warehouse = WarehouseDatabase(path: definition.warehousePath)
    let exists = try warehouse.exists()
    return StatusReport(
      runs: runs.reversed(),
      isAtWork: runs.last?.status == .running
        && StateLock.isHeld(statePath: definition.statePath),
      lastSuccess: runs.last { $0.status == .succeeded }?.finishedAt,
      newestExportDay: covering.last, missingDays: MissingDayGate.days(in: days),
      files: FileStatus.standing.map { status in
        FileCount(status: status.rawValue, files: files.count { $0.status == status })
      } + [FileCount(status: "forgotten", files: try state.forgottenFiles().count)],
      unusedFiles: files.filter { $0.status == .refused || $0.status == .held }
        .map { UnusedFile(name: $0.name, status: $0.status.rawValue, refusal: $0.refusal) }
        .sorted { ($0.status, $0.name) < ($1.status, $1.name) },
      rejects: reasons.map { RejectCount(reason: $0.key, count: $0.value) }
        .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) },
      tokens: used.reduce(into: TokenTally()) { $0.add($1.tally.tokens) },
      tokensOfRuns: files.reduce(into: [:]) { tallies, file in
        guard let run = file.tokenRunID else { return }
        tallies[run, default: TokenTally()].add(file.tally.tokens)
      },
      unfinishedBytes: WarehouseLock.bytesLeftBehind(warehouse),
      revenue: exists ? try RevenueSummary.read(definition) : nil,
      standing: exists ? try FactStanding.read(definition) : FactStanding(),
      restatements: RestatementSummary(
        exists ? try warehouse.restatements(ofLast: RestatementSummary.runsShown) : []),
      faults: try state.standingFaults(),
      completeThrough: exists ? try warehouse.lastRun()?.completeThrough : nil, maxAge: maxAge)
  }

  /// How the pipeline is doing, in one line.
  func verdict(now: Instant) -> StatusVerdict {
    StatusVerdict(
      runs: runs, isAtWork: isAtWork, faults: faults, lastSuccess: lastSuccess,
      overdue: maxAge.map { overdue(maxAge: $0, now: now) } ?? [])
  }

  /// How far a run has come; one that was killed could not tell the ledger.
  ///
  /// Of two runs only the newer can still be at work: one lock lets them in one by one.
  func status(of run: RunRecord) -> String {
    let isKilled = run.status == .running && !(isAtWork && run.id == runs.first?.id)
    return isKilled ? "killed" : run.status.rawValue
  }

  /// What is older than allowed, in words; empty where nothing is.
  ///
  /// An export day counts from its end, as its export cannot be there before.
  func overdue(maxAge: Milliseconds, now: Instant) -> [String] {
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

extension FileStatus {
  /// What a file may be that somebody has to know of: all but superseded.
  static let standing = allCases.filter { $0 != .superseded }
}
