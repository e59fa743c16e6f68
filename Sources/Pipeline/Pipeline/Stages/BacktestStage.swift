internal import Amounts
internal import Deciding
package import Diagnostics
package import Logging
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import StateStore
internal import TemporaryFiles
internal import Warehouse

/// Measures the rules: decides the purchases with a signed price again, without all signed prices.
///
/// The result replaces the table `audit_backtest` of the published facts.
package struct BacktestStage {
  let definition: PipelineDefinition
  let workers: Int
  let memory: MemoryBudget
  /// The time in seconds to wait for a run to end.
  let waitSeconds: Int
  let log: Logger

  package init(
    _ definition: PipelineDefinition, workers: Int, memory: MemoryBudget, waitSeconds: Int,
    log: Logger
  ) {
    self.definition = definition
    self.workers = workers
    self.memory = memory
    self.waitSeconds = waitSeconds
    self.log = log
  }

  /// Runs the backtest, while no run can publish.
  ///
  /// - Throws: ``RunFailure`` with status 65 if a run must come first, 66 if nothing has been
  ///   published, and 75 if a run is in progress.
  package func run() throws(RunFailure) {
    _ = try Verification(definition, log: log)
    let lock = try StateLock(statePath: definition.statePath, waitSeconds: waitSeconds)
    let warehouseLock = try WarehouseLock(
      path: definition.warehousePath, waitSeconds: waitSeconds)
    let asOf = try Verification(definition, log: log).requireCurrent()
    let state = try StateDatabase.openToRead(path: definition.statePath)
    let prepared = try PreparedRun.ofAllKeys(
      state, settings: try ReconstructSettings.read(definition, asOf: asOf),
      warehousePath: definition.warehousePath,
      memory: SortMemory(bytes: memory.sortedBytes, path: definition.statePath + "-sort"),
      workers: workers, hidesSigned: true)
    try WarehouseDatabase(path: definition.warehousePath).replaceBacktest(
      Self.rows(prepared))
    withExtendedLifetime(warehouseLock) {}
    withExtendedLifetime(lock) {}
  }

  /// Decides the purchases with a signed price, sorted by key.
  private static func rows(_ prepared: consuming PreparedRun) throws(RunFailure)
    -> [(purchase: PurchaseKey, row: BacktestRow)]
  {
    var all = prepared
    var rows: [(purchase: PurchaseKey, row: BacktestRow)] = []
    try all.batches().forEach { [context = all.context] batch throws(RunFailure) in
      let purchases = batch.batch.book.purchases
      guard purchases.contains(where: { $0.signed?.price != nil }) else { return [] }
      return try RunFailure.ofOverflow { () throws(AmountError) in
        try priceEvidence(
          batch.batch, reportVerdicts: batch.reportVerdicts(in: context.prices), in: context,
          hidesSigned: true
        ).evidence.backtest(policy: context.policy)
      }.map { (purchases[$0.row].key, $0) }
    } then: {
      rows += $0
    }
    return rows.sorted { $0.0 < $1.0 }
  }
}
