internal import StateStore
internal import Amounts
internal import CivilTime
internal import Deciding
internal import Diagnostics
internal import ExchangeRates
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles
internal import Warehouse

/// An incremental run: the four steps, only for keys with changed input.
///
/// Changes are followed from key to key. New files lead to their chains and reports; chains and
/// reports lead to households and prices; changed prices lead to more households. Households that
/// change only because time has passed are added. If a change may affect all households,
/// ``Reconstruction`` runs all steps in full.
struct IncrementalRun {
  /// The divisor of the number of chains: an incremental run decides at most a third of all chains.
  private static let largestShare = 3

  let reader: ChainReader
  let warehouse: WarehouseDatabase
  let run: Int64
  let memory: SortMemory
  /// The percentage of unchanged households to decide again as a check, times 100: 1 % is 100.
  let auditShare: Int
  /// The rows that the last publication kept for this run.
  ///
  /// The lists of chains and reports in these rows are empty, because ``chains`` and ``reports``
  /// have their content.
  let index: PublishedIndex
  let catalogue: Catalogue
  var chains: IncrementalChains
  private(set) var reports: IncrementalReports
  private(set) var loaded: LoadedChains
  private var bodies: [Int64: PriceReport]
  private(set) var set: Observations
  private(set) var storefronts: [StorefrontObservation]
  private(set) var products: ProductFacts
  private(set) var votes: [PlacedBatch.Vote]
  /// Whether any price in the input is signed.
  let isSigned: Bool
  let asOf: Instant
  /// Apple's reports; `nil` if there are none.
  private(set) var cells: IncrementalCells?

  /// Runs the steps for the changes since the last publication.
  ///
  /// - Parameters:
  ///   - index: The rows that the last publication wrote. The caller must not keep a copy, because
  ///     these rows grow with the history.
  static func decide(
    _ reader: ChainReader, index: consuming PublishedIndex, warehouse: WarehouseDatabase,
    run: Int64, memory: SortMemory, auditShare: Int
  ) throws(RunFailure) -> Result<Reconstruction, FullRunReason> {
    let planned = try plan(
      reader, index: consume index, warehouse: warehouse, run: run, memory: memory,
      auditShare: auditShare)
    switch consume planned {
    case .success(var incremental): return try incremental.decide()
    case .failure(let reason): return .failure(reason)
    }
  }

  /// Reads the chains and reports with changed input, and prepares the run for them; returns a
  /// reason if a full run is needed instead.
  private static func plan(
    _ reader: ChainReader, index found: consuming PublishedIndex,
    warehouse: WarehouseDatabase,
    run: Int64, memory: SortMemory, auditShare: Int
  ) throws(RunFailure) -> Result<IncrementalRun, FullRunReason> {
    var index = consume found
    let readings = try reader.state.usedReadings()
    let sums = index.sums
    guard Set(readings).isSuperset(of: sums.files) else { return .failure(.otherFiles) }
    let newFiles = Set(readings.map(\.file)).subtracting(sums.files.map(\.file))
    let keys = try reader.state.keys(ofFiles: newFiles.sorted())
    guard keys.chains.count * Self.largestShare <= index.chains.count else {
      return .failure(.manyChanges)
    }
    let read = reader.settings.catalogue.catalogue(in: reader.texts.set.symbols)
    let catalogue = sums.products.apps.settled(read)
    var selection = StateSelection(chains: keys.chains, reports: keys.reports)
    selection.whole = newFiles
    let changed = try reader.read(selection)
    let products = try products(
      sums.products, changed.chains, reader: reader, keys: keys, without: newFiles,
      catalogue: catalogue)
    guard let products else { return .failure(.products) }
    let known = try reader.state.chains(claiming: changed.transactionIDs, reader.texts)
    do throws(FullRunReason) {
      var chains = try IncrementalChains(&index, changed.chains, known: known)
      let reports = try IncrementalReports(
        &index, read: changed.set, loaded: changed.chains, chains: &chains)
      var set = changed.set
      set.reports = []
      return .success(
        IncrementalRun(
          reader: reader, warehouse: warehouse, run: run, memory: memory, auditShare: auditShare,
          index: index, catalogue: catalogue, chains: chains,
          reports: reports, loaded: changed.chains,
          bodies: Dictionary(changed.set.reports.map { ($0.evidenceID, $0) }) { first, _ in first },
          set: set, storefronts: sums.storefronts + changed.storefronts, products: products,
          votes: index.votes, isSigned: sums.isSigned || changed.chains.isSigned,
          asOf: max(sums.asOf, changed.newestSnapshot ?? sums.asOf)))
    } catch {
      return .failure(error)
    }
  }

