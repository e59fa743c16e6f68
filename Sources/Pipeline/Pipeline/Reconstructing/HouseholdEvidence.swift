package import StateStore
package import Deciding
package import Diagnostics
package import PaidAmounts
package import PriceLearning
package import PurchaseModel
package import Purchases
package import TemporaryFiles
internal import Warehouse

/// The households of a batch with the evidence for their amounts.
///
/// With this evidence, commands such as `paidline explain` apply the rules again.
package struct HouseholdEvidence: Sendable {
  package let purchases: PurchaseHistory
  /// For each revenue row, its kind, the length of its period, and its place in the chain.
  package let timelines: BillingTimelines
  /// The evidence that the rules use.
  package let evidence: PriceEvidence
  /// The reports that the households need, sorted by evidence id.
  package let reports: [HouseholdReport]
  /// The verdict on each of ``reports``.
  package let reportVerdicts: [ReportVerdict]

  /// Collects the evidence for the amounts of a batch's households.
  package init(_ batch: HouseholdBatches.Batch, in context: DecidingContext) {
    reportVerdicts = batch.reportVerdicts(in: context.prices)
    reports = batch.batch.reports
    let asked = priceEvidence(batch.batch, reportVerdicts: reportVerdicts, in: context)
    (purchases, timelines, evidence) = (asked.batch.book, asked.timelines, asked.evidence)
  }
}

/// The evidence that explains the amount of one purchase.
///
/// It consists of the learned prices, the purchase's household, and the observations of the
/// purchase's chain.
package struct ExplainedPurchase {
  /// The run with its learned prices.
  package let all: PreparedRun
  /// The file and line of each price report that an explanation may name.
  package let lines: [Int64: SourceLine]
  /// The batch of households that contains the household of the purchase.
  package let household: HouseholdEvidence
  /// The purchase's position in the household's purchase history.
  package let position: Int
  /// The observations of the purchase's chain only.
  ///
  /// Its symbol table and its list of files are those of ``all``.
  package let chain: Observations

  /// Finds a purchase by any of its transaction ids.
  ///
  /// Only the households with news since the last publication, and the household of the purchase,
  /// are read.
  ///
  /// - Returns: The evidence; `nil` for an id that is in no used file.
  package static func find(
    _ transactionID: String, _ state: StateDatabase, settings: ReconstructSettings,
    warehousePath: String, memory: SortMemory, workers: Int
  ) throws(RunFailure) -> ExplainedPurchase? {
    let texts = try state.texts(settings.texts)
    guard let number = AppleNumber(known: transactionID, in: texts.set.symbols) else { return nil }
    let warehouse = WarehouseDatabase(path: warehousePath)
    var all = try PreparedRun.prepare(
      ChainReader(state: state, texts: texts, settings: settings, workers: workers),
      PublishedRows.read(state, texts, publishedIn: warehouse, settings), warehouse, memory: memory)
    var found: (batch: HouseholdBatches.Batch, position: Int)?
    try all.batches(of: TransactionID(number)).forEach {
      $0
    } then: { batch in
      guard found == nil,
        let position = batch.batch.book.purchase(named: TransactionID(number))
      else { return }
      found = (batch, position)
    }
    guard let found else { return nil }
    let purchase = found.batch.batch.book.purchases[found.position]
    let key = ChainKey(
      purchase.originalTransactionID, isSandbox: purchase.isSandbox, in: texts.set.symbols)
    let seen = try state.load(
      asOf: settings.asOf, texts, only: StateSelection(chains: [key], reports: []), workers: 1
    ) { _, set in set }
    var chain = Observations()
    for partition in seen.partitions where !partition.observations.isEmpty { chain = partition }
    let household = HouseholdEvidence(found.batch, in: all.context)
    let named =
      household.reports.map(\.report.evidenceID)
      + household.reportVerdicts.compactMap(\.distrustedFor)
      + all.prices.history.intervals.compactMap(\.firstReport)
    return ExplainedPurchase(
      all: all, lines: try all.sources(of: named), household: household,
      position: found.position, chain: chain)
  }
}
