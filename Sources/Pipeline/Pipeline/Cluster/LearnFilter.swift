internal import Amounts
internal import CivilTime
package import Diagnostics
internal import ExchangeRates
internal import Glibc
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// Runs the step learn as a filter.
///
/// Input: all placed reports. Output: the price book, and a verdict on each report.
///
/// One process reads all reports, because reports of different markets are compared: by storefront,
/// product and voter. It needs about four hundred bytes per report.
package struct LearnFilter: FilterStep {
  package static let name = "learn"
  package static let summary =
    "Read the rows `file` and those of `place`; write the price book and a verdict on each report."
  static let tags = ["digest", "fact", "run", FactSumRows.tag, "verdict"] + PriceBookRows.tags

  private let context: FilterContext
  private let settings: ReconstructSettings
  private let products: ProductRows

  package init(_ context: FilterContext) throws(RunFailure) {
    self.context = context
    settings = context.settings
    products = try context.products()
  }

  /// Learns prices from the rows `file` and the rows that `place` wrote.
  ///
  /// Writes the price book, the verdicts, the facts that belong to no household (products and
  /// prices), and a row `run` with the settings and versions of the job.
  package func run() throws(RunFailure) {
    var input = FilterInput.standard(FilterFiles.tags.union(PlacedRows.tags))
    var named: [FilterRow] = []
    var placed = PlacedRows()
    while let row = try input.next() {
      if row.tag == "file" { named.append(row) } else { try placed.add(row) }
    }
    let files = try FilterFiles(rows: named)
    let set = try symbols(placed, files)
    var table = set.symbols
    let facts = try products.facts(in: &table)
    let catalogue = facts.apps.settled(settings.catalogue.catalogue(in: table))
    let (prices, reports) = try placed.learn(
      in: &table, catalogue: catalogue,
      times: SaleTimes(
        firstSold: facts.firstPurchases, asOf: settings.asOf ?? files.newestSnapshot),
      workers: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    let output = FilterOutput(Self.tags)
    try PriceBookRows.write(prices, table, to: output)
    for (report, verdict) in zip(reports, prices.reportVerdicts) {
      try output.row(VerdictRow(evidenceID: report.evidenceID, verdict: verdict))
    }
    var sums = FactSums()
    sums.add(reports.count, to: FactSums.Key(FactSums.reports))
    let apps = facts.apps
    for report in reports
    where report.productID.app == nil && apps.isShared(report.productID) {
      let product = table.text(report.productID.symbol)
      sums.add(1, to: FactSums.Key(FactSumRows.ambiguous, productID: product))
    }
    try FactSumRows.write(sums, to: output)
    var lines = try FactLines(
      FactContext(
        runID: 1, set: set, catalogue: catalogue, products: facts,
        customerKey: settings.customerKey))
    lines.add(
      prices.history.intervals, reported: reports.lazy.map { $0.productID })
    try lines.write(to: output)
    for file in try context.issues(files)?.files ?? [] {
      guard let row = AppleReportRows.report(file) else { continue }
      try output.row("fact", .word("audit_apple_report"), .written(row))
    }
    try write(files, to: output)
    try lines.end(output)
  }

  private func symbols(_ placed: PlacedRows, _ files: FilterFiles) throws(RunFailure)
    -> Observations
  {
    var texts = SymbolTable()
    for text in settings.texts { _ = texts.intern(text) }
    _ = try products.facts(in: &texts)
    try placed.intern(into: &texts)
    var set = Observations()
    set.symbols = texts.sorted().table
    set.files = files.files
    return set
  }

  /// Writes the row `run`, with the as-of time, versions and digests of the job.
  private func write(_ files: FilterFiles, to output: FilterOutput) throws(RunFailure) {
    let completeAfterDays = context.definition.gates.completeAfterDays
    try output.row(
      "run", .word((settings.asOf ?? files.newestSnapshot ?? .epoch).text),
      .name(
        CoveringDays.completeThrough(
          files.accounts, after: completeAfterDays, asOf: settings.asOf)?.text),
      .word(ProgramVersion.program), .word(ProgramVersion.rules), .word(settings.digest),
      .word(settings.catalogueDigest), .name(settings.ratesDigest),
      .name(settings.reporting?.currency.currency.code))
  }
}

extension FactLines {
  /// Writes the facts that have been added, and removes them from memory.
  mutating func write(to output: FilterOutput) throws(RunFailure) {
    try drain { table, row throws(RunFailure) in
      try output.row("fact", .word(table), .written(row))
    }
  }

  /// Writes the digest of all facts that were added, and ends the output.
  borrowing func end(_ output: FilterOutput) throws(RunFailure) {
    try output.row("digest", .word(digest))
    try output.finish()
  }
}
