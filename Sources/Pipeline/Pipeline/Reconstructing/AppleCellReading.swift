internal import StateStore
internal import Amounts
internal import AppleReports
internal import CivilTime
internal import Deciding
internal import Diagnostics
internal import PaidAmounts
internal import Parallel
internal import PriceLearning
internal import PurchaseModel
internal import Reconciling
internal import Synchronization

extension AppleCells {
  /// The charges of Apple's reports in state.db, by cell; `nil` if no report was read.
  ///
  /// - Parameters:
  ///   - state: The working database.
  ///   - settings: The settings, with the catalogue's Apple IDs.
  ///   - symbols: The texts of the run; products and offers that are not among them were never
  ///     bought.
  /// - Returns: The cells, before any row is counted.
  /// - Throws: ``RunFailure`` when reading fails.
  static func read(
    _ state: StateDatabase, settings: ReconstructSettings, symbols: SymbolTable
  ) throws(RunFailure) -> AppleCells? {
    let files = try state.reportFiles()
    guard !files.isEmpty else { return nil }
    func days(_ report: AppleReport) -> Set<CivilDay> {
      Set(files.filter { $0.report == report }.compactMap(\.day))
    }
    var books = AppleBooks(
      subscriberDays: days(.subscriber), salesDays: days(.sales),
      numbers: try state.productNumbers(catalogue: settings.catalogue.appleIDs))
    try state.forEachReportLine { _, line in books.add(line) }
    // The Sales report does not tell one offer of a subscription from another.
    var cells = AppleCells(
      subscriptionDays: books.subscriberDays, otherDays: books.salesDays)
    for entry in books.lines {
      let line = entry.line
      guard !line.isRefund, let price = line.unitPrice, price > .zero,
        line.report == .subscriber || line.isRenewal == nil, let currency = line.currency,
        let product = symbols.symbol(entry.productID)
      else { continue }
      let offer: Offer
      switch line.offer {
      case .none: offer = .none
      case .introductory: offer = .introductory
      case .named(let name):
        guard let symbol = symbols.symbol(name) else { continue }
        offer = .named(OfferID(symbol))
      }
      let cell = Cell(
        day: line.day, productID: ProductID(product), storefront: line.storefront,
        currency: currency, offer: offer)
      cells.add(line.units, at: price, in: cell)
    }
    return cells
  }
}

extension DecidingContext {
  /// Takes Apple's cells in, once the rows of all households are counted in them.
  ///
  /// - Parameters:
  ///   - cells: Apple's charges; `nil` if no report was read.
  ///   - batches: All households.
  ///   - workers: The number of threads; the result does not depend on it.
  /// - Throws: ``RunFailure`` if the households cannot be read.
  mutating func count(_ cells: AppleCells?, in batches: HouseholdBatches, workers: Int)
    throws(RunFailure)
  {
    guard var cells else { return }
    let context = self
    let sum = Mutex<[AppleCells.Cell: Int64]>([:])
    try batches.forEach(atOnce: 4 * workers) { several throws(RunFailure) in
      _ = try inParallel(several.count, workers: workers) { number throws(RunFailure) in
        let batch = several[number]
        let judgements = batch.reports.map { context.prices.judgements[Int($0)] }
        let counts: [AppleCells.Cell: Int64]
        do {
          counts = try countCells(batch.batch, judgements: judgements, in: context)
        } catch {
          throw RunFailure(.invariantBroken, "an amount does not fit: \(error)")
        }
        sum.withLock { $0.merge(counts, uniquingKeysWith: +) }
      }
    }
    cells.count(sum.withLock { $0 })
    self.cells = cells
  }
}
