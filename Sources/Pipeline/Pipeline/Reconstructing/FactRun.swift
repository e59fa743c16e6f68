internal import StateStore
internal import CProcess
internal import CivilTime
internal import Diagnostics
internal import ExchangeRates
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles
internal import Warehouse

/// A run of the steps for the keys whose input changed, before the amounts are decided.
///
/// News is followed from key to key: new files lead to their chains and reports, these to
/// households and prices, changed prices to more households. Households that change only because
/// time has passed are added. In a first run all keys are news.
struct FactRun {
  let reader: ChainReader
  let warehouse: WarehouseDatabase
  let memory: SortMemory
  /// The reason why all keys are news; `nil` if only some are.
  let reason: AllKeysReason?
  /// The prices and other small rows of the last publication.
  let published: PublishedSums
  let publishedCellRows: [(chain: ChainKey, row: CellRow)]
  /// The interned texts (symbols) and the input files.
  let observations: Observations
  let catalogue: Catalogue
  let merged: MergedChains
  private(set) var chains: JoinedChains
  /// What the last publication knows of the chains that were not read, which are the last
  /// partition.
  let unread: [ChainLink.Standing]
  var reports: JoinedReports
  /// Facts about each product from all rows, such as the usual length of its subscription period.
  let products: ProductFacts
  /// The facts about products at the last publication.
  let publishedProducts: ProductFacts
  /// For each chain, whether Apple signed one of its prices.
  let isSigned: [Bool]
  /// The storefronts of customers, from records without a transaction row.
  let storefronts: [StorefrontObservation]
  /// The signed prices that vote.
  private(set) var votes: [PlacedBatch.Vote]
  let newestSnapshot: Instant?
  /// The time until which the exports are complete; `nil` if no day is complete.
  let completeUntil: Instant?
  /// The households to decide.
  var wanted: HouseholdSet
  /// The reports without a household to decide.
  var unassigned: Set<ReportPosition> = []
  /// The households whose reports are routed.
  private var routed: HouseholdSet
  private var routedUnassigned: Set<ReportPosition> = []
  /// The reports placed in this run (``PlacedBatch/Report``), sorted by evidence id.
  let placed: ExternalSort
  /// The chains whose households were placed in this run.
  private(set) var placedChains: [ChainKey] = []

  /// Reads and joins the chains and reports with news.
  ///
  /// - Parameter published: The rows of the last publication. The caller must not keep a copy,
  ///   because they grow with the history.
  static func read(
    _ reader: ChainReader, _ published: consuming PublishedRows, _ warehouse: WarehouseDatabase,
    memory: SortMemory
  ) throws(RunFailure) -> FactRun {
    var rows = consume published
    let news = rows.news
    var merged = try MergedChains(reader, news, memory: memory)
    let read = rows.chains.keys.isEmpty ? [] : Set(merged.partitions.flatMap(\.keys))
    let unread = rows.chains.unread(read)
    var products = rows.chains.unchangedProducts
    products.add(merged.productFacts)
    var chains = JoinedChains(merged.partitions + [unread.summary], known: rows.chains.accounts)
    merged.forgetAccountLinks()
    let known = rows.reports
    rows.reports = PublishedRows.Reports()
    let reports = try JoinedReports(
      consume known, merged, news, &chains, winners: rows.sums.winners, reader, memory: memory)
    let none = HouseholdSet(among: chains.households)
    let newestSnapshot =
      [rows.sums.newestSnapshot, merged.newestSnapshot].compactMap(\.self).max()
    defer { paidline_return_memory() }
    return FactRun(
      reader: reader, warehouse: warehouse, memory: memory, reason: news.reason,
      published: rows.sums, publishedCellRows: rows.cellRows, observations: merged.set,
      catalogue: products.apps.settled(
        reader.settings.catalogue.catalogue(in: merged.set.symbols)),
      merged: merged, chains: chains, unread: unread.standings, reports: reports,
      products: products, publishedProducts: rows.chains.products,
      isSigned: merged.partitions.flatMap(\.isSigned) + unread.summary.isSigned,
      storefronts: rows.sums.storefronts + merged.storefrontsWithoutRows, votes: rows.votes,
      newestSnapshot: newestSnapshot,
      completeUntil: reader.settings.completeUntil(
        try reader.state.files(), newestSnapshot: newestSnapshot),
      wanted: none, routed: none, placed: ExternalSort(memory: memory))
  }

