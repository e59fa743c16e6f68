internal import Deciding
internal import Diagnostics
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Reconciling
internal import StateStore
internal import TemporaryFiles

/// Apple's reports in a run, compared cell by cell with the rows of the facts.
struct CountedCells {
  /// The lines of Apple's reports, for the comparison with the facts.
  var appleReports: ReconciledReports
  /// The charges in Apple's reports, and the units in the facts of all chains, per cell.
  var totals: SalesReportTotals
  /// The hashes of the cells, with which the next run finds changed cells.
  var digests: [ProductDay: UInt64]
  /// The units of each newly counted chain's rows, per cell (``CellRow``), sorted by chain.
  ///
  /// They replace the units that the last publication stored for these chains.
  var counted: ExternalSort
  /// The newly counted chains without a row in any cell.
  var emptied: [ChainKey]
}

extension FactRun {
  /// Compares the cells of Apple's reports with the last publication, and adds affected households.
  ///
  /// The cells include the new rows of the wanted households, and the published rows of all other
  /// households. A household is added if a changed cell or price may change one of its amounts.
  ///
  /// - Parameter context: The input of deciding, without Apple's reports.
  /// - Returns: Apple's reports with their cells (`nil` without reports), or the reason why all
  ///   keys are news.
  mutating func countCells(_ context: DecidingContext) throws(RunFailure)
    -> Result<CountedCells?, AllKeysReason>
  {
    let read = try SalesReportTotals.read(
      reader.state, settings: reader.settings, symbols: observations.symbols)
    guard let appleReports = read?.appleReports, var totals = read?.cells else {
      return .success(nil)
    }
    guard reason != nil || published.cellDigests != nil else { return .failure(.appleReports) }
    for (chain, row) in publishedCellRows {
      guard let household = chains.household(of: chain) else { return .failure(.otherRows) }
      if !wanted.contains(household) { totals.count(row) }
    }
    let counted = ExternalSort(memory: memory)
    let writer = counted.writer()
    var emptied: [ChainKey] = []
    try routeReports()
    try context.count(batches(wanted), in: &totals, symbols: observations.symbols) {
      chain, rows throws(RunFailure) in
      if rows.isEmpty, reason == nil { emptied.append(chain) }
      for row in rows { try writer.add(SortedKey(chain), value: row) }
    }
    try writer.finish()
    let digests = totals.digests(observations.symbols)
    let changes = CellChanges(from: published.cellDigests ?? [:], to: digests)
    let repriced = PublishedPrices(context.prices).productsWithOtherPrices(than: published.prices)
    for (chain, row) in publishedCellRows where !TestFault.cells.isInjected {
      guard let household = chains.household(of: chain), !wanted.contains(household) else {
        continue
      }
      if repriced.contains(row.cell.productID)
        || changes.affect(row.cell, isOnLaterCharges: dependsOnLaterCharges(chain))
      {
        wanted.insert(household)
      }
    }
    return .success(
      CountedCells(
        appleReports: appleReports, totals: totals, digests: digests, counted: counted,
        emptied: emptied))
  }

  /// Returns true if an amount of an unread chain depends on Apple's charges of days after the
  /// row's day.
  private func dependsOnLaterCharges(_ chain: ChainKey) -> Bool {
    guard let number = chains.number(of: chain)?.index, number >= readCount else { return false }
    return unread[number - readCount].dependsOnLaterCharges
  }
}
