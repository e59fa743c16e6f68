internal import CivilTime
internal import Diagnostics
internal import ExchangeRates
internal import GRDB
internal import Logging
internal import PaidAmounts
internal import Proceeds
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// The second stage: facts out of the working database, published all at once.
struct ReconstructStage {
  let definition: PipelineDefinition
  let options: ReconstructOptions
  let workers: Int
  /// What the process may take; `nil` for no limit.
  var memory: MemoryBudget?
  /// How long to wait for another pipeline that publishes to the same warehouse.
  var waitSeconds = 0
  let runStart: RunStart
  let log: Logger

  /// Decides every amount anew and publishes, unless nothing can have changed.
  func run() throws(RunFailure) {
    let state = try StateDatabase.open(path: definition.statePath, create: false)
    try OutputFolder.create(FilePaths.folder(of: definition.warehousePath))
    let lock = try WarehouseLock(path: definition.warehousePath, waitSeconds: waitSeconds)
    try publish(state)
    withExtendedLifetime(lock) {}
  }

  private func publish(_ state: StateDatabase) throws(RunFailure) {
    try PublicationRecord.takeOver(
      from: definition.warehousePath, into: state, unpublished: try runStart.open(in: state))
    let settings = try ReconstructSettings.read(definition, asOf: options.asOf?.instant)
    let generation = try state.generation()
    if !options.fullRefresh, try isPublished(settings, generation: generation) {
      log.info(
        "nothing to do: the facts say all this already", metadata: ["event": "nothing_to_do"])
      try scrub(state)
      return try runStart.finish(in: state, status: .success)
    }
    try runStart.leaveBehind(state)
    let run = try runStart.begin(in: state)
    do throws(RunFailure) {
      if let memory {
        try MemoryLimit.hold(
          memory, path: definition.statePath + "-memory", command: "paidline-reconstruct")
      }
      let facts = try Reconstruction.of(state, settings: settings, workers: workers)
      try Reconstruction.checkpoint()
      let asOf = facts.asOf
      try publish(
        consume facts, settings: settings, state: state, run: run, generation: generation)
      try scrub(state)
      try state.finishRun(run, at: SystemClock.now, exitStatus: 0, asOf: asOf)
    } catch {
      try? runStart.finish(in: state, status: error.status, message: error.message)
      throw error
    }
  }

  private var runKind: RunKind {
    if options.fullRefresh { return .fullRefresh }
    return switch runStart.kind {
    case RunStart.backfillKind: .backfill
    case RunStart.erasureKind: .erase
    default: .run
    }
  }

  /// Leaves no trace of what was erased or forgotten in the published file, now that it is not
  /// among the facts.
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

  /// Publishes the facts, which end here: most memory is theirs, and what examines rows needs some.
  private func publish(
    _ facts: consuming Reconstruction, settings: ReconstructSettings, state: StateDatabase,
    run: Int64, generation: Int64
  ) throws(RunFailure) {
    let warnings =
      [oldRates(facts), nothingLeft(facts), nobodies(facts)].compactMap(\.self)
      + questions(facts)
    let hint = noPrices(facts)
    let strays = StrayProducts.hints(
      catalogue: facts.catalogue, purchases: facts.purchases, sightings: facts.sightings)
    let content = try content(
      facts, settings: settings, state: state, run: run, generation: generation)
    if let floor = definition.limits.coverageFloorPerMillion, !options.acceptCoverage {
      try CoverageGate(floorPerMillion: floor)
        .check(content, warehousePath: definition.warehousePath)
    }
    let warehouse = WarehouseDatabase(
      path: definition.warehousePath, pages: memory?.pages ?? .standard,
      beforeCommit: MemoryLimit.checkWritten)
    let report = try warehouse.publish(consume content)
    try PublicationRecord.takeOver(from: definition.warehousePath, into: state)
    note(report)
    for warning in warnings { log.warning("\(warning)") }
    if let hint { log.notice("\(hint)", metadata: ["event": "no_prices"]) }
    for stray in strays { log.notice("\(stray)", metadata: ["event": "stray_product"]) }
  }

  /// Everything that is published, but what publishing itself finds.
  private func content(
    _ given: consuming Reconstruction, settings: ReconstructSettings, state: StateDatabase,
    run: Int64, generation: Int64
  ) throws(RunFailure) -> WarehouseContent {
    let facts = given
    var content = WarehouseContent(
      sightings: facts.sightings, purchases: facts.purchases, courses: facts.courses,
      amounts: facts.amounts, subscriptions: facts.subscriptions, catalogue: facts.catalogue,
      asOf: facts.asOf, customerKey: settings.customerKey,
      run: RunInfo(
        runID: run, kind: runKind, startedAt: runStart.time,
        finishedAt: SystemClock.now, programVersion: ProgramVersion.program,
        rulesVersion: ProgramVersion.rules, settingsSHA256: settings.digest,
        stateGeneration: generation))
    content.reporting = facts.reporting
    content.run.catalogueSHA256 = settings.catalogueDigest
    content.run.ratesSHA256 = settings.ratesDigest
    content.history = try state.history(
      without: try WarehouseDatabase(path: definition.warehousePath).publishedRuns())
    content.workers = workers
    content.files = try state.files().map(AuditFile.init)
    content.rejects = try state.rejects().map(RejectedRecord.init)
    content.rules = RuleText.all.map {
      RuleDescription(rule: $0.rule, condition: $0.condition, result: $0.result, why: $0.why)
    }
    return content
  }

