internal import SharedTables
internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import Warehouse

/// The metrics of a pipeline after a run, in the file at the key `metrics`.
///
/// They are written after successful and failed runs. They contain only counts and times, without
/// customers, products or amounts. Every series exists from the first run on; its value may be 0.
struct RunMetrics {
  /// The stages, in the order in which they run.
  static let stages = ["ingest", "reconstruct", "publish"]

  /// The time of the end of the last run.
  var completion: Instant
  /// The exit status of the last run.
  var exitStatus: Int32
  /// The time of the end of the last successful run; `nil` if there was none.
  var lastSuccess: Instant?
  /// The duration of each stage in milliseconds; a stage that did not run is missing.
  var milliseconds: [String: Int64] = [:]
  /// The run's number; `nil` if the run is not in the ledger.
  var runID: Int64?
  /// The number of records in the files that the run read for the first time.
  var records: Int64 = 0
  var facts: Int64 = 0
  /// The number of rows of `fct_revenue` that the run added or changed.
  var factsWritten: Int64 = 0
  /// The number of published days whose figures the run changed.
  var restatedDays: Int64 = 0
  /// The number of unusable records and rows in all files, keyed by reason.
  var rejects: [String: Int] = [:]
  /// The numbers of signed transactions, renewals and notifications, by the result of their check.
  ///
  /// Superseded files are not included.
  var tokens = TokenTally()
  /// The numbers of ``tokens``, but only for the files that the last run read.
  var tokensRead = TokenTally()
  /// The number of input files, keyed by status.
  var files: [FileStatus: Int] = [:]
  /// The percentage of chargeable rows with an unknown amount, in hundredths of a percent.
  var unknownPrices: Int64 = 0
  /// The time of the newest purchase in revenue rows; `nil` if nothing is published.
  var newestPurchase: Instant?
  /// The newest day in the names of used exports with purchases; `nil` without a day.
  ///
  /// Days of signed transactions are included only if there are no receipts, or if no more receipts
  /// are expected.
  var newestExport: CivilDay?
  /// The sizes in bytes of state.db (key `state`) and of the warehouse (key `warehouse`), each with
  /// its write-ahead log.
  var bytes: [String: Int64] = [:]

  /// Formats the metrics in Prometheus' text format.
  func text(pipeline: String) -> String {
    var text = MetricsText(labels: [("pipeline", pipeline)])
    text.gauge(
      "paidline_last_success_timestamp_seconds",
      "Unix time of the end of the last run with status 0; 0 means never.",
      Self.seconds(lastSuccess))
    text.gauge(
      "paidline_last_completion_timestamp_seconds",
      "Unix time of the end of the last run, with any status.", Self.seconds(completion))
    text.gauge(
      "paidline_last_exit_code", "The exit status of the last run.", .whole(Int64(exitStatus)))
    text.gauge(
      "paidline_run_duration_seconds", "Seconds that each stage of the last run took.",
      by: "stage", Self.stages.map { ($0, .thousandths(milliseconds[$0] ?? 0)) })
    text.gauge(
      "paidline_lines_read", "Records of the files that the last run read for the first time.",
      .whole(records))
    text.gauge(
      "paidline_facts_written", "Rows of fct_revenue that the last run added or changed.",
      .whole(factsWritten))
    text.gauge("paidline_facts", "Rows of fct_revenue.", .whole(facts))
    text.gauge(
      "paidline_restated_days", "Published days whose figures the last run changed.",
      .whole(restatedDays))
    text.gauge(
      "paidline_rejected", "Records and rows that cannot be used, of all files read.",
      by: "reason", reasons.map { ($0, .whole(Int64(rejects[$0] ?? 0))) })
    text.gauge(
      "paidline_signed_tokens",
      "Signed transactions, renewals and notifications of all files read.",
      by: "standing", tokens.counts.map { ($0.standing, .whole(Int64($0.count))) })
    text.gauge(
      "paidline_signed_tokens_read",
      "Signed transactions, renewals and notifications that the "
        + "last run read.",
      by: "standing", tokensRead.counts.map { ($0.standing, .whole(Int64($0.count))) })
    text.gauge(
      "paidline_unknown_price_ratio",
      "Unknown amounts as a fraction of the chargeable amounts, 0 to 1.",
      .basisPoints(unknownPrices))
    text.gauge(
      "paidline_input_files", "Input files by status.", by: "state",
      FileStatus.standing.map { ($0.rawValue, .whole(Int64(files[$0] ?? 0))) })
    text.gauge(
      "paidline_newest_purchase_timestamp_seconds", "Unix time of the newest purchase.",
      Self.seconds(newestPurchase))
    text.gauge(
      "paidline_newest_export_timestamp_seconds",
      "Unix time of the start of the newest export day of purchases.",
      Self.seconds(newestExport?.start))
    text.gauge(
      "paidline_db_bytes", "Bytes of the databases with their logs.", by: "database",
      ["state", "warehouse"].map { ($0, .whole(bytes[$0] ?? 0)) })
    return text.text
  }

  /// All reject reasons of this version, and other reasons that an older version stored.
  private var reasons: [String] {
    Set(RejectReason.allCases.map(\.rawValue)).union(rejects.keys).sorted()
  }

  private static func seconds(_ time: Instant?) -> MetricValue {
    .whole((time?.milliseconds ?? 0) / 1000)
  }
}

// MARK: - Reading

extension RunMetrics {
  /// Adds figures about the run and its inputs from state.db.
  mutating func add(
    _ state: StateDatabase, runStarted: Instant, patience: Int
  ) throws(RunFailure) {
    let runs = try state.runs()
    let success = runs.last { $0.status == .succeeded }?.finishedAt
    lastSuccess = [lastSuccess, success].compactMap { $0 }.max()
    let run = runs.last { $0.startedAt == runStarted }?.id
    runID = run
    var days: [InputFile.Kind: [CivilDay]] = [:]
    for file in try state.files() {
      files[file.status, default: 0] += 1
      if file.firstRunID == run { records += Int64(file.tally.records) }
      if file.status != .superseded { tokens.add(file.tally.tokens) }
      if let tokenRun = file.tokenRunID, tokenRun == run { tokensRead.add(file.tally.tokens) }
      if file.status == .used, let day = file.exportDate {
        days[file.kind, default: []].append(day)
      }
    }
    newestExport =
      CoveringDays.days(
        receipts: days[.receipts] ?? [], signed: (days[.signed] ?? []) + (days[.exports] ?? []),
        patience: patience
      ).last
    rejects = try state.rejectTally()
  }

  /// Adds figures from the published warehouse.
  mutating func add(_ warehouse: PublishedWarehouse) throws(RunFailure) {
    let found = try warehouse.read { try PublishedCounts.read($0) }
    facts = found.facts
    newestPurchase = found.newestPurchase
    if let coverage = found.coverage { unknownPrices = 10_000 - coverage }
    guard let run = runID, run == found.runID else { return }
    (factsWritten, restatedDays) = (found.changedFacts, found.restatedDays)
  }
}
