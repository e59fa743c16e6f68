internal import Deciding
internal import Diagnostics
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import Reconciling
internal import StateStore

/// Apple's reports in an incremental run, compared cell by cell with the rows of the facts.
struct IncrementalCells {
  /// The lines of Apple's reports, for the comparison with the facts.
  var appleReports: ReconciledReports
  /// The charges in Apple's reports, and the units in the facts of all chains, per cell.
  var totals: SalesReportTotals
  /// The hashes of the cells, with which the next run finds changed cells.
  var digests: [ProductDay: UInt64]
  /// The units of each newly decided chain's rows, per cell of Apple's reports.
  ///
  /// They replace the units that the last publication stored for these chains.
  var counted: [(chain: ChainKey, rows: [CellRow])]
}

extension IncrementalRun {
  /// Compares the cells of Apple's reports with the last publication, and adds affected households.
  ///
  /// The cells include the new rows of the wanted households, and the published rows of all other
  /// households. A household is added to `wanted` if a changed cell or price may change one of its
  /// amounts.
  ///
  /// - Parameters:
  ///   - wanted: The households that are decided because of other changes; affected ones are added.
  /// - Returns: Apple's reports with their cells (`nil` without reports), or the reason for a full
  ///   run.
  mutating func followCells(
    _ context: DecidingContext, _ wanted: inout HouseholdSet, _ unassigned: Set<ReportPosition>
  ) throws(RunFailure) -> Result<IncrementalCells?, FullRunReason> {
    let read = try SalesReportTotals.read(
      reader.state, settings: reader.settings, symbols: set.symbols)
    guard let appleReports = read?.appleReports, var totals = read?.cells else {
      return .success(nil)
    }
    guard let before = index.sums.cellDigests else { return .failure(.appleReports) }
    try load(wanted, unassigned)
    for (chain, row) in index.cellRows {
      guard let household = chains.household(of: chain) else { return .failure(.otherRows) }
      if !wanted.contains(household) { totals.count(row) }
    }
    var counted: [(chain: ChainKey, rows: [CellRow])] = []
    let again = try batches(wanted, unassigned, withSandbox: false)
    try context.count(again, in: &totals, symbols: set.symbols) { chain, rows in
      counted.append((chain, rows))
    }
    let digests = totals.digests(set.symbols)
    let changes = CellChanges(from: before, to: digests)
    let repriced = PublishedPrices(context.prices).productsWithOtherPrices(than: index.sums.prices)
    for (chain, row) in index.cellRows where !TestFault.cells.isInjected {
      guard let household = chains.household(of: chain), !wanted.contains(household) else {
        continue
      }
      let isOnLater = chains.dependsOnLaterCharges(chain)
      if repriced.contains(row.cell.productID)
        || changes.affect(row.cell, isOnLaterCharges: isOnLater)
      {
        wanted.insert(household)
      }
    }
    return .success(
      IncrementalCells(
        appleReports: appleReports, totals: totals, digests: digests, counted: counted))
  }
}
