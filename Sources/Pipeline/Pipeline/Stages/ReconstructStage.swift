internal import StateStore
internal import SharedTables
package import CivilTime
package import Diagnostics
internal import ExchangeRates
package import Logging
internal import PaidAmounts
internal import Proceeds
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles
package import Warehouse

/// The second stage: facts out of the working database, published all at once.
package struct ReconstructStage {
  package let definition: PipelineDefinition
  /// The moment whose knowledge is told; `nil` for all that is known.
  package var asOf: Instant?
  /// Whether everything is decided and written anew.
  package var fullRefresh = false
  /// The share of households without news that is decided too, in hundredths of a percent.
  package var auditShare = 100
  /// The bench that judges the gates.
  package let bench: GateBench
  /// The rule for repeating faults that were told before.
  package let telling: FaultTelling
  package let workers: Int
  package let memory: MemoryBudget
  /// The time to wait for another pipeline that publishes to the same warehouse, in seconds.
  package var waitSeconds = 0
  package let runStart: RunStart
  package let log: Logger

  package init(
    definition: PipelineDefinition, asOf: Instant? = nil, fullRefresh: Bool = false,
    auditShare: Int = 100, bench: GateBench, telling: FaultTelling, workers: Int,
    memory: MemoryBudget, waitSeconds: Int = 0, runStart: RunStart, log: Logger
  ) {
    self.definition = definition
    self.asOf = asOf
    self.fullRefresh = fullRefresh
    self.auditShare = auditShare
    self.bench = bench
    self.telling = telling
    self.workers = workers
    self.memory = memory
    self.waitSeconds = waitSeconds
    self.runStart = runStart
    self.log = log
  }

  /// Decides every amount anew and publishes, unless nothing can have changed.
  package func run() throws(RunFailure) {
    let state = try StateDatabase.open(path: definition.statePath, create: false)
    try OutputFolder.create(FilePaths.folder(of: definition.warehousePath))
    let lock = try WarehouseLock(path: definition.warehousePath, waitSeconds: waitSeconds)
    try publish(state)
    withExtendedLifetime(lock) {}
  }

  private func publish(_ state: StateDatabase) throws(RunFailure) {
    try PublicationRecord.takeOver(
      from: definition.warehousePath, into: state, unpublished: try runStart.open(in: state))
    let settings = try ReconstructSettings.read(definition, asOf: asOf)
    let generation = try state.generation()
    if !fullRefresh, try isPublished(settings, generation: generation) {
      log.info(
        "nothing to do: the facts say all this already", metadata: ["event": "nothing_to_do"])
      try scrub(state)
      try telling.tellAgain(from: state, log: log)
      return try runStart.finish(in: state, status: .success)
    }
    try runStart.leaveBehind(state)
    let run = try runStart.begin(in: state)
    do throws(RunFailure) {
      let sorting = SortMemory(
        bytes: memory.sortedBytes, path: definition.statePath + "-sort")
      let texts = try state.texts(settings.texts)
      let facts = try decide(state, texts, settings: settings, run: run, memory: sorting)
      try Reconstruction.checkpoint()
      let asOf = facts.asOf
      let index = facts.index
      try publish(
        consume facts, sorting: sorting, settings: settings, state: state, run: run,
        generation: generation)
      try keep(index, texts, settings: settings, state: state, run: run)
      try scrub(state)
      try state.finishRun(run, at: SystemClock.now, exitStatus: 0, asOf: asOf)
    } catch {
      try? runStart.finish(in: state, status: error.status, message: error.message)
      throw error
    }
  }

  /// Decides the keys that have news, or everything if the news cannot be told.
  private func decide(
    _ state: StateDatabase, _ texts: StateTexts, settings: ReconstructSettings, run: Int64,
    memory: SortMemory
  ) throws(RunFailure) -> Reconstruction {
    let reason: FullReason
    if try !state.reportFiles().isEmpty {
      reason = .appleReports
    } else if let index = try lastIndex(state, texts, settings: settings) {
      let planned = try Night.plan(
        NightReader(state: state, texts: texts, settings: settings, workers: workers),
        index: index, warehouse: WarehouseDatabase(path: definition.warehousePath), run: run,
        memory: memory, auditShare: auditShare)
      var decided: Result<Reconstruction, FullReason>
      switch planned {
      case .success(var night): decided = try night.decide()
      case .failure(let known): decided = .failure(known)
      }
      switch decided {
      case .success(let facts):
        let scope = facts.scope ?? FactScope()
        log.info(
          """
          decided the chains that have news: \(scope.chains.count - scope.audited.count), and \
          \(scope.audited.count) without news to check them; the others stay as published
          """,
          metadata: [
            "event": "night", "chains": "\(scope.chains.count)",
            "audited": "\(scope.audited.count)",
          ])
        return facts
      case .failure(let found): reason = found
      }
    } else {
      reason = .unknownPublication
    }
    log.info("decides everything: \(reason.rawValue)", metadata: ["event": "full"])
    return try Reconstruction.full(
      state, texts, settings: settings, run: run, memory: memory, workers: workers)
  }

  /// The index of the newest publication, if it was made under these settings and versions.
  private func lastIndex(
    _ state: StateDatabase, _ texts: StateTexts, settings: ReconstructSettings
  ) throws(RunFailure) -> PublishedIndex? {
    let warehouse = WarehouseDatabase(path: definition.warehousePath)
    guard !fullRefresh, settings.asOf == nil, try warehouse.exists(),
      try warehouse.recover(), let last = try warehouse.lastRun()
    else { return nil }
    return IndexFile(of: definition.statePath).read(
      origin: PublishedIndex.Origin(run: last.runID, removals: try state.removalsRevision()),
      settings: Self.identity(of: settings), texts: texts)
  }

  /// Keeps the index for the next night; nothing if it is missing or cannot be written.
  private func keep(
    _ index: consuming PublishedIndex?, _ texts: StateTexts, settings: ReconstructSettings,
    state: StateDatabase, run: Int64
  ) throws(RunFailure) {
    let file = IndexFile(of: definition.statePath)
    guard var index else { return file.remove() }
    index.settings = Self.identity(of: settings)
    index.origin = PublishedIndex.Origin(run: run, removals: try state.removalsRevision())
    index.files = try state.usedReadings()
    if !file.write(index, texts: texts) { file.remove() }
  }

  /// The settings and versions that facts follow from.
  private static func identity(of settings: ReconstructSettings) -> String {
    "\(settings.digest) \(ProgramVersion.program) \(ProgramVersion.rules)"
  }

  private var runKind: RunKind {
    if fullRefresh { return .fullRefresh }
    return switch runStart.kind {
    case RunStart.backfillKind: .backfill
    case RunStart.erasureKind: .erase
    default: .run
    }
  }

  /// Scrubs the published file, so that erased and forgotten data leave no trace in it.
  private func scrub(_ state: StateDatabase) throws(RunFailure) {
    guard try state.needsScrub() else { return }
    guard try WarehouseDatabase(path: definition.warehousePath).scrub() else {
      return log.warning(
        """
        what was erased or forgotten is no longer among the facts, yet a reader holds the log of \
        \(OneLine.text(definition.warehousePath)), where traces may be left; the next run tries again
        """)
    }
    try state.noteScrubbed()
  }

  /// Consumes `facts` and publishes them; the data tests reuse their memory.
  private func publish(
    _ facts: consuming Reconstruction, sorting: SortMemory, settings: ReconstructSettings,
    state: StateDatabase, run: Int64, generation: Int64
  ) throws(RunFailure) {
    let warnings = try judge(facts, settings: settings, run: run, in: state)
    let strays = StrayProducts.hints(
      catalogue: facts.catalogue, bought: facts.tally.bought, reported: facts.reported,
      symbols: facts.sightings.symbols)
    let books = BookJudge(bench: bench, warehousePath: definition.warehousePath)
    let content = try content(
      facts, settings: settings, state: state, run: run, generation: generation, books: books)
    let warehouse = WarehouseDatabase(
      path: definition.warehousePath, pages: memory.pages,
      beforeCommit: sorting.requireWritten)
    let report: PublishReport
    do throws(RunFailure) {
      report = try warehouse.publish(consume content)
    } catch {
      try state.note(books.judgement.outcomes, ofRun: run, by: "books")
      if books.judgement.stops.isEmpty {
        try noteDataTest(error, run: run, in: state)
      } else {
        try telling.tell(
          warnings + books.faults, stops: books.judgement.stops, keepingIn: state, log: log)
      }
      throw error
    }
    try state.note(books.judgement.outcomes, ofRun: run, by: "books")
    try PublicationRecord.takeOver(from: definition.warehousePath, into: state)
    note(report, sorting: sorting)
    try telling.tell(warnings + books.faults, keepingIn: state, log: log)
    for stray in strays { log.notice("\(stray)", metadata: ["event": "stray_product"]) }
  }

  /// Asks the gates that judge facts and keeps their findings.
  ///
  /// - Returns: The warnings to tell once the facts are published.
  /// - Throws: ``RunFailure`` with 65 if publishing is not allowed.
  private func judge(
    _ facts: borrowing Reconstruction, settings: ReconstructSettings, run: Int64,
    in state: StateDatabase
  ) throws(RunFailure) -> [FaultTelling.Found] {
    let gates = FactGates(
      definition: definition, bench: bench,
      newFiles: try newFiles(settings: settings, in: state))
    let judgement = bench.judge(gates.findings(facts))
    try state.note(judgement.outcomes, ofRun: run, by: "facts")
    let faults = judgement.warnings.map(FaultTelling.Found.init) + gates.faults(facts)
    if let failure = judgement.failure {
      try telling.tell(faults, stops: judgement.stops, keepingIn: state, log: log)
      throw failure
    }
    return faults
  }

  /// The files that no earlier publication has judged; all of them where the settings have changed.
  private func newFiles(settings: ReconstructSettings, in state: StateDatabase) throws(RunFailure)
    -> Set<Int64>
  {
    let last = try state.lastPublication()
    let isChanged = try state.lastPublishedSettings() != settings.digest
    return Set(try state.files().filter { isChanged || $0.firstRunID > last }.map(\.id))
  }

  /// Keeps that a data test stopped the night.
  private func noteDataTest(_ failure: RunFailure, run: Int64, in state: StateDatabase)
    throws(RunFailure)
  {
    guard failure.status == .dataRefused else { return }
    let line = failure.message.split(separator: "\n").first.map(String.init) ?? ""
    try state.note(
      [
        GateOutcome(
          gate: .dataTest, severity: .stop, subject: "facts", found: line,
          expected: "no row that breaks a data test")
      ], ofRun: run, by: "data_tests")
  }

  /// The content of the publication, without the results of publishing itself.
  private func content(
    _ given: consuming Reconstruction, settings: ReconstructSettings, state: StateDatabase,
    run: Int64, generation: Int64, books: BookJudge
  ) throws(RunFailure) -> WarehouseContent {
    let facts = given
    var content = WarehouseContent(
      facts: facts.facts, asOf: facts.asOf,
      run: RunInfo(
        runID: run, kind: runKind, startedAt: runStart.time,
        finishedAt: SystemClock.now, programVersion: ProgramVersion.program,
        rulesVersion: ProgramVersion.rules, settingsSHA256: settings.digest,
        stateGeneration: generation))
    content.scope = facts.scope
    content.totals = facts.totals
    content.appleReports = try AppleReportSource(
      of: state, appleIDs: settings.catalogue.appleIDs, judge: books)
    content.reportingCurrency = facts.reporting?.currency
    content.run.catalogueSHA256 = settings.catalogueDigest
    content.run.ratesSHA256 = settings.ratesDigest
    content.history = try state.history(
      without: try WarehouseDatabase(path: definition.warehousePath).publishedRuns())
    content.gates = try state.gates()
    content.completeAfterDays = bench.rules.completeAfterDays
    content.givenAsOf = settings.asOf
    content.files = try state.files().map(AuditFile.init)
    content.rejects = try state.rejects().map(RejectedRecord.init)
    content.rules = RuleDescription.all
    return content
  }

  /// Logs the publication.
  private func note(_ report: PublishReport, sorting: SortMemory) {
    let facts = report.rows["fct_revenue"] ?? 0
    let days = Set(report.restatements.map(\.day)).count
    log.notice(
      """
      published \(Count.text(facts, "purchase")): rows added \(report.added), changed \
      \(report.changed), removed \(report.removed)\
      \(days > 0 ? "; \(Count.text(days, "day")) restated" : "")
      """,
      metadata: [
        "event": "facts_published", "facts": "\(facts)", "added": "\(report.added)",
        "changed": "\(report.changed)", "removed": "\(report.removed)",
        "outcome": "\(report.outcome.rawValue)", "restated_days": "\(days)",
        "without_rate": "\(report.failingRows(of: "unconverted_amounts"))",
      ])
    log.info(
      "sorted with \(sorting.spilledBytes >> 20) MiB of temporary files",
      metadata: ["event": "sorted", "kib_on_disk": "\(sorting.spilledBytes >> 10)"])
    if !report.isCheckpointed {
      let path = definition.warehousePath + "-wal"
      let bytes = (try? PathStatus(at: path))?.size ?? 0
      log.warning(
        """
        a reader holds the warehouse, so its log \(OneLine.text(path)) could not be emptied and has \
        \(bytes) bytes; it grows with every run until that reader ends
        """)
    }
  }

  /// Whether the newest publication was made of the same inputs, settings, versions and moment.
  private func isPublished(_ settings: ReconstructSettings, generation: Int64) throws(RunFailure)
    -> Bool
  {
    let warehouse = WarehouseDatabase(path: definition.warehousePath)
    guard try warehouse.exists(), try warehouse.recover(), let last = try warehouse.lastRun()
    else { return false }
    return last.programVersion == ProgramVersion.program
      && last.rulesVersion == ProgramVersion.rules && last.settingsSHA256 == settings.digest
      && last.stateGeneration == generation
  }
}

