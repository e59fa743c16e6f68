internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import Logging
internal import PurchaseModel
internal import Warehouse

/// The first stage: new exports into the working database, in one transaction, or in steps where a
/// backfill reads years of them.
struct IngestStage {
  let definition: PipelineDefinition
  let options: IngestOptions
  let workers: Int
  let memory: MemoryBudget
  /// The window of a backfill; `nil` for everything the patterns match.
  var backfill: BackfillWindow?
  let runStart: RunStart
  let log: Logger

  /// Reads what is new and commits it, then judges what stands.
  ///
  /// Without a new file nothing is written.
  func run() async throws(RunFailure) {
    let found = try inputs()
    let state = try StateDatabase.open(path: definition.statePath, create: true)
    // A new state.db, or an old copy of it, beside a warehouse: runs and generations are numbered
    // on from the warehouse's.
    try PublicationRecord.takeOver(from: definition.warehousePath, into: state)
    try RemovalsFile.reconcile(state, at: definition.statePath)
    do throws(RunFailure) {
      if !options.acceptLostErasures, try state.files().isEmpty {
        try RemovalsFile.requireList(state, definition) { () throws(RunFailure) in
          _ = try runStart.begin(in: state)  // So that the ledger shows a night that was stopped.
        }
      }
      try await ingest(found, into: state)
      try RemovalsFile.reconcile(state, at: definition.statePath)
      if !runStart.isShared { try runStart.finish(in: state, status: .success) }
    } catch {
      try? runStart.finish(in: state, status: error.status, message: error.message)
      throw error
    }
  }

  /// What the patterns match: all of it, or the files of a window.
  private func inputs() throws(RunFailure) -> WindowInputs {
    guard let backfill else {
      let found = try FoundInputs.find(definition)
      return WindowInputs(files: found.files, refusals: found.refusals)
    }
    let inputs = try WindowInputs.find(definition, in: backfill.window)
    backfill.tell(of: inputs, log: log)
    return inputs
  }

  private func ingest(_ found: WindowInputs, into state: StateDatabase) async throws(RunFailure) {
    var intake = InputIntake(
      state: state, spoolFolder: FilePaths.folder(of: definition.statePath),
      jobs: workers, allowEmpty: options.allowEmpty)
    intake.memory = memory
    if let backfill {
      intake.reprocess = backfill.reprocess
      intake.stepBytes = backfill.stepBytes
      intake.isComplete = false
    }
    let taken = try await intake.take(
      found.files, run: { () throws(RunFailure) in try runStart.begin(in: state) },
      // A step is judged with the others when all have been read.
      admitting: {
        backfill != nil || (!options.acceptHeld && rejectGate.stops($0)) ? .held : .used
      })
    try StopSignal.check()

    if taken.storedFiles > 0 {
      let tally = taken.tally
      log.notice(
        "read new files",
        metadata: [
          "event": "files_read", "files": "\(taken.storedFiles)", "records": "\(tally.records)",
          "duplicates": "\(tally.duplicates)", "rejected": "\(tally.rejected)",
          "json_bytes": "\(taken.textBytes)",
        ])
      tell(of: taken.notices, records: tally.records)
    } else {
      log.info(
        "no new file", metadata: ["event": "no_new_file", "known": "\(taken.outcomes.count)"])
    }
    try judge(
      taken.outcomes, outside: found.outside, refusals: found.refusals, in: state)
    if taken.storedFiles > 0 { try tellOfBarrenFiles(in: state) }
  }

  /// Warns of files that this run read and of which nothing is in the facts, though the gate let
  /// them pass: a whole export in one object is a single record.
  private func tellOfBarrenFiles(in state: StateDatabase) throws(RunFailure) {
    let run = try runStart.begin(in: state)
    let barren = try state.files().filter {
      $0.firstRunID == run && $0.status == .used && $0.tally.isBarren
    }
    guard !barren.isEmpty else { return }
    let examples = try RejectExamples.read(of: barren, .used, in: state).text
    log.warning("no record of \(Count.text(barren.count, "file")) could be used:\n\(examples)")
  }

  /// Tells what is no reject and yet worth a look.
  private func tell(of notices: ExportNotices, records: Int) {
    if notices.wrongSharedSecret > 0 {
      log.warning(
        """
        \(Count.text(notices.wrongSharedSecret, "response")) with status 21004: the export runs \
        with a wrong shared secret, so nothing is known of those customers
        """)
    }
    if notices.unreadableStorefronts * 2 > records {
      log.warning(
        """
        \(notices.unreadableStorefronts) of \(Count.text(records, "record")) name a storefront that \
        is no country, such as USA or US; they are used without, so that their currency may be unknown
        """)
    }
    let counts = [
      ("sandbox_receipts", notices.sandboxReceipts), ("retryable", notices.retryable),
      ("deleted_accounts", notices.deletedAccounts), ("rejected_rows", notices.rejectedRows),
      ("rejected_reports", notices.rejectedReports),
      ("unreadable_storefronts", notices.unreadableStorefronts),
      ("unreadable_times", notices.unreadableTimes),
      ("rejects_not_kept", notices.rejectsNotKept),
    ].filter { $0.1 > 0 }
    guard !counts.isEmpty else { return }
    log.info(
      "notices", metadata: Dictionary(uniqueKeysWithValues: counts.map { ($0.0, "\($0.1)") }))
  }