  /// Tells what was published.
  private func note(_ report: PublishReport) {
    log.notice(
      "published",
      metadata: [
        "event": "facts_published", "facts": "\(report.rows["fct_revenue"] ?? 0)",
        "added": "\(report.added)",
        "changed": "\(report.changed)", "removed": "\(report.removed)",
        "outcome": "\(report.outcome.rawValue)",
        "restated_days": "\(Set(report.restatements.map(\.day)).count)",
        "unconverted": "\(report.failingRows(of: "unconverted_amounts"))",
        "spilled_kib": "\(MemoryLimit.spilledBytes >> 10)",
      ])
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

  /// What only the catalogue can settle, in words.
  private func questions(_ facts: borrowing Reconstruction) -> [String] {
    let symbols = facts.sightings.symbols
    return facts.amounts.questions.map { PriceQuestion.text($0, symbols: symbols) }
  }

  /// Says when nothing tells any price, so that no amount can be known; `nil` where something does.
  private func noPrices(_ facts: borrowing Reconstruction) -> String? {
    guard facts.sightings.reports.isEmpty, facts.purchases.revenueCount > 0 else { return nil }
    guard facts.catalogue.products.values.allSatisfy({ $0.prices.isEmpty && $0.offers.isEmpty })
    else { return nil }
    return """
      no price report was read, and the catalogue lists no price: only free rows have an amount; \
      name what the app reported under inputs.prices of \(OneLine.text(definition.path))
      """
  }

  /// Says when every purchase is left out as no revenue; `nil` where one is not.
  private func nothingLeft(_ facts: borrowing Reconstruction) -> String? {
    guard facts.purchases.revenueCount == 0, !facts.purchases.purchases.isEmpty else { return nil }
    let counts = ExclusionReason.allCases.map { reason in
      (reason, facts.purchases.purchases.count { $0.exclusion == reason })
    }
    let reasons = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0.rawValue)" }
    let isForeign = counts.contains { $0.0 == .foreignBundle && $0.1 > 0 }
    let advice = isForeign ? "; see bundle_ids of \(OneLine.text(definition.path))" : ""
    return """
      every purchase is left out as no revenue (\(reasons.joined(separator: ", "))), so that the \
      facts are empty\(advice)
      """
  }

  /// Says when customer ids are no one customer's; `nil` where all are.
  private func nobodies(_ facts: borrowing Reconstruction) -> String? {
    let nobodies = facts.purchases.households.nobodies
    guard let largest = nobodies.map(\.accounts).max() else { return nil }
    let ids =
      nobodies.count == 1
      ? "1 customer id is nobody's: its records hold"
      : "\(nobodies.count) customer ids are nobody's: the records of each hold"
    return """
      \(ids) what more than \(Households.mostAccounts) Apple accounts subscribed to or bought for \
      good (\(largest) of them at most), as a placeholder or a shared sign-in does; it counts as absent
      """
  }

  /// Says when the rates file is too old for the newest purchases; `nil` where it is not.
  private func oldRates(_ facts: borrowing Reconstruction) -> String? {
    guard let newest = facts.reporting.currency?.rates.newestDay else { return nil }
    let last = newest.advanced(by: ExchangeRates.oldestRate)
    guard facts.asOf.day > last else { return nil }
    return """
      the rates end on \(newest.text): amounts in other currencies after \(last.text) stay NULL; \
      put a newer eurofxref-hist.csv in its place
      """
  }

  /// Whether the newest publication was made of the same inputs, settings, versions and moment.
  private func isPublished(_ settings: ReconstructSettings, generation: Int64) throws(RunFailure)
    -> Bool
  {
    let warehouse = WarehouseDatabase(path: definition.warehousePath)
    guard try warehouse.exists(), try warehouse.recover() else { return false }
    return try WarehouseReader(definition).read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT program_version = ? AND rules_version = ? AND settings_sha256 = ?
            AND state_generation = ?
          FROM audit_run ORDER BY run_id DESC LIMIT 1
          """,
        arguments: [
          ProgramVersion.program, ProgramVersion.rules, settings.digest, generation,
        ]) ?? false
    }
  }
}

extension PublishReport {
  /// How many rows a data test found.
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
