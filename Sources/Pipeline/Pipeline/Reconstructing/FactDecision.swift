internal import CProcess
internal import Diagnostics
internal import ExchangeRates
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// The last step: decides amounts, and determines which published rows the new rows replace.
extension PreparedRun {
  /// Decides all households that need it.
  ///
  /// - Parameters:
  ///   - auditShare: The part of the unchanged households that is decided again as a check, in
  ///     hundredths of a percent.
  ///   - number: The number of the run that publishes.
  consuming func decide(auditShare: Int, run number: Int64) throws(RunFailure) -> Reconstruction {
    var prepared = consume self
    prepared.audit(share: auditShare, run: number)
    let batches = try prepared.batches()
    return try prepared.decide(batches, run: number)
  }

  private func decide(_ batches: HouseholdBatches, run number: Int64) throws(RunFailure)
    -> Reconstruction
  {
    let (settings, set) = (run.reader.settings, run.observations)
    let facts = FactStore(memory: run.memory)
    let written = try FactContext(
      runID: number, set: set, catalogue: run.catalogue, products: run.products,
      customerKey: settings.customerKey, compared: settings.compared)
    let result = try DecidingPass(
      batches, in: context, into: facts, written, keepsScope: run.reason == nil)
    let writer = facts.writer(written)
    try writer.add(prices.history.intervals, reported: reported)
    try writer.finish()
    paidline_return_memory()
    let scope = run.reason == nil ? try self.scope(result) : nil
    let questions = run.published.questions.filter { !isDecided($0.chain) } + result.questions
    let bought = run.published.bought.union(result.bought)
    var sums = PublishedSums()
    sums.newestSnapshot = run.newestSnapshot
    sums.completeUntil = run.completeUntil
    sums.winners = run.reports.winners
    sums.storefronts = run.storefronts
    sums.placeholderIDs = Set(run.chains.households.placeholderIDs.map(\.customer))
    sums.passedOn = run.chains.passedOnAccounts
    sums.prices = PublishedPrices(prices)
    sums.questions = questions
    sums.bought = bought
    sums.cellDigests = cells?.digests
    return try Reconstruction(
      observations: set, catalogue: run.catalogue, facts: facts, bought: bought,
      uncorrected: result.uncorrected,
      questions: PriceChangeQuestion.all(questions.map(\.question), prices: prices),
      doubtedUnits: prices.doubtedUnits, placeholderIDs: run.chains.households.placeholderIDs,
      ignoredLines: run.products.apps.ignored(
        in: settings.catalogue.catalogue(in: set.symbols)),
      passedOnCount: run.chains.households.passedOn.count,
      reporting: settings.reporting?.currency, asOf: run.asOf, reported: reported,
      reason: run.reason, scope: scope, appleReports: cells?.appleReports,
      nextRunRows: settings.asOf == nil
        ? NextRunRows(
          self, sums, nextChanges: result.nextChanges, onLaterCharges: result.onLaterCharges)
        : nil)
  }

  /// Returns true if the household of a chain is decided.
  private func isDecided(_ chain: ChainKey) -> Bool {
    run.chains.household(of: chain).map(run.wanted.contains) ?? false
  }

  /// Determines the published rows that the new facts replace.
  private func scope(_ result: DecidingPass) throws(RunFailure) -> FactScope {
    let symbols = run.observations.symbols
    var scope = FactScope()
    for key in result.chains {
      let id = key.originalTransactionID.number.text(in: symbols)
      guard !key.isSandbox else { continue }
      scope.chains.append(id)
      if run.chains.household(of: key.key).map(audited.contains) ?? false {
        scope.audited.insert(id)
      }
    }
    let reports = run.reports
    for place in 0..<reports.count {
      let household = reports.households[place]
      guard household.map(run.wanted.contains) ?? run.unassigned.contains(ReportPosition(place))
      else { continue }
      scope.reports.append(reports.evidenceIDs[place])
      if household.map(audited.contains) ?? false {
        scope.auditedReports.insert(reports.evidenceIDs[place])
      }
    }
    scope.reports += reports.dropped.map(\.evidenceID)
    let replaced = try run.warehouse.keys(
      ofChains: scope.chains, ids: result.transactionIDs.map { $0.number.text(in: symbols) })
    scope.purchases = replaced.purchases.union(result.purchases.lazy.map(\.rawValue))
    scope.customers = replaced.customers
    return scope
  }
}
