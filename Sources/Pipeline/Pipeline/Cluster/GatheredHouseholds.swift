internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// The whole households that a filter reads from rows `house`, sorted by household.
///
/// All rows of the task are read before the first batch, and kept in packed form. The reason: some
/// rules resolve ties by the sort order of texts such as customer ids, and each text gets its place
/// in this order only after all rows are read.
struct GatheredHouseholds {
  /// The number of rows after which a batch is complete; the rows of a household stay together.
  private static let batchRows = 4096

  /// All rows that have the same number: those of a household, or of a report without a household.
  private struct GatheredHousehold {
    var number: Int64
    var parts: [MergeFilter.Part] = []
    var reports: [(row: HouseholdReportRow, file: Int32)] = []
    var verdicts: [Int64: ReportVerdict] = [:]
    var storefronts: [StorefrontObservation] = []

    var rows: Int { parts.count + reports.count + storefronts.count }
  }

  /// Some whole households: their purchases and reports, and the verdicts on the reports.
  struct Batch {
    /// The households; a report's position is that in the batch, and a household's voter has the
    /// number of its rows `house`.
    var households: HouseholdBatches.Batch
    /// The verdict on each report, keyed by evidence id; empty before the step learn.
    var verdicts: [Int64: ReportVerdict]

    /// Returns the verdicts on the reports, in the order of the batch's reports.
    func reportVerdicts() throws(RunFailure) -> [ReportVerdict] {
      var found: [ReportVerdict] = []
      for report in households.batch.reports {
        guard let verdict = verdicts[report.report.evidenceID] else {
          throw RunFailure(
            .invariantBroken,
            "standard input: a household has a row `report` with the evidence id "
              + "\(report.report.evidenceID), but no row `verdict` with this id; add the row "
              + "`verdict` that `learn` wrote for this id to the household")
        }
        found.append(verdict)
      }
      return found
    }
  }

  private let settings: ReconstructSettings
  let joined: JoinedSide
  /// The facts about products.
  let products: ProductFacts
  /// The prices known from App Store Connect.
  let catalogue: Catalogue
  private var houses: [GatheredHousehold] = []
  /// The interned texts of all rows (symbols), in sorted order, with the customers among them and
  /// the exports of the run.
  private(set) var set = Observations()

  /// Reads all rows of standard input.
  ///
  /// - Parameters:
  ///   - intern: Adds texts from other sources, such as learned prices, to the table.
  init(_ context: FilterContext, intern: (inout SymbolTable) -> Void = { _ in })
    throws(RunFailure)
  {
    settings = context.settings
    joined = try context.joined()
    let (files, products) = (try context.files(), try context.products())
    var texts = SymbolTable()
    for text in settings.texts { _ = texts.intern(text) }
    _ = try products.facts(in: &texts)
    intern(&texts)
    var input = FilterInput.standard(["house"])
    while var row = try input.next() {
      guard let number = Int64(try row.word(), radix: 16) else {
        throw row.failure("a household's number of eight hexadecimal digits")
      }
      if houses.last?.number != number { houses.append(GatheredHousehold(number: number)) }
      try Self.read(&row, files: files, into: &houses[houses.count - 1], &texts)
    }
    var symbols = texts.sorted().table
    self.products = try products.facts(in: &symbols)
    catalogue = self.products.apps.settled(settings.catalogue.catalogue(in: symbols))
    set.symbols = symbols
    set.customers = Customers(set.symbols)
    set.files = files.files
  }

  /// Passes all households to `body`, in batches.
  func forEachBatch(_ body: (Batch) throws(RunFailure) -> Void) throws(RunFailure) {
    let placeholderIDs = joined.placeholderIDs(in: set.symbols)
    let winners = joined.winners(in: set.symbols)
    let apps = products.apps
    var start = 0
    while start < houses.count {
      var (end, rows) = (start, 0)
      while end < houses.count, rows < Self.batchRows {
        rows += houses[end].rows
        end += 1
      }
      try StopSignal.check()
      try body(
        try batch(houses[start..<end], placeholderIDs: placeholderIDs, winners: winners, apps: apps)
      )
      start = end
    }
  }

  /// Reads a row of a household: after the household's number, it has the form of another row.
  private static func read(
    _ row: inout FilterRow, files: FilterFiles, into house: inout GatheredHousehold,
    _ texts: inout SymbolTable
  ) throws(RunFailure) {
    switch try row.word() {
    case PartRow.tag:
      let part = try MergeFilter.Part(&row, files)
      try GatheredReader.intern(part.payload, into: &texts)
      house.parts.append(part)
    case VerdictRow.tag:
      let read = try row.read(VerdictRow.self)
      house.verdicts[read.evidenceID] = read.verdict
    case HouseholdReportRow.tag:
      let report = try row.read(HouseholdReportRow.self)
      if let app = report.app { _ = texts.intern(app.span) }
      try GatheredReader.intern(report.payload, into: &texts)
      house.reports.append((report, try files.position(of: report.file, in: row)))
    case StorefrontRow.tag:
      let read = try row.read(StorefrontRow.self)
      house.storefronts.append(
        StorefrontObservation(
          observedAt: read.observedAt, storefront: read.storefront, customer: nil,
          originalTransactionID: nil))
    default: throw row.failure("\"verdict\", \"storefront\", \"part\" or \"report\"")
    }
  }

