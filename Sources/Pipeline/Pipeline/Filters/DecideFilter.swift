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

/// The steps learn and decide as filters, which learn the same prices from the same placed reports.
package struct DecideFilter {
  /// The tags of the output's rows.
  static let tags = ["digest", "entry", "fact", "run", TallyRows.tag]

  package let settings: ReconstructSettings
  package let files: FilterFiles
  package let products: ProductRows
  package let placed: PlacedRows
  /// Apple's reports; `nil` if the pipeline names none.
  package let issues: AppleIssues?
  /// Their cells, with all rows counted; `nil` before that.
  package var cells: CellRows?

  package init(
    settings: ReconstructSettings, files: FilterFiles, products: ProductRows, placed: PlacedRows,
    issues: AppleIssues?
  ) {
    self.settings = settings
    self.files = files
    self.products = products
    self.placed = placed
    self.issues = issues
  }

  /// Writes the rows that belong to no household: the products, the prices that were in force, and
  /// the values that are the same for all rows of the job.
  ///
  /// - Parameter completeAfterDays: The number of further export days after which a day is
  ///   complete.
  /// - Throws: ``RunFailure`` if the facts cannot be written.
  package func learn(completeAfterDays: Int) throws(RunFailure) {
    var texts = SymbolTable()
    for text in settings.texts { _ = texts.intern(text) }
    intern(into: &texts)
    var set = SightingSet()
    set.symbols = texts.sorted().table
    set.files = files.files
    let known = Known(self, &set)
    var lines = try FactLines(known.context(set, settings))
    lines.add(known.lesson.prices.history.intervals, reported: known.lesson.reported)
    let output = FilterOutput(Self.tags)
    try Self.write(&lines, to: output)
    for file in issues?.files ?? [] {
      guard let row = BookLines.report(file) else { continue }
      try output.row("fact", .word("audit_apple_report"), .written(row))
    }
    try output.row(
      "run", .word((settings.asOf ?? files.newestSnapshot ?? .epoch).text),
      .word(
        AuditFile.completeThrough(files.accounts, after: completeAfterDays)?.text ?? "\\N"),
      .word(ProgramVersion.program), .word(ProgramVersion.rules), .word(settings.digest),
      .word(settings.catalogueDigest), .word(settings.ratesDigest ?? "\\N"),
      .word(settings.reporting?.currency.currency.code ?? "\\N"))
    try Self.end(lines, output)
  }

  /// Reads rows `house`, and writes the facts of all households.
  ///
  /// - Parameter joined: The rows of joining that belong to no household.
  /// - Throws: ``RunFailure`` for incomplete rows, and if an amount does not fit.
  package func decide(joined: JoinedSide) throws(RunFailure) {
    let households = try GatheredHouseholds(
      settings: settings, files: files, joined: joined, intern: intern)
    var set = households.set
    let known = Known(self, &set)
    let written = try known.context(set, settings)
    var lines = try FactLines(written)
    let books = issues?.books
    let context = self.context(known, set, books)
    let output = FilterOutput(Self.tags)
    var tally = TallyRows(nobodies: joined.nobodies.count)
    try households.forEachBatch { several throws(RunFailure) in
      let judged = try known.judged(several.batch)
      let decided: DecidedHouseholds
      do {
        decided = try Deciding.decide(
          several.batch, judgements: judged.map { context.prices.judgements[$0] },
          hidden: context.hidden.map { prices in judged.map { prices.judgements[$0] } } ?? [],
          in: context)
      } catch {
        throw RunFailure(.invariantBroken, "an amount does not fit: \(error)")
      }
      try lines.add(decided)
      tally.add(decided, reports: judged.count)
      try Self.write(&lines, to: output)
      guard let books else { return }
      for entry in try DecidedEntries.of(decided, written, near: books) {
        try output.row("entry", EntryFields.fields(entry))
      }
    }
    try tally.write(set.symbols, to: output)
    try Self.end(lines, output)
  }

  /// Reads rows `house`, and writes how many units of their rows fall into each cell of Apple's
  /// books, before any row is proven by them.
  ///
  /// - Parameter joined: The rows of joining that belong to no household.
  /// - Throws: ``RunFailure`` for incomplete rows, and if an amount does not fit.
  package func count(joined: JoinedSide) throws(RunFailure) {
    let households = try GatheredHouseholds(
      settings: settings, files: files, joined: joined, intern: intern)
    var set = households.set
    let known = Known(self, &set)
    let context = self.context(known, set, nil)
    let output = FilterOutput(["counted"])
    var counts: [AppleCells.Cell: Int64] = [:]
    try households.forEachBatch { several throws(RunFailure) in
      let judged = try known.judged(several.batch)
      do {
        counts.merge(
          try countCells(
            several.batch, judgements: judged.map { context.prices.judgements[$0] }, in: context),
          uniquingKeysWith: +)
      } catch {
        throw RunFailure(.invariantBroken, "an amount does not fit: \(error)")
      }
    }
    try CellRows.write(counts, set.symbols, to: output)
    try output.finish()
  }

  private func context(_ known: Known, _ set: SightingSet, _ books: AppleBooks?) -> DecidingContext
  {
    var context = DecidingContext(
      prices: known.lesson.prices, products: known.products, catalogue: known.catalogue,
      policy: settings.renewalPolicy, asOf: settings.asOf ?? files.newestSnapshot ?? .epoch,
      reporting: settings.reporting?.currency, symbols: set.symbols)
    context.hidden = known.lesson.hidden
    context.cells = books.flatMap { cells?.cells($0, set.symbols) }
    return context
  }

  /// Reads the rows of all tasks, in any order, and writes the digest of all facts as a row
  /// `content_digest`, and how many rows each table has as rows `rows`.
  package static func sum() throws(RunFailure) {
    let tags = Set(Self.tags + BookFilter.tags + ReconcileFilter.tags)
    var input = FilterInput.standard(tags, isSorted: false)
    var digests: [String] = []
    var counts: [String: Int] = [:]
    while var row = try input.next() {
      switch row.tag {
      case "digest": digests.append(try row.word())
      case "fact": counts[try row.word(), default: 0] += 1
      default: continue
      }
    }
    guard let sum = FactLines.sum(of: digests) else {
      throw RunFailure(
        .invariantBroken, "standard input: expected digests of 64 hexadecimal digits")
    }
    let output = FilterOutput(["content_digest", "rows"])
    try output.row("content_digest", .word(sum))
    for (table, count) in counts.sorted(by: { $0.key < $1.key }) {
      try output.row("rows", .word(table), .number(Int64(count)))
    }
    try output.finish()
  }

  /// The input that is the same for all households.
  private struct Known {
    let products: ProductFacts
    let catalogue: Catalogue
    let lesson: PlacedRows.Lesson
    private let positions: [Int64: Int]

    init(_ filter: DecideFilter, _ set: inout SightingSet) {
      catalogue = filter.settings.catalogue.catalogue(in: set.symbols)
      products = filter.products.facts(in: &set.symbols)
      lesson = filter.placed.lesson(in: &set.symbols, catalogue: catalogue)
      var positions: [Int64: Int] = [:]
      for (position, id) in lesson.evidence.enumerated() { positions[id] = position }
      self.positions = positions
    }

    /// The positions of the judgements on a batch's reports.
    func judged(_ batch: HouseholdBatch) throws(RunFailure) -> [Int] {
      var judged: [Int] = []
      for report in batch.reports {
        guard let position = positions[report.report.evidenceID] else {
          throw RunFailure(
            .invariantBroken,
            "the placed reports hold no evidence \(report.report.evidenceID), which a household "
              + "has: expected --placed of the same job")
        }
        judged.append(position)
      }
      return judged
    }

    func context(_ set: SightingSet, _ settings: ReconstructSettings) throws(RunFailure)
      -> FactContext
    {
      try FactContext(
        runID: 1, set: set, catalogue: catalogue, products: products,
        customerKey: settings.customerKey)
    }
  }

  private func intern(into texts: inout SymbolTable) {
    products.intern(into: &texts)
    placed.intern(into: &texts)
  }

  private static func write(_ lines: inout FactLines, to output: FilterOutput) throws(RunFailure) {
    try lines.drain { table, row throws(RunFailure) in
      try output.row("fact", .word(table), .written(row))
    }
  }

  private static func end(_ lines: borrowing FactLines, _ output: FilterOutput)
    throws(RunFailure)
  {
    try output.row("digest", .word(lines.digest))
    try output.finish()
  }
}
