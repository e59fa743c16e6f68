internal import CProcess
package import Deciding
package import Diagnostics
internal import Joining
package import PriceLearning
package import PurchaseModel
package import Purchases
package import StateStore
package import TemporaryFiles
internal import Warehouse

/// A run with its learned prices: everything that deciding a household needs.
package struct PreparedRun {
  var run: FactRun
  /// The learned prices, and the verdicts on the reports.
  package let prices: PriceBook
  /// The input of deciding that all households have in common.
  package private(set) var context: DecidingContext
  /// Apple's reports; `nil` if there are none.
  let cells: CountedCells?
  /// The unchanged reports whose verdict changed.
  let otherVerdicts: [ReportPosition]
  /// The products in price reports.
  let reported: Set<ProductID>
  /// The unchanged households that are decided again as a check.
  private(set) var audited: HouseholdSet

  /// Runs the steps until all households to decide are known.
  ///
  /// Where the rows of the last publication do not suffice, all keys count as news.
  ///
  /// - Parameter hidesSigned: Whether signed prices and Apple's reports are hidden: a backtest.
  static func prepare(
    _ reader: ChainReader, _ published: consuming PublishedRows, _ warehouse: WarehouseDatabase,
    memory: SortMemory, hidesSigned: Bool = false
  ) throws(RunFailure) -> PreparedRun {
    switch try attempt(
      reader, consume published, warehouse, memory: memory, hidesSigned: hidesSigned)
    {
    case .success(let prepared): return prepared
    case .failure(let reason):
      let again = try attempt(
        reader, PublishedRows(because: reason), warehouse, memory: memory,
        hidesSigned: hidesSigned)
      guard case .success(let prepared) = again else {
        throw RunFailure(.invariantBroken, "a run of all keys asked for all keys again")
      }
      return prepared
    }
  }

  /// Runs the steps for all keys, whatever was published.
  package static func ofAllKeys(
    _ state: StateDatabase, settings: ReconstructSettings, warehousePath: String,
    memory: SortMemory, workers: Int, hidesSigned: Bool = false
  ) throws(RunFailure) -> PreparedRun {
    let texts = try state.texts(settings.texts)
    return try prepare(
      ChainReader(state: state, texts: texts, settings: settings, workers: workers),
      PublishedRows(because: .unknownPublication), WarehouseDatabase(path: warehousePath),
      memory: memory, hidesSigned: hidesSigned)
  }

  private static func attempt(
    _ reader: ChainReader, _ published: consuming PublishedRows, _ warehouse: WarehouseDatabase,
    memory: SortMemory, hidesSigned: Bool
  ) throws(RunFailure) -> Result<PreparedRun, AllKeysReason> {
    var run = try FactRun.read(reader, consume published, warehouse, memory: memory)
    if let reason = try run.seed() { return .failure(reason) }
    try run.place()
    var placed = run.reports.takePlaced()
    let reported = Set(placed.lazy.map(\.productID))
    // The result must not depend on the order of the batches.
    if !hidesSigned { placed += run.votes.map(\.placed).sorted { $0.evidenceID < $1.evidenceID } }
    let prices = learnPrices(
      from: placed, offers: run.reports.offers, catalogue: run.catalogue,
      times: SaleTimes(
        firstSold: run.products.firstPurchases,
        asOf: reader.settings.asOf ?? run.newestSnapshot),
      workers: reader.workers)
    placed = []
    paidline_return_memory()
    try Reconstruction.checkpoint()
    if let reason = try run.follow(prices) { return .failure(reason) }
    let others = run.reports.otherVerdicts(prices)
    run.follow(others)
    run.followTime()
    var context = DecidingContext(
      prices: prices, products: run.products, catalogue: run.catalogue,
      policy: reader.settings.renewalPolicy, asOf: run.asOf,
      reporting: reader.settings.reporting?.currency, symbols: run.observations.symbols)
    context.completeUntil = run.completeUntil
    let cells: CountedCells?
    switch hidesSigned ? .success(nil) : try run.countCells(context) {
    case .success(let found): cells = found
    case .failure(let reason): return .failure(reason)
    }
    context.cells = cells?.totals
    return .success(
      PreparedRun(
        run: run, prices: prices, context: context, cells: cells, otherVerdicts: others,
        reported: reported, audited: HouseholdSet(among: run.chains.households)))
  }

  /// Adds a slice of the unchanged households as a check.
  ///
  /// - Parameters:
  ///   - share: The part of the households, in hundredths of a percent.
  ///   - number: The number of the run, so that each run checks other households.
  mutating func audit(share: Int, run number: Int64) {
    audited = run.sample(share: share, run: number)
    run.wanted.formUnion(audited)
  }

  /// The interned texts (symbols) and the input files.
  package var observations: Observations { run.observations }
  /// The placeholder customer ids.
  package var placeholderIDs: [Households.PlaceholderCustomerID] {
    run.chains.households.placeholderIDs
  }

  /// The verdict on a price report, given by its evidence id; `nil` if the report is not in use.
  package func verdict(of evidenceID: Int64) -> Verdict? {
    run.reports.position(of: evidenceID).map { prices.reportVerdicts[$0.index].verdict }
  }

  /// The file and line of some price reports, by evidence id.
  func sources(of ids: some Sequence<Int64>) throws(RunFailure) -> [Int64: SourceLine] {
    let reports = try run.reader.state.load(
      run.reader.texts, only: StateSelection(chains: [], reports: Set(ids)), workers: 1
    ) { _, _ in
    }.set.reports
    return Dictionary(reports.map { ($0.evidenceID, $0.source) }) { first, _ in first }
  }

  /// The household of a purchase, given by any of its transaction ids; empty for an unknown id.
  package mutating func batches(of id: TransactionID) throws(RunFailure) -> HouseholdBatches {
    let chains = Set(try run.chains(claiming: id).map(\.index))
    var only = HouseholdSet(among: run.chains.households)
    for number in chains {
      if let household = run.chains.household(of: ChainPosition(number)) { only.insert(household) }
    }
    run.wanted.formUnion(only)
    try run.routeReports()
    return run.batches(only, includesSandbox: chains.contains)
  }

  /// All households to decide, and the changed sandbox chains.
  package mutating func batches() throws(RunFailure) -> HouseholdBatches {
    try run.routeReports()
    return run.batches(run.wanted) { $0 < run.readCount }
  }
}