  /// Updates the facts about products, such as the lengths of their subscription periods, with the
  /// changed chains.
  ///
  /// The result is `nil` if a fact changes that was known before, because then a full run is
  /// needed. A fact about a new product does not need a full run.
  private static func products(
    _ before: ProductFacts, _ changed: LoadedChains, reader: ChainReader, keys: FileKeys,
    without files: Set<Int64>, catalogue: Catalogue
  ) throws(RunFailure) -> ProductFacts? {
    var selection = StateSelection(chains: keys.chains, reports: [])
    selection.without = files
    let old = try reader.read(selection).chains.products
    var products = before
    guard products.remove(old, replacedBy: changed.products) else { return nil }
    products.add(changed.products)
    guard products.apps.agrees(with: before.apps) else { return nil }
    let (periods, kinds) = (
      products.periods(catalogue: catalogue), products.kinds(catalogue: catalogue)
    )
    let groups = products.subscriptionGroups(catalogue: catalogue)
    guard
      before.periods(catalogue: catalogue).allSatisfy({ periods[$0.key] == $0.value }),
      before.kinds(catalogue: catalogue).allSatisfy({ kinds[$0.key] == $0.value }),
      before.subscriptionGroups(catalogue: catalogue).allSatisfy({ groups[$0.key] == $0.value }),
      periods.keys.allSatisfy({
        before.periods(catalogue: catalogue)[$0] != nil
          || before.kinds(catalogue: catalogue)[$0] == nil
      }),
      groups.keys.allSatisfy({
        before.subscriptionGroups(catalogue: catalogue)[$0] != nil
          || before.kinds(catalogue: catalogue)[$0] == nil
      })
    else { return nil }
    return products
  }

  private mutating func decide() throws(RunFailure) -> Result<Reconstruction, FullRunReason> {
    var wanted = HouseholdSet(among: chains.households)
    var unassigned: Set<ReportPosition> = []
    seed(&wanted, &unassigned)
    try load(wanted, unassigned)
    reports.setPurchases(loaded, chains)
    // A report that turns out to belong to no purchase may have no household.
    unassigned.formUnion(reports.changedReports.filter { reports.households[$0.index] == nil })
    try place(wanted, unassigned)
    let priceBooks = try LearnedPrices(
      { reports.placed }, signed: votes.map(\.placed), isSigned: isSigned,
      offers: reports.offers, catalogue: catalogue,
      times: SaleTimes(firstSold: products.firstPurchases, asOf: asOf),
      workers: reader.workers)
    try Reconstruction.checkpoint()
    let (prices, unsigned) = (index.sums.prices, index.sums.unsignedPrices)
    for (old, new) in [(prices, priceBooks.prices), (unsigned ?? prices, priceBooks.unsigned)] {
      let changes = PriceBookChanges(from: old, to: PublishedPrices(new))
      if let reason = try follow(changes, &wanted) { return .failure(reason) }
    }
    follow(reports.updateVerdicts(priceBooks), &wanted, &unassigned)
    for (number, chain) in chains.chains.enumerated()
    where (chain.nextChangeAt ?? .distantFuture) <= asOf && !TestFault.time.isInjected {
      if let household = chains.household(ofChain: ChainPosition(number)) {
        wanted.insert(household)
      }
    }
    guard isSmall(wanted) else { return .failure(.manyChanges) }
    var context = DecidingContext(
      prices: priceBooks.prices, products: products, catalogue: catalogue,
      policy: reader.settings.renewalPolicy, asOf: asOf,
      reporting: reader.settings.reporting?.currency, symbols: set.symbols)
    context.backtestPrices = priceBooks.backtestPrices
    switch try followCells(context, &wanted, unassigned) {
    case .success(let found): cells = found
    case .failure(let reason): return .failure(reason)
    }
    context.cells = cells?.totals
    guard isSmall(wanted) else { return .failure(.manyChanges) }
    let audited = sample(without: wanted)
    wanted.formUnion(audited)
    try load(wanted, unassigned)
    return .success(
      try finish(
        priceBooks, in: context, wanted: wanted, unassigned: unassigned, audited: audited))
  }