  private var rejectGate: RejectGate {
    RejectGate(perMillion: definition.limits.rejectedPerMillion)
  }

  /// The gates: they judge the files that the patterns match now, new and old.
  private func judge(
    _ outcomes: [InputOutcome], outside: [FoundInput], refusals: [String], in state: StateDatabase
  ) throws(RunFailure) {
    let stored = try state.files()
    let standing = Set(outcomes.map(\.identity)).union(try troubled(outside, among: stored))
    let files = stored.filter {
      standing.contains(InputIdentity(sha256: $0.sha256, kind: $0.kind))
    }
    var reasons: [String] = []
    let refused = files.filter { $0.status == .refused }
    let names = refused.map { "  \(OneLine.text($0.name)): \($0.refusal ?? "refused")" }.sorted()
    let refusedLines = refusals.map { "  \($0)" } + names
    if refusedLines.count > definition.limits.refusedFiles {
      reasons.append(
        """
        \(Count.text(refusedLines.count, "file")) refused, and limits.refused_files allows \
        \(definition.limits.refusedFiles); nothing of them is used. Replace them, take them out of \
        the inputs, or raise the limit:
        \(refusedLines.joined(separator: "\n"))
        """)
    } else {
      for line in refusedLines { log.warning("refused \(line.drop { $0 == " " })") }
    }
    if let reason = try judgeHeld(files.filter { $0.status == .held }, in: state) {
      reasons.append(reason)
    }
    let empty = outcomes.filter { $0.result == .empty }.map { "  \(OneLine.text($0.path))" }
    if !empty.isEmpty {
      reasons.append(
        """
        \(Count.text(empty.count, "new file")) without a record. Replace what should hold one, or \
        accept with --allow-empty:
        \(empty.sorted().joined(separator: "\n"))
        """)
    }
    if let drop = definition.limits.volumeDropPerMillion, !options.acceptVolume {
      let gate = VolumeGate(dropPerMillion: drop)
      let drops = gate.drops(
        in: try state.files(), lastPublication: try state.lastPublication())
      if let reason = gate.reason(drops, statePath: definition.statePath) { reasons.append(reason) }
    }
    guard !reasons.isEmpty else { return }
    let message = reasons.joined(separator: "\n") + "\nNothing was published."
    _ = try runStart.begin(in: state)  // So that the ledger shows a night that was stopped.
    throw RunFailure(.dataRefused, message)
  }

  /// The contents of the files outside a window that were refused or held when they were read.
  private func troubled(_ outside: [FoundInput], among stored: [StoredFile]) throws(RunFailure)
    -> Set<InputIdentity>
  {
    let names = Set(stored.filter { $0.status != .used }.map(\.name))
    var identities: Set<InputIdentity> = []
    for input in outside where names.contains(input.path) {
      let file = try OpenInput(input, spoolFolder: FilePaths.folder(of: definition.statePath))
      defer { file.close() }
      identities.insert(InputIdentity(sha256: try file.contentHash(), kind: input.kind))
    }
    return identities
  }

  /// Judges held files again, those of one run together; admits what passes now.
  private func judgeHeld(_ held: [StoredFile], in state: StateDatabase) throws(RunFailure)
    -> String?
  {
    var admitted: [Int64] = []
    var reasons: [String] = []
    for run in Set(held.map(\.firstRunID)).sorted() {
      let files = held.filter { $0.firstRunID == run }
      let tally = files.reduce(into: RecordTally()) { $0.add($1.tally) }
      guard !options.acceptHeld, rejectGate.stops(tally) else {
        admitted += files.map(\.id)
        continue
      }
      reasons.append(
        """
        \(rejectGate.finding(tally, files: files.count)), and \
        limits.rejected_share allows \(percent(definition.limits.rejectedPerMillion)). The files \
        are held: their records stay out of the facts. Replace them, or admit them with \
        --accept-held.\(rejectGate.isSmallNight(files.map(\.tally)) ? smallness : "") The first rejects:
        \(try RejectExamples.read(of: files, .held, in: state).text)
        All of them, in \(OneLine.text(definition.statePath)):
          SELECT name, line, reason_code, detail FROM reject JOIN input_file USING (file_id) \
        WHERE status = 'held';
        """)
    }
    if !admitted.isEmpty {
      let count = try state.setStatus(ofFiles: admitted, to: .used)
      log.notice("admitted held files", metadata: ["files": "\(count)"])
    }
    return reasons.isEmpty ? nil : reasons.joined(separator: "\n")
  }

  /// A word on a night in which a single reject is more than the limit allows.
  private var smallness: String {
    """
     In so few records a single reject is above the limit: where it may be one, run `paidline run \
    \(OneLine.text(definition.path)) --accept-held`, or raise limits.rejected_share for good.
    """
  }

  private func percent(_ perMillion: Int) -> String {
    RevenueSummary.percent(Int64(perMillion), 1_000_000)
  }
}
