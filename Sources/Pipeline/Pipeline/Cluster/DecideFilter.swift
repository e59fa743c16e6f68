internal import Amounts
internal import CivilTime
internal import Deciding
package import Diagnostics
internal import ExchangeRates
internal import PaidAmounts
internal import PurchaseModel
internal import Warehouse

/// Runs the step decide as a filter.
///
/// Input: whole households; the price book is in a separate file. Output: rows of facts.
package struct DecideFilter: FilterStep {
  package static let name = "decide"
  package static let summary = "Read households, and write the rows of their facts and a digest."
  static let tags = ["digest", "entry", "fact", FactSumRows.tag] + FactSumRows.reportTags

  private let context: FilterContext
  private let files: FilterFiles
  private let households: GatheredHouseholds
  /// The input of the step decide that is common to all households, such as learned prices.
  private let deciding: DecidingContext

  /// Reads rows `house` and the side files.
  package init(_ context: FilterContext) throws(RunFailure) {
    self.context = context
    files = try context.files()
    let prices = try context.prices()
    households = try GatheredHouseholds(context, intern: prices.intern)
    var symbols = households.set.symbols
    var deciding = DecidingContext(
      prices: prices.book(in: &symbols, catalogue: households.catalogue),
      products: households.products, catalogue: households.catalogue,
      policy: context.settings.renewalPolicy,
      asOf: context.settings.asOf ?? files.newestSnapshot ?? .epoch,
      reporting: context.settings.reporting?.currency, symbols: symbols)
    deciding.completeUntil = context.settings.completeUntil(
      files.accounts, newestSnapshot: files.newestSnapshot)
    self.deciding = deciding
  }

  /// Writes the facts of all households.
  package func run() throws(RunFailure) {
    let issues = try context.issues(files)
    let cells = try context.cells(issues)
    let written = try FactContext(
      runID: 1, set: households.set, catalogue: deciding.catalogue, products: deciding.products,
      customerKey: context.settings.customerKey, compared: context.settings.compared)
    let appleReports = issues?.appleReports
    var lines = try FactLines(written, near: appleReports)
    var deciding = deciding
    deciding.cells = appleReports.flatMap { cells?.cells($0, households.set.symbols) }
    let output = FilterOutput(Self.tags)
    try households.forEachBatch { several throws(RunFailure) in
      let reportVerdicts = try several.reportVerdicts()
      let decided = try RunFailure.ofOverflow { () throws(AmountError) in
        try Deciding.decide(several.households.batch, reportVerdicts: reportVerdicts, in: deciding)
      }
      try lines.add(decided)
      try lines.write(to: output)
      for entry in lines.sums.entries {
        try output.row("entry", FilterField.fields(entry))
      }
    }
    var sums = lines.sums
    let placeholderIDs = households.joined.placeholderIDs.count
    sums.facts.add(placeholderIDs, to: FactSums.Key(FactSumRows.placeholderIDs))
    try FactSumRows.write(sums, to: output)
    try lines.end(output)
  }

  /// Writes the units of the purchases in each cell of Apple's reports.
  ///
  /// All tasks must have called this function before any task calls ``run()``. A cell proves
  /// no amount if the purchases of all tasks together have more units near its day than Apple's
  /// reports.
  fileprivate func count() throws(RunFailure) {
    let output = FilterOutput(["counted"])
    var counts: [SalesReportTotals.Cell: Int64] = [:]
    try households.forEachBatch { several throws(RunFailure) in
      let reportVerdicts = try several.reportVerdicts()
      let chains = try RunFailure.ofOverflow { () throws(AmountError) in
        try chainCells(several.households.batch, reportVerdicts: reportVerdicts, in: deciding)
      }
      for row in chains.lazy.flatMap(\.rows) where row.units != 0 {
        counts[row.cell, default: 0] += row.units
      }
    }
    try CellRows.write(counts, households.set.symbols, to: output)
    try output.finish()
  }
}

/// Counts the units of the purchases in each cell of Apple's reports.
///
/// The filter decides all amounts without Apple's reports. Later ``DecideFilter`` compares these
/// units with Apple's units: if the purchases have more units near the day of a cell, the cell
/// proves no amount.
package struct CountFilter: FilterStep {
  package static let name = "count"
  package static let summary =
    "Read households, and count their rows for each cell of Apple's reports."
  private let filter: DecideFilter

  package init(_ context: FilterContext) throws(RunFailure) { filter = try DecideFilter(context) }

  package func run() throws(RunFailure) { try filter.count() }
}