  private func batch(
    _ houses: ArraySlice<GatheredHousehold>, placeholderIDs: Set<CustomerID>,
    winners: [TransactionID: PurchaseKey], apps: ProductApps
  ) throws(RunFailure) -> Batch {
    var said = set
    var reader = GatheredReader(asOf: settings.asOf)
    var houseOfChain: [Int64: HouseholdNumber] = [:]
    var storefronts: [StorefrontObservation] = []
    for (position, house) in houses.enumerated() {
      let number = HouseholdNumber(Int32(position))
      for part in house.parts {
        houseOfChain[part.chain] = number
        try reader.addPart(part.payload, file: part.file, to: &said)
      }
      for var observation in house.storefronts.sorted(by: Self.isBefore) {
        observation.household = number
        storefronts.append(observation)
      }
    }
    let globalDecisions = GlobalDecisions(
      customers: CustomerOrder(set.customers), isPlaceholder: { placeholderIDs.contains($0) },
      passedOn: joined.passedOn, winners: winners)
    let book = MergedPartition(said, bundleIDs: settings.bundles(in: set.symbols))
      .assembledHistory(globalDecisions, storefrontsWithoutRows: storefronts) {
        houseOfChain[$0.key.rawValue]
      }
    return try withReports(
      of: houses, reader: &reader, placeholderIDs: placeholderIDs, book: book, apps: apps)
  }

  private static func isBefore(_ left: StorefrontObservation, _ right: StorefrontObservation)
    -> Bool
  {
    (left.observedAt, left.storefront) < (right.observedAt, right.storefront)
  }

  /// Creates a batch from the purchases and reports of some households.
  ///
  /// The reports are sorted by evidence id.
  private func withReports(
    of houses: ArraySlice<GatheredHousehold>, reader: inout GatheredReader,
    placeholderIDs: Set<CustomerID>, book: PurchaseHistory, apps: ProductApps
  ) throws(RunFailure) -> Batch {
    var said = set
    var offers = OfferLists()
    var found: [(report: HouseholdReport, role: ReportRole)] = []
    for (position, house) in houses.enumerated() {
      for (read, file) in house.reports {
        try reader.addReport(read.payload, evidenceID: read.evidenceID, file: file, to: &said)
        guard var report = said.reports.last else { continue }
        let list = offers.index(of: Array(said.offers[report.offers]))
        report.offers = offers.range(of: list)
        let voter =
          read.role == .unassigned
          ? Self.voterWithoutHousehold(read.evidenceID) : Voter(house.number)
        found.append(
          (
            HouseholdReport(
              report: report, offers: list,
              customer: report.customer.flatMap { placeholderIDs.contains($0) ? nil : $0 },
              household: read.role == .own ? HouseholdNumber(Int32(position)) : nil,
              named: read.named(in: set.symbols),
              unknownTransaction: read.unknownTransaction.flatMap(UnknownTransaction.init),
              voter: voter),
            read.role
          ))
      }
    }
    found.sort { $0.report.report.evidenceID < $1.report.report.evidenceID }
    let members = found.enumerated().map { place, entry in
      RoutedReport.Membership(position: ReportPosition(place), isOwn: entry.role != .names)
    }
    return Batch(
      households: HouseholdBatches.Batch(
        batch: HouseholdBatch(
          book: book, households: houses.count, reports: found.map(\.report), offers: offers,
          apps: apps),
        members: members, voters: houses.map { Voter($0.number) }, chains: [],
        transactionIDs: []),
      verdicts: houses.reduce(into: [:]) { $0.merge($1.verdicts) { first, _ in first } })
  }

  /// Returns the voter for a report without a household; each of these reports has a separate
  /// voter.
  static func voterWithoutHousehold(_ evidenceID: Int64) -> Voter {
    Voter(Int64.min | evidenceID & Int64.max)
  }
}

extension HouseholdReportRow {
  /// The purchase whose transaction id is in the report.
  fileprivate func named(in symbols: SymbolTable) -> NamedPurchase? {
    guard let purchase, let purchasedAt else { return nil }
    let app = app.flatMap { symbols.symbol(String(decoding: $0, as: UTF8.self)) }
    return NamedPurchase(
      key: PurchaseKey(rawValue: purchase), purchasedAt: purchasedAt, isExcluded: isExcluded,
      app: app.map(BundleID.init))
  }
}
