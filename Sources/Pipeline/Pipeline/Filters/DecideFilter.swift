internal import Amounts
internal import CivilTime
internal import Deciding
package import Diagnostics
internal import ExchangeRates
internal import PaidAmounts
internal import PriceLearning
internal import Proceeds
internal import PurchaseModel
internal import Purchases
internal import Reconciling
internal import Warehouse

/// Runs the step decide as a filter.
///
/// Input: whole households; the price book is in a separate file. Output: rows of facts.
package struct DecideFilter {
  static let tags = ["digest", "entry", "fact", FactSumRows.tag]

  private let settings: ReconstructSettings
  private let files: FilterFiles
  private let products: ProductRows
  private let prices: PriceBookRows
  private let joined: JoinedSide

  package init(
    settings: ReconstructSettings, files: FilterFiles, products: ProductRows,
    prices: PriceBookRows, joined: JoinedSide
  ) {
    self.settings = settings
    self.files = files
    self.products = products
    self.prices = prices
    self.joined = joined
  }

  /// Reads rows `house`, and writes the facts of all households.
  ///
  /// - Parameters:
  ///   - issues: Apple's reports; `nil` if the pipeline has none.
  ///   - cells: The units in each cell of Apple's reports, from all tasks; `nil` without reports.
  package func decide(_ issues: AppleIssues?, _ cells: CellRows?) throws(RunFailure) {
    let households = try gathered()
    var context = context(of: households)
    let written = try FactContext(
      runID: 1, set: households.set, catalogue: context.catalogue, products: context.products,
      customerKey: settings.customerKey)
    var lines = try FactLines(written)
    let appleReports = issues?.appleReports
    context.cells = appleReports.flatMap { cells?.cells($0, households.set.symbols) }
    let output = FilterOutput(Self.tags)
    try households.forEachBatch { several throws(RunFailure) in
      let judged = try several.reportVerdicts()
      let decided: DecidedHouseholds
      do {
        decided = try Deciding.decide(
          several.batch, reportVerdicts: judged.map(\.all),
          backtestVerdicts: context.backtestPrices == nil
            ? [] : judged.map { $0.unsigned ?? $0.all }, in: context)
      } catch {
        throw RunFailure(.invariantBroken, "amount overflow: \(error)")
      }
      try lines.add(decided)
      try lines.write(to: output)
      guard let appleReports else { return }
      for entry in try DecidedEntries.of(decided, written, near: appleReports) {
        try output.row("entry", EntryFields.fields(entry))
      }
    }
    var sums = lines.sums
    sums.add(joined.placeholderIDs.count, to: FactSums.Key(FactSumRows.placeholderIDs))
    try FactSumRows.write(sums, to: output)
    try lines.end(output)
  }

  /// Reads rows `house`, and writes the units of the purchases in each cell of Apple's reports.
  ///
  /// All tasks must have called this function before any task calls ``decide(_:_:)``. A cell proves
  /// no amount if the purchases of all tasks together have more units near its day than Apple's
  /// reports.
  package func count() throws(RunFailure) {
    let households = try gathered()
    let context = context(of: households)
    let output = FilterOutput(["counted"])
    var counts: [SalesReportTotals.Cell: Int64] = [:]
    try households.forEachBatch { several throws(RunFailure) in
      let judged = try several.reportVerdicts()
      do {
        for chain in try chainCells(
          several.batch, reportVerdicts: judged.map(\.all), in: context)
        {
          for row in chain.rows where row.units != 0 { counts[row.cell, default: 0] += row.units }
        }
      } catch {
        throw RunFailure(.invariantBroken, "amount overflow: \(error)")
      }
    }
    try CellRows.write(counts, households.set.symbols, to: output)
    try output.finish()
  }

  private func gathered() throws(RunFailure) -> GatheredHouseholds {
    try GatheredHouseholds(
      settings: settings, files: files, joined: joined, products: products,
      intern: prices.intern)
  }

  /// Creates the input of the step decide that is common to all households, such as learned prices.
  private func context(of households: GatheredHouseholds) -> DecidingContext {
    var symbols = households.set.symbols
    let facts = products.facts(in: &symbols)
    let catalogue = facts.apps.settled(settings.catalogue.catalogue(in: symbols))
    guard let book = prices.book(.all, in: &symbols, catalogue: catalogue) else {
      preconditionFailure("a price book was read")
    }
    var context = DecidingContext(
      prices: book, products: facts, catalogue: catalogue, policy: settings.renewalPolicy,
      asOf: settings.asOf ?? files.newestSnapshot ?? .epoch,
      reporting: settings.reporting?.currency, symbols: symbols)
    context.completeUntil = settings.completeUntil(
      files.accounts, newestSnapshot: files.newestSnapshot)
    context.backtestPrices = prices.book(.unsigned, in: &symbols, catalogue: catalogue)
    return context
  }
}
