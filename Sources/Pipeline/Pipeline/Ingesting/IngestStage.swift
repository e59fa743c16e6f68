internal import SharedTables
internal import StateStore
internal import CivilTime
package import Diagnostics
package import Logging

/// The first stage: reads new exports into state.db, in one transaction.
///
/// A backfill may use several transactions; see ``BackfillWindow/stepBytes``.
package struct IngestStage {
  package let definition: PipelineDefinition
  /// Whether a new state.db is allowed although the list of erased customers is lost.
  package let acceptsLostErasures: Bool
  /// Decides which findings stop the run.
  package let gatePolicy: GatePolicy
  /// Decides which standing faults are printed again.
  package let throttle: WarningThrottle
  package let workers: Int
  package let memory: MemoryBudget
  /// The window of a backfill; `nil` for all files that match the patterns.
  package var backfill: BackfillWindow?
  package let runStart: RunStart
  package let log: Logger

  package init(
    definition: PipelineDefinition, acceptsLostErasures: Bool, gatePolicy: GatePolicy,
    throttle: WarningThrottle, workers: Int, memory: MemoryBudget, backfill: BackfillWindow? = nil,
    runStart: RunStart, log: Logger
  ) {
    self.definition = definition
    self.acceptsLostErasures = acceptsLostErasures
    self.gatePolicy = gatePolicy
    self.throttle = throttle
    self.workers = workers
    self.memory = memory
    self.backfill = backfill
    self.runStart = runStart
    self.log = log
  }

  /// Reads new files and commits them; then checks all files.
  ///
  /// Without a new file, the ledger gets no entry, unless a finding stops the run or is accepted.
  package func run() async throws(RunFailure) {
    let found = try inputs()
    let state = try StateDatabase.open(path: definition.statePath, create: true)
    // In a new or old copy of state.db, runs and generations must get higher numbers than in the
    // warehouse.
    try PublicationRecord.adopt(from: definition.warehousePath, into: state)
    try RemovalsFile.reconcile(state, at: definition.statePath)
    do throws(RunFailure) {
      if !acceptsLostErasures, try state.files().isEmpty {
        try RemovalsFile.requireList(state, definition) { () throws(RunFailure) in
          _ = try runStart.begin(in: state)  // So that the ledger shows a run that was stopped.
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

  /// Finds all files that match the patterns, or only the files in a backfill's window.
  private func inputs() throws(RunFailure) -> WindowInputs {
    guard let backfill else {
      let found = try FoundInputs.find(definition)
      return WindowInputs(files: found.files, refusals: found.refusals)
    }
    let inputs = try WindowInputs.find(definition, in: backfill.window)
    backfill.report(of: inputs, log: log)
    return inputs
  }

  private func ingest(_ found: WindowInputs, into state: StateDatabase) async throws(RunFailure) {
    let gates = IngestGates(definition: definition, gatePolicy: gatePolicy, state: state)
    var intake = InputIntake(
      state: state, spoolFolder: FilePaths.folder(of: definition.statePath),
      jobs: workers, allowEmpty: !gatePolicy.stops(.emptyFile),
      fieldMapping: definition.fieldMapping)
    intake.memory = memory
    if let backfill {
      intake.reprocess = backfill.reprocess
      intake.stepBytes = backfill.stepBytes
      intake.isComplete = false
    }
    let taken = try await intake.take(
      found.files, run: { () throws(RunFailure) in try runStart.begin(in: state) },
      // In a backfill the files of all steps are checked together at the end.
      admitting: { (step) throws(RunFailure) in
        if backfill != nil { return .held }
        return try gates.holds(step) ? .held : .used
      })
    try StopSignal.check()
    report(of: taken)
    let outside = try refusedOrHeld(found.outside, in: state)
    try markSuperseded(taken.outcomes, outside: outside, in: state)
    let open = try runStart.open(in: state)
    let context = IngestGates.Context(
      run: open, outcomes: taken.outcomes, outside: Set(outside.map(\.identity)),
      refusals: found.refusals, today: runStart.time.day, files: found.files)
    let findings = try gates.findings(context)
    if try admit(findings.admitted, in: state) {
      // A report that may now be used replaces the report that was at its path.
      try markSuperseded(taken.outcomes, outside: outside, in: state)
    }
    try evaluate(findings, context, gates: gates, in: state)
  }

  /// Uses the held files that no gate stops any more; returns true if there are any.
  private func admit(_ files: [Int64], in state: StateDatabase) throws(RunFailure) -> Bool {
    guard !files.isEmpty else { return false }
    let count = try state.setStatus(ofFiles: files, to: .used)
    guard count > 0 else { return false }
    log.notice(
      "\(Count.text(count, "held file")) now used in the facts",
      metadata: ["event": "files_admitted", "files": "\(count)"])
    return true
  }

  /// Marks the files that are superseded, and restores others; ``SupersededFiles`` finds both.
  private func markSuperseded(
    _ outcomes: [InputOutcome], outside: [(path: String, identity: InputIdentity)],
    in state: StateDatabase
  ) throws(RunFailure) {
    let places = outcomes.map { ($0.path, $0.identity) } + outside
    let changes = SupersededFiles.changes(
      try state.files(), places: places, standing: Set(places.map(\.1)))
    try state.supersede(files: changes.superseded, restoring: changes.back)
    if !changes.superseded.isEmpty {
      log.notice(
        """
        \(Count.text(changes.superseded.count, "file")) with new content at the same path; the \
        old content (held, refused, or an earlier report of Apple) is no longer used
        """, metadata: ["event": "files_superseded", "files": "\(changes.superseded.count)"])
    }
  }

  /// Evaluates the findings of the gates, and stores and reports them.
  ///
  /// Throws if the run must not publish.
  private func evaluate(
    _ found: IngestGates.Findings, _ context: IngestGates.Context, gates: IngestGates,
    in state: StateDatabase
  ) throws(RunFailure) {
    let gateResult = gates.gatePolicy.evaluate(found.findings)
    var faults: [WarningThrottle.Found] = []
    if backfill == nil {
      let stored = try state.files()
      let contents = ReplacedContents(context.files, context.outcomes, stored)
      try state.removeReplaced(files: contents.outdated(stored))
      faults = contents.warnings(stored, definition)
    }
    // The findings are stored, so that the list of runs shows why a run stopped, and which gates an
    // operator accepted.
    let isToBeKept = gateResult.outcomes.contains { $0.severity != .warn }
    if let run = isToBeKept ? try runStart.begin(in: state) : context.run {
      try state.note(gateResult.outcomes, ofRun: run, by: "files")
    }
    faults = gateResult.warnings.map(WarningThrottle.Found.init) + faults
    faults += ValuelessKeys.findings(context.outcomes, definition)
    faults += LocalTimes.findings(context.outcomes, definition)
    faults += LackingColumns.findings(context.outcomes, definition)
    faults += UnknownColumns.findings(context.outcomes)
    if let text = ForgottenFiles.finding(context, try state.forgottenFiles()) {
      faults.append(.init(fault: "forgotten_files", message: text, duration: .onceForAll))
    }
    if let text = IgnoredFiles.finding(context, try state.files()) {
      faults.append(.init(fault: "ignored_files", message: text, duration: .standing))
    }
    if let text = LostFieldMapping.finding(try lostFiles(context, in: state)) {
      faults.append(.init(fault: "lost_spelling", message: text, duration: .standing))
    }
    try throttle.report(faults, stops: gateResult.stops, keepingIn: state, log: log)
    if let failure = gateResult.failure { throw failure }
  }

  /// Finds the used files that are no longer on disk and were read with former settings.
  ///
  /// The former settings had other key names or another price unit. The files cannot be read again
  /// with the current settings.
  private func lostFiles(_ context: IngestGates.Context, in state: StateDatabase) throws(RunFailure)
    -> [StoredFile]
  {
    guard backfill == nil else { return [] }
    let standing = context.standing
    return try state.files().filter {
      $0.status == .used
        && !definition.fieldMappings(of: $0.kind).contains($0.reading.fieldMapping)
        && $0.tally.records > 0 && !standing.contains($0.identity)
    }
  }

  /// Returns the files outside of a backfill's window that state.db lists as not used, such as
  /// refused and held files.
  private func refusedOrHeld(_ outside: [FoundInput], in state: StateDatabase) throws(RunFailure)
    -> [(path: String, identity: InputIdentity)]
  {
    let files = try state.files()
    let names = Set(files.filter { $0.status != .used }.map(\.name))
    let stored = Set(files.map(\.identity))
    var places: [(path: String, identity: InputIdentity)] = []
    for input in outside where names.contains(input.path) {
      let file = try OpenInput(input, spoolFolder: FilePaths.folder(of: definition.statePath))
      defer { file.close() }
      let possible = input.identities(ofBytes: try file.contentHash())
      places.append((input.path, possible.first(where: stored.contains) ?? possible[0]))
    }
    return places
  }
}
