internal import StateStore
internal import SharedTables
package import CivilTime
package import Diagnostics
package import Logging
internal import TemporaryFiles
internal import Warehouse

/// The second stage: computes facts from state.db, and publishes them all at once.
package struct ReconstructStage {
  package let definition: PipelineDefinition
  /// The time after which observations are ignored; `nil` to use all observations.
  package var asOf: Instant?
  /// Whether all rows are decided and written again.
  package var fullRefresh = false
  /// The percentage of unchanged households to decide again as a check, times 100: 1 % is 100.
  package var auditShare = 100
  /// Decides which findings stop the run.
  package let gatePolicy: GatePolicy
  /// Decides which standing faults are printed again.
  package let throttle: WarningThrottle
  package let workers: Int
  package let memory: MemoryBudget
  /// The time in seconds to wait for another pipeline that publishes to the same warehouse.
  package var waitSeconds = 0
  package let runStart: RunStart
  package let log: Logger

  package init(
    definition: PipelineDefinition, asOf: Instant? = nil, fullRefresh: Bool = false,
    auditShare: Int = 100, gatePolicy: GatePolicy, throttle: WarningThrottle, workers: Int,
    memory: MemoryBudget, waitSeconds: Int = 0, runStart: RunStart, log: Logger
  ) {
    self.definition = definition
    self.asOf = asOf
    self.fullRefresh = fullRefresh
    self.auditShare = auditShare
    self.gatePolicy = gatePolicy
    self.throttle = throttle
    self.workers = workers
    self.memory = memory
    self.waitSeconds = waitSeconds
    self.runStart = runStart
    self.log = log
  }

  /// Decides the amounts and publishes the facts.
  ///
  /// Does nothing if no fact can have changed.
  package func run() throws(RunFailure) {
    let state = try StateDatabase.open(path: definition.statePath, create: false)
    try OutputFolder.create(FilePaths.folder(of: definition.warehousePath))
    let lock = try WarehouseLock(path: definition.warehousePath, waitSeconds: waitSeconds)
    try publish(state)
    withExtendedLifetime(lock) {}
  }

  private func publish(_ state: StateDatabase) throws(RunFailure) {
    try PublicationRecord.adopt(
      from: definition.warehousePath, into: state, unpublished: try runStart.open(in: state))
    let settings = try ReconstructSettings.read(definition, asOf: asOf)
    let generation = try state.generation()
    if !fullRefresh, try isPublished(settings, generation: generation) {
      log.info(
        "nothing to do: the warehouse is up to date", metadata: ["event": "nothing_to_do"])
      try scrub(state)
      try throttle.reportAgain(from: state, log: log)
      return try runStart.finishWithoutNews(in: state)
    }
    try runStart.endIfOvertaken(state)
    let run = try runStart.begin(in: state)
    do throws(RunFailure) {
      let sorting = SortMemory(
        bytes: memory.sortedBytes, path: definition.statePath + "-sort")
      let texts = try state.texts(settings.texts)
      let facts = try decide(state, texts, settings: settings, run: run, memory: sorting)
      try Reconstruction.checkpoint()
      let asOf = facts.asOf
      let nextRunRows = facts.nextRunRows
      try publish(
        consume facts, sorting: sorting, settings: settings, state: state, texts: texts, run: run,
        generation: generation)
      try keep(nextRunRows, texts, settings: settings, state: state)
      try scrub(state)
      if asOf == .epoch {
        log.warning("the facts have no as-of time: no receipt or signed transaction has a time yet")
      }
      try state.finishRun(run, at: SystemClock.now, exitStatus: 0, asOf: asOf)
    } catch {
      try? runStart.finish(in: state, status: error.status, message: error.message)
      throw error
    }
  }

  /// Decides the amounts whose input has changed; in a full refresh, all amounts.
  private func decide(
    _ state: StateDatabase, _ texts: StateTexts, settings: ReconstructSettings, run: Int64,
    memory: SortMemory
  ) throws(RunFailure) -> Reconstruction {
    let warehouse = WarehouseDatabase(path: definition.warehousePath)
    if try warehouse.exists() { try warehouse.recover() }
    let published =
      fullRefresh
      ? PublishedRows(because: .unknownPublication)
      : try PublishedRows.read(state, texts, publishedIn: warehouse, settings)
    let prepared = try PreparedRun.prepare(
      ChainReader(state: state, texts: texts, settings: settings, workers: workers),
      consume published, warehouse, memory: memory)
    let facts = try prepared.decide(auditShare: auditShare, run: run)
    if let scope = facts.scope {
      log.info(
        """
        decided \(scope.chains.count - scope.audited.count) changed chains, and \
        \(scope.audited.count) unchanged chains as a check; the other chains stay as published
        """,
        metadata: [
          "event": "decided", "chains": "\(scope.chains.count)",
          "audited": "\(scope.audited.count)",
        ])
    } else {
      log.info(
        "decided all chains: \(facts.reason?.rawValue ?? "")", metadata: ["event": "decided"])
    }
    return facts
  }

  /// Stores the rows for the next run in state.db.
  ///
  /// Removes the stored rows if the next run must decide all rows.
  private func keep(
    _ nextRunRows: NextRunRows?, _ texts: StateTexts, settings: ReconstructSettings,
    state: StateDatabase
  ) throws(RunFailure) {
    let warehouse = WarehouseDatabase(path: definition.warehousePath)
    guard var nextRunRows, let published = try warehouse.lastRun() else {
      return try state.forgetLastPublication()
    }
    nextRunRows.sums.files = try state.usedReadings()
    let publication = LastPublication(
      contentDigest: published.contentDigest, settings: settings.identity,
      sums: try nextRunRows.sums.rows(texts))
    try state.deliver(publication, texts, replacesAll: nextRunRows.replacesAll, nextRunRows.write)
  }

  /// Rewrites the warehouse file without its freed pages and empties its log, so that no erased or
  /// forgotten data remain in them.
  ///
  /// Does nothing if no such data can remain.
  private func scrub(_ state: StateDatabase) throws(RunFailure) {
    guard try state.needsScrub() else { return }
    guard try WarehouseDatabase(path: definition.warehousePath).scrub() else {
      return log.warning(
        """
        erased and forgotten data is no longer in the facts, but another program is reading \
        \(OneLine.text(definition.warehousePath)), whose write-ahead log may still contain this data; the \
        next run tries again to empty the log
        """)
    }
    try state.noteScrubbed()
  }

  /// Returns true if the newest publication had the same inputs, settings, versions and as-of time.
  private func isPublished(_ settings: ReconstructSettings, generation: Int64) throws(RunFailure)
    -> Bool
  {
    let warehouse = WarehouseDatabase(path: definition.warehousePath)
    guard try warehouse.exists() else { return false }
    try warehouse.recover()
    guard let last = try warehouse.lastRun() else { return false }
    return last.programVersion == ProgramVersion.program
      && last.rulesVersion == ProgramVersion.rules && last.settingsSHA256 == settings.digest
      && last.stateGeneration == generation
  }
}