  private func isSmall(_ wanted: HouseholdSet) -> Bool {
    size(of: wanted) * Self.largestShare <= chains.chains.count
  }

  /// Reads the chains and reports of the wanted households, and the given reports without a
  /// household, as far as they have not been read yet.
  mutating func load(_ wanted: HouseholdSet, _ unassigned: Set<ReportPosition>)
    throws(RunFailure)
  {
    var missing: [ChainKey] = []
    for (number, chain) in chains.chains.enumerated() {
      guard let household = chains.household(ofChain: ChainPosition(number)),
        wanted.contains(household), loaded.chains[chain.key] == nil
      else { continue }
      missing.append(chain.key)
    }
    let ids = reports.seen(by: wanted, unassigned: unassigned, chains).filter { bodies[$0] == nil }
    guard !missing.isEmpty || !ids.isEmpty else { return }
    let read = try reader.read(StateSelection(chains: missing, reports: ids))
    loaded.add(read.chains)
    for report in read.set.reports { bodies[report.evidenceID] = report }
  }

  /// Prepares batches of whole households: all chains and reports of the wanted households, and the
  /// given reports that belong to no household.
  func batches(_ wanted: HouseholdSet, _ unassigned: Set<ReportPosition>, withSandbox: Bool)
    throws(RunFailure) -> HouseholdBatches
  {
    let members = loaded.chains.keys.compactMap { key -> HouseholdBatches.Member? in
      guard let number = chains.positions[key] else { return nil }
      let household = chains.household(ofChain: number)
      return household.map(wanted.contains) ?? withSandbox ? (key, household) : nil
    }
    let found = reports.joined(bodies, chains: chains, wanted: wanted, unassigned: unassigned)
    let seen = ExternalSort(memory: memory)
    let writer = seen.writer()
    for report in found { try writer.add(report, isWanted: wanted.contains) }
    try writer.finish()
    return HouseholdBatches(
      members, reports: seen, count: found.count, offers: reports.offers,
      storefronts: storefronts, isWanted: wanted.contains, households: chains.households,
      winners: index.sums.winners, apps: products.apps, reader: reader)
  }

  /// Places the reports of the wanted households again, and collects the signed prices that vote.
  private mutating func place(_ wanted: HouseholdSet, _ unassigned: Set<ReportPosition>)
    throws(RunFailure)
  {
    var voted: [PlacedBatch.Vote] = []
    let households = try batches(wanted, unassigned, withSandbox: false)
    try households.forEach { [catalogue, products, set] batch in
      PlacedBatch(batch, catalogue: catalogue, products: products, symbols: set.symbols)
    } then: { found in
      voted += found.votes
      for report in found.reports { reports.place(report.placed, at: report.position) }
    }
    votes = votes.compactMap { vote in
      guard let household = chains.household(of: vote.chain), !wanted.contains(household)
      else { return nil }
      var vote = vote
      // A household has another number in each run.
      vote.placed.voter = Voter(Int64(household.rawValue))
      return vote
    }
    votes += voted
  }
}