extension PublishReport {
  /// The number of rows that a data test found.
  fileprivate func failingRows(of test: String) -> Int {
    tests.first { $0.test.name == test }?.failingRows ?? 0
  }
}

extension AuditFile {
  /// The account of a file that state.db keeps.
  fileprivate init(_ file: StoredFile) {
    let status: AuditFileStatus =
      switch file.status {
      case .used: .used
      case .refused: .refused
      case .held: .held
      case .superseded: .superseded
      }
    self.init(
      sourceFileID: file.id, name: file.name, sha256: file.sha256, kind: file.kind,
      status: status, exportDate: file.exportDate, bytes: file.bytes,
      used: Int64(file.tally.used), duplicates: Int64(file.tally.duplicates),
      rejected: Int64(file.tally.rejected), firstRunID: file.firstRunID)
  }
}

extension RejectedRecord {
  /// An unusable record that state.db keeps.
  fileprivate init(_ reject: StoredReject) {
    self.init(
      sourceFileID: reject.fileID, sourceLine: reject.line, reasonCode: reject.reasonCode,
      detail: reject.detail)
  }
}

extension RuleDescription {
  /// All rules, in the order in which they are asked.
  package static var all: [RuleDescription] {
    RuleText.all.map {
      RuleDescription(rule: $0.rule, condition: $0.condition, result: $0.result, why: $0.why)
    }
  }
}
