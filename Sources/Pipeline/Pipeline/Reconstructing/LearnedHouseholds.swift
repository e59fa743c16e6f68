package import StateStore
internal import CProcess
internal import CivilTime
package import Deciding
package import Diagnostics
internal import ExchangeRates
internal import Joining
internal import PaidAmounts
internal import Parallel
internal import PriceLearning
internal import Proceeds
package import PurchaseModel
internal import Purchases
internal import Reconciling
package import TemporaryFiles

/// All households after the first three steps, ready for deciding.
package struct LearnedHouseholds {
  /// The interned texts (symbols) and the input files.
  package let observations: Observations
  /// The joined chains of all partitions.
  let joined: JoinedPartitions
  /// The households, and the reports that are used.
  package var batches: HouseholdBatches { joined.batches }
  /// Facts about each product from all rows, such as the usual length of its subscription period.
  let products: ProductFacts
  /// The prices learned from all reports.
  package let priceBooks: LearnedPrices
  /// The placed reports of all households (``PlacedBatch/Report``), sorted by evidence id.
  let placed: ExternalSort
  /// The signed prices that have a vote.
  let votes: [PlacedBatch.Vote]
  /// The input of deciding that all households have in common.
  package let context: DecidingContext
  /// Apple's reports; `nil` if there are none.
  let appleReports: ReconciledReports?
  /// The units of each chain's rows, per cell of Apple's reports (``CellRow``), sorted by chain.
  let cellRows: ExternalSort

  /// Reads the gathered data from state.db, and runs the steps merge and learn.
  ///
  /// - Parameters:
  ///   - workers: The number of threads; the result does not depend on it.
  package init(
    _ state: StateDatabase, _ texts: StateTexts, settings: ReconstructSettings,
    memory: SortMemory, workers: Int
  ) throws(RunFailure) {
    let reader = ChainReader(state: state, texts: texts, settings: settings, workers: workers)
    let merged = try MergedChains(reader, memory: memory)
    observations = merged.set
    var products = ProductFacts()
    for partition in merged.partitions { products.add(partition.products) }
    self.products = products
    let apps = products.apps
    let catalogue = apps.settled(settings.catalogue.catalogue(in: observations.symbols))
    let newestSnapshot = merged.newestSnapshot
    joined = try JoinedPartitions(consume merged, apps: apps, reader: reader, memory: memory)
    let batches = joined.batches
    paidline_return_memory()
    let placed = ExternalSort(memory: memory)
    let writer = placed.writer()
    var votes: [PlacedBatch.Vote] = []
    var isSigned = false
    try batches.forEach { [observations, products] batch in
      PlacedBatch(
        batch, catalogue: catalogue, products: products, symbols: observations.symbols)
    } then: { found throws(RunFailure) in
      votes += found.votes
      isSigned = isSigned || found.isSigned
      for report in found.reports {
        try writer.add(SortedKey(Int32(report.position.index), 0), value: report)
      }
    }
    try writer.finish()
    (self.placed, self.votes) = (placed, votes)
    priceBooks = try LearnedPrices(
      { [votes] () throws(RunFailure) in
        var reports: [PlacedReport] = []
        reports.reserveCapacity(batches.reportCount + votes.count)
        let reader = try placed.reader()
        while try reader.next() { reports.append(reader.value(PlacedBatch.Report.self).placed) }
        precondition(
          reports.count == batches.reportCount, "each report belongs to one household, or to none")
        return reports
      },
      signed: votes.map(\.placed), isSigned: isSigned, offers: batches.offers,
      catalogue: catalogue,
      times: SaleTimes(firstSold: products.firstPurchases, asOf: settings.asOf ?? newestSnapshot),
      workers: workers)
    paidline_return_memory()
    try Reconstruction.checkpoint()
    var context = DecidingContext(
      prices: priceBooks.prices, products: products, catalogue: catalogue,
      policy: settings.renewalPolicy,
      asOf: settings.asOf(newestSnapshot: newestSnapshot),
      reporting: settings.reporting?.currency, symbols: observations.symbols)
    context.backtestPrices = priceBooks.backtestPrices
    cellRows = ExternalSort(memory: memory)
    let read = try SalesReportTotals.read(
      state, settings: settings, symbols: observations.symbols)
    appleReports = read?.appleReports
    if var cells = read?.cells {
      let writer = cellRows.writer()
      try context.count(batches, in: &cells, symbols: observations.symbols) {
        chain, rows throws(RunFailure) in
        for row in rows { try writer.add(SortedKey(chain), value: row) }
      }
      try writer.finish()
      context.cells = cells
    }
    self.context = context
  }
}
