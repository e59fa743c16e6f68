internal import StateStore
internal import SharedTables
internal import Diagnostics
internal import Logging
internal import PurchaseModel
internal import TemporaryFiles
internal import Warehouse

/// Publishes facts.
///
/// Gates and data tests are evaluated within the publication, before the facts become visible.
/// Their results are recorded afterwards.
extension ReconstructStage {
  /// Publishes `facts` and consumes them, so that the data tests can reuse their memory.
  func publish(
    _ facts: consuming Reconstruction, sorting: SortMemory, settings: ReconstructSettings,
    state: StateDatabase, texts: StateTexts, run: Int64, generation: Int64
  ) throws(RunFailure) {
    let factGates = FactGates(
      facts, definition: definition, gatePolicy: gatePolicy,
      newFiles: try newFiles(settings: settings, in: state))
    let misspelled = MisspelledProducts.hints(
      catalogue: facts.catalogue, bought: facts.bought, reported: facts.reported,
      symbols: facts.observations.symbols)
    let appleReportGates = AppleReportGates(
      gatePolicy: gatePolicy, warehousePath: definition.warehousePath)
    let content = try content(
      facts, settings: settings, state: state, texts: texts, run: run, generation: generation,
      factGates: factGates, appleReportGates: appleReportGates)
    let warehouse = WarehouseDatabase(
      path: definition.warehousePath, pages: memory.pages,
      beforeCommit: sorting.requireWritten)
    let gates = [("facts", factGates.evaluated), ("books", appleReportGates.evaluated)]
    let report: PublishReport
    do throws(RunFailure) {
      report = try warehouse.publish(consume content)
    } catch {
      try note(gates, run: run, in: state)
      let stops = gates.flatMap(\.1.stops)
      if stops.isEmpty {
        try noteDataTest(error, run: run, in: state)
      } else {
        try throttle.report(
          gates.flatMap(\.1.faults), stops: stops, keepingIn: state, log: log)
      }
      throw error
    }
    try note(gates, run: run, in: state)
    try PublicationRecord.adopt(from: definition.warehousePath, into: state)
    note(report, sorting: sorting)
    let corrections = settings.catalogue.corrections
    let corrected = corrections.entries.isEmpty ? [] : try warehouse.corrections()
    try throttle.report(
      gates.flatMap(\.1.faults) + corrections.faults(corrected), keepingIn: state, log: log)
    for hint in misspelled { log.notice("\(hint)", metadata: ["event": "stray_product"]) }
  }

  /// Records the outcomes of gates that were evaluated within the publication.
  private func note(
    _ gates: [(judge: String, evaluated: EvaluatedGates)], run: Int64, in state: StateDatabase
  ) throws(RunFailure) {
    for (judge, evaluated) in gates {
      try state.note(evaluated.outcomes, ofRun: run, by: judge)
    }
  }

  /// Finds the files that no earlier publication has checked; all files if the settings have
  /// changed.
  private func newFiles(settings: ReconstructSettings, in state: StateDatabase) throws(RunFailure)
    -> Set<Int64>
  {
    let last = try state.lastPublication()
    let isChanged = try state.lastPublishedSettings() != settings.digest
    return Set(try state.files().filter { isChanged || $0.firstRunID > last }.map(\.id))
  }

  /// Records a data test that stopped the run; does nothing for other failures.
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

  private func note(_ report: PublishReport, sorting: SortMemory) {
    let facts = report.rows["fct_revenue"] ?? 0
    let days = Set(report.restatements.map(\.day)).count
    let amounts = report.changedAmounts
    log.notice(
      """
      published \(Count.text(facts, "purchase")): rows added \(report.added), changed \
      \(report.changed), removed \(report.removed)\
      \(days > 0 ? "; \(Count.text(days, "day")) restated" : "")\
      \(amounts > 0 ? "; \(Count.text(amounts, "published amount")) changed" : "")
      """,
      metadata: [
        "event": "facts_published", "facts": "\(facts)", "added": "\(report.added)",
        "changed": "\(report.changed)", "removed": "\(report.removed)",
        "outcome": "\(report.outcome.rawValue)", "restated_days": "\(days)",
        "changed_amounts": "\(amounts)",
        "without_rate": "\(report.failingRows(of: "unconverted_amounts"))",
      ])
    log.info(
      "sorting used \(sorting.spilledBytes >> 20) MiB of temporary files",
      metadata: ["event": "sorted", "kib_on_disk": "\(sorting.spilledBytes >> 10)"])
    if !report.isCheckpointed {
      let path = definition.warehousePath + "-wal"
      let bytes = (try? PathStatus(at: path))?.size ?? 0
      log.warning(
        """
        the write-ahead log \(OneLine.text(path)) of the warehouse could not be emptied, because \
        another program is reading the warehouse; the log has \(bytes) bytes and grows with every \
        run until that program ends
        """)
    }
  }
}

extension PublishReport {
  /// The number of rows that break the data test with the given name; 0 if it did not run.
  fileprivate func failingRows(of test: String) -> Int {
    tests.first { $0.test.name == test }?.failingRows ?? 0
  }
}