  /// The time for which statuses are computed.
  var asOf: Instant { reader.settings.asOf(newestSnapshot: newestSnapshot) }

  /// Prepares batches of whole households: those in `wanted`, and the routed reports without a
  /// household.
  ///
  /// - Parameter includesSandbox: Whether the sandbox chain with a number is included.
  func batches(_ wanted: HouseholdSet, includesSandbox: (Int) -> Bool = { _ in false })
    -> HouseholdBatches
  {
    let members = chains.keys.enumerated().compactMap {
      number, key -> HouseholdBatches.Member? in
      guard let household = chains.household(of: ChainPosition(number)) else {
        return includesSandbox(number) ? (key, nil) : nil
      }
      return wanted.contains(household) ? (key, household) : nil
    }
    return HouseholdBatches(
      members, reports: reports.routed, offers: reports.offers,
      storefronts: storefronts, isWanted: wanted.contains, households: chains.households,
      passedOn: Set(chains.passedOn),
      winners: reports.winners, apps: products.apps, reader: reader)
  }

  /// The number of chains that were read; their numbers are the lowest.
  var readCount: Int { chains.count - unread.count }

  /// The numbers of the chains that claim a transaction id.
  func chains(claiming id: TransactionID) throws(RunFailure) -> [ChainPosition] {
    var found: [ChainPosition] = []
    let claims = try merged.claims.reader()
    while try claims.next() {
      guard unsafe SortedKey(claims.key).transactionID == id else { continue }
      found.append(chains.number(of: claims.value(SettledIDs.Claim.self).purchase.place))
    }
    guard reason == nil else { return found }
    let known = try reader.state.chains(claiming: [id], reader.texts)[id] ?? []
    return found + known.compactMap { chains.number(of: $0) }
  }

  /// Makes the reports ready that the wanted households need.
  mutating func routeReports() throws(RunFailure) {
    try reports.route(
      to: wanted.subtracting(routed), unassigned.subtracting(routedUnassigned), chains, reader)
    routed.formUnion(wanted)
    routedUnassigned.formUnion(unassigned)
  }

  /// Places the reports of the wanted households, and collects the signed prices that vote.
  ///
  /// A household without a report and without a signed price has nothing to place.
  mutating func place() throws(RunFailure) {
    try routeReports()
    var evident = HouseholdSet(among: chains.households)
    for place in 0..<reports.count {
      for household in [reports.households[place], reports.namedHouseholds[place]] {
        if let household, wanted.contains(household) { evident.insert(household) }
      }
    }
    for (number, key) in chains.keys.enumerated() {
      guard let household = chains.household(of: ChainPosition(number)),
        wanted.contains(household)
      else { continue }
      if isSigned[number] { evident.insert(household) }
      if reason == nil { placedChains.append(key) }
    }
    votes = votes.compactMap { vote in
      guard let household = chains.household(of: vote.chain), !wanted.contains(household)
      else { return nil }
      var vote = vote
      // A household has another number in each run.
      vote.placed.voter = Voter(Int64(household.rawValue))
      return vote
    }
    let writer = placed.writer()
    let households = batches(evident)
    let periods = products.periods(catalogue: catalogue)
    try households.forEach { [catalogue, products, observations] batch in
      PlacedBatch(
        batch, catalogue: catalogue, products: products, periods: periods,
        symbols: observations.symbols)
    } then: { found throws(RunFailure) in
      votes += found.votes
      for report in found.reports {
        reports.place(report.placed, at: report.position)
        try writer.add(SortedKey(Int32(report.position.index), 0), value: report)
      }
    }
    try writer.finish()
  }
}
