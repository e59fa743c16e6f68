internal import StateStore
internal import Amounts
internal import AppleReports
internal import CivilTime
internal import Deciding
internal import Diagnostics
internal import PaidAmounts
internal import PurchaseModel
internal import Reconciling

extension SalesReportTotals {
  /// Reads Apple's reports from state.db, and sums their charges per cell.
  ///
  /// - Parameters:
  ///   - symbols: The texts of the run. A product or offer without a symbol was never bought; the
  ///     cells leave out its charges.
  /// - Returns: The reports, and cells that contain the charges but not yet the rows of the facts;
  ///   `nil` if there is no report.
  static func read(
    _ state: StateDatabase, settings: ReconstructSettings, symbols: SymbolTable
  ) throws(RunFailure) -> (appleReports: ReconciledReports, cells: SalesReportTotals)? {
    let files = try state.reportFiles()
    guard !files.isEmpty else { return nil }
    var appleReports = ReconciledReports(
      files: files, numbers: try state.productNumbers(catalogue: settings.catalogue.appleIDs))
    let days = Dictionary(
      files.compactMap { file in file.day.map { (file.fileID, $0) } }, uniquingKeysWith: { $1 })
    try state.forEachReportLine { file, line in appleReports.add(line, reportDay: days[file]) }
    var cells = SalesReportTotals(appleReports, symbols)
    cells.doubt(appleReports.doubts, symbols)
    for entry in appleReports.lines {
      guard let charge = AppleCharge(entry.line, of: entry.productID) else { continue }
      cells.add(entry.line.units, charge, symbols)
    }
    return (appleReports, cells)
  }

  /// Creates cells for the days of Apple's reports; the cells have no charges yet.
  init(_ appleReports: ReconciledReports, _ symbols: SymbolTable) {
    self.init(
      subscriberDays: appleReports.subscriberDays, salesDays: appleReports.salesDays,
      shared: Set(
        appleReports.sharedProducts.compactMap { symbols.symbol($0).map { ProductID($0) } }))
  }

  /// Adds a charge; ignores a charge for a product or an offer that was never bought.
  mutating func add(_ units: Int64, _ charge: AppleCharge, _ symbols: SymbolTable) {
    let place = Cell(
      day: charge.day, productID: charge.productID, storefront: charge.storefront,
      currency: charge.currency, offer: charge.offer, symbols)
    guard let place else { return }
    guard !charge.isSettlement else { return add(settled: charge.price, in: place) }
    var proceeds: Proceeds?
    if let amount = charge.proceeds, let currency = charge.proceedsCurrency {
      proceeds = Proceeds(amount: amount, currency: currency)
    }
    add(units, at: charge.price, in: place, proceeds: proceeds)
  }

  /// Excludes the charges of doubtful reports, so that they prove no amount.
  mutating func doubt(_ doubts: ReportDoubts, _ symbols: SymbolTable) {
    for place in doubts.places {
      guard let product = symbols.symbol(place.productID) else { continue }
      doubt(place.day, ProductID(product), in: place.storefront)
    }
  }
}

extension SalesReportTotals.Cell {
  /// Creates a cell; `nil` for a product or an offer without a symbol, which was never bought.
  init?(
    day: CivilDay, productID: String, storefront: Storefront?, currency: Currency,
    offer: AppleOffer, _ symbols: SymbolTable
  ) {
    guard let product = symbols.symbol(productID) else { return nil }
    let found: SalesReportTotals.Offer
    switch offer {
    case .none: found = .none
    case .introductory: found = .introductory
    case .named(let name):
      guard let symbol = symbols.symbol(name) else { return nil }
      found = .named(OfferID(symbol))
    }
    self.init(
      day: day, productID: ProductID(product), storefront: storefront, currency: currency,
      offer: found)
  }
}

extension DecidingContext {
  /// Adds the revenue rows of households to the cells of Apple's reports.
  func count(
    _ batches: HouseholdBatches, in cells: inout SalesReportTotals, symbols: SymbolTable,
    _ keep: (ChainKey, [CellRow]) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    try batches.forEach { [self] batch throws(RunFailure) in
      let reportVerdicts = batch.reportVerdicts(in: prices)
      return try RunFailure.ofOverflow { () throws(AmountError) in
        try chainCells(batch.batch, reportVerdicts: reportVerdicts, in: self)
      }
    } then: { chains throws(RunFailure) in
      for chain in chains {
        for row in chain.rows { cells.count(row) }
        try keep(ChainKey(chain.chain, isSandbox: false, in: symbols), chain.rows)
      }
    }
  }
}
