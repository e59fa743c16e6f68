internal import Amounts
internal import StateStore
internal import SharedTables
internal import Diagnostics
internal import ExchangeRates
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// Collects all rows that a run publishes: the facts and the audit rows.
extension ReconstructStage {
  /// Creates the content of the publication, without values that are known only after publishing.
  func content(
    _ given: consuming Reconstruction, settings: ReconstructSettings, state: StateDatabase,
    texts: StateTexts, run: Int64, generation: Int64, factGates: FactGates,
    appleReportGates: AppleReportGates
  ) throws(RunFailure) -> WarehouseContent {
    let facts = given
    var content = WarehouseContent(
      facts: facts.facts,
      run: PublishedRun(
        runID: run, kind: runKind, asOf: facts.asOf, startedAt: runStart.time,
        finishedAt: SystemClock.now, programVersion: ProgramVersion.program,
        rulesVersion: ProgramVersion.rules, settingsSHA256: settings.digest,
        stateGeneration: generation))
    content.scope = facts.scope
    content.newFiles = Set(factGates.newFiles.map(\.id))
    content.evaluateGates = { sums, units throws(RunFailure) in
      try factGates.evaluate(sums, units)
    }
    if let reports = facts.appleReports {
      content.appleReports = try AppleReportSource(
        reports, of: state, settings: settings, gates: appleReportGates)
    }
    content.run.reportingCurrency = facts.reporting?.currency.code
    content.run.catalogueSHA256 = settings.catalogueDigest
    content.run.ratesSHA256 = settings.ratesDigest
    content.history = try state.history(
      without: try WarehouseDatabase(path: definition.warehousePath).publishedRuns())
    content.gates = try state.gates()
    content.customers = try Self.customers(
      of: state, texts, settings: settings, without: facts.placeholderIDs)
    content.completeAfterDays = gatePolicy.rules.completeAfterDays
    content.givenAsOf = settings.asOf
    content.files = try state.files()
    content.rejects = try state.rejects()
    content.corrections = settings.catalogue.corrections.records
    for (key, amount) in facts.uncorrected { content.uncorrected[key.rawValue] = amount }
    return content
  }

  /// Reads the customers in the exports, without placeholder ids.
  private static func customers(
    of state: StateDatabase, _ texts: StateTexts, settings: ReconstructSettings,
    without placeholderIDs: [Households.PlaceholderCustomerID]
  ) throws(RunFailure) -> ExportedCustomers {
    var arrivals = try state.arrivals(texts, apps: settings.bundles(in: texts.set.symbols))
    for placeholder in placeholderIDs { arrivals[Int(placeholder.customer.symbol.rawValue)] = nil }
    return ExportedCustomers(
      arrivals: arrivals, customers: texts.set.customers, key: settings.customerKey)
  }

  private var runKind: RunKind {
    if fullRefresh { return .fullRefresh }
    return switch runStart.kind {
    case RunStart.backfillKind: .backfill
    case RunStart.erasureKind: .erase
    default: .run
    }
  }
}
