internal import CivilTime
internal import Joining
internal import PaidAmounts
internal import Parallel
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import StateStore
internal import Warehouse

/// All price reports in use, updated with the changed reports.
struct IncrementalReports {
  /// A report that is no longer used, because its transaction id belongs to a sandbox purchase.
  struct Dropped {
    var evidenceID: Int64
    var customer: CustomerID?
  }

  /// The placed reports, sorted by evidence id.
  var placed: [PlacedReport]
  /// The customer, transaction id and verdicts of each placed report, in the order of ``placed``.
  var all: [KnownReport]
  var offers: OfferLists
  /// The household of each report.
  ///
  /// `nil` if the report has no known customer and belongs to no purchase.
  private(set) var households: [HouseholdNumber?] = []
  var dropped: [Dropped] = []
  /// The positions of the reports whose input has changed.
  ///
  /// A report is changed if a new file contains the report, or if its transaction id belongs to a
  /// changed chain.
  private(set) var changedReports: [ReportPosition] = []
  /// The positions of the reports whose stored rows must be written again.
  private(set) var changed: Set<ReportPosition> = []

  /// Moves the reports from an index to this value, and adds the changed reports.
  init(
    _ index: inout PublishedIndex, read: Observations, loaded: LoadedChains,
    chains: inout IncrementalChains
  ) throws(FullRunReason) {
    placed = index.placed
    all = index.reports
    index.forgetReports()
    offers = index.offers
    let contested = Set(index.sums.winners.keys)
    let (added, known) = try find(read, loaded, chains, contested)
    merge(added)
    changedReports = (added.map(\.placed.evidenceID) + known).sorted().map { id in
      ReportPosition(placed.firstPosition { $0.evidenceID >= id })
    }
    changed = Set(changedReports)
    name(&chains)
    setVoters()
  }

  /// Finds the household of each report, and the chain that claims a changed report's transaction
  /// id.
  ///
  /// This happens before the chains are read. Afterwards, ``setPurchases(_:_:)`` checks that the
  /// report and the purchase have the same product.
  private mutating func name(_ chains: inout IncrementalChains) {
    for number in changedReports {
      let id = all[number.index].transactionID
      all[number.index].namedChain = id.flatMap(chains.chain(claiming:))
    }
    households.reserveCapacity(all.count)
    for report in all {
      var household: HouseholdNumber?
      if let customer = report.customer, !chains.households.isPlaceholder(customer) {
        household = chains.household(ofReporter: customer)
      }
      if household == nil {
        household = report.namedChain.flatMap(chains.household(of:))
      }
      households.append(household)
    }
  }

  /// Sets the purchase of each changed report; the chain of the purchase must have been read.
  mutating func setPurchases(_ loaded: LoadedChains, _ chains: IncrementalChains) {
    for number in changedReports {
      let place = number.index
      guard let chain = all[place].namedChain, let id = all[place].transactionID,
        let claimed = loaded.chains[chain]?.purchase(named: id),
        claimed.productID == placed[place].productID.withoutApp
      else {
        removePurchase(place, chains)
        continue
      }
      all[place].named = claimed.named
    }
    setVoters()
  }

  private mutating func removePurchase(_ place: Int, _ chains: IncrementalChains) {
    all[place].named = nil
    all[place].namedChain = nil
    let customer = all[place].customer.flatMap { chains.households.isPlaceholder($0) ? nil : $0 }
    if customer == nil { households[place] = nil }
  }

  private mutating func setVoters() {
    for place in all.indices {
      let household = households[place].map { Int64($0.rawValue) }
      placed[place].voter = Voter(household ?? -1 - Int64(place))
    }
  }

  /// Replaces a report after it was placed again.
  ///
  /// Its row in state.db will be written again.
  mutating func place(_ report: PlacedReport, at position: ReportPosition) {
    placed[position.index] = report
    changed.insert(position)
  }

  /// Replaces the verdict of each report by the verdict based on the newly learned prices.
  mutating func updateVerdicts(_ priceBooks: LearnedPrices) -> [ReportPosition] {
    let reportVerdicts = priceBooks.prices.reportVerdicts
    let unsigned = priceBooks.unsigned.reportVerdicts
    var other: [ReportPosition] = []
    for place in all.indices {
      let before = all[place]
      all[place].storedVerdict = StoredVerdict(reportVerdicts[place])
      all[place].unsigned = StoredVerdict(unsigned[place])
      if all[place].storedVerdict != before.storedVerdict || all[place].unsigned != before.unsigned
      {
        other.append(ReportPosition(place))
      }
    }
    changed.formUnion(other)
    return other
  }

  /// The household of the purchase that has a report's transaction id; `nil` without a purchase.
  func namedHousehold(_ place: Int, _ chains: IncrementalChains) -> HouseholdNumber? {
    all[place].namedChain.flatMap(chains.household(of:))
  }

  /// Returns the reports that are needed to decide the wanted households, with their content.
  ///
  /// - Returns: The reports, sorted by evidence id, each with its household.
  func joined(
    _ read: [Int64: PriceReport], chains: IncrementalChains, wanted: HouseholdSet,
    unassigned: Set<ReportPosition>
  ) -> [ReportJoiner.Joined] {
    all.indices.compactMap { place in
      let named = namedHousehold(place, chains)
      guard isNeeded(place, named, wanted, unassigned), var report = read[placed[place].evidenceID]
      else { return nil }
      report.offers = offers.range(of: placed[place].offers)
      return ReportJoiner.Joined(
        report: HouseholdReport(
          report: report, offers: placed[place].offers,
          customer: report.customer.flatMap { chains.households.isPlaceholder($0) ? nil : $0 },
          household: households[place], named: all[place].named, voter: placed[place].voter),
        position: ReportPosition(place), namedHousehold: named)
    }
  }

  /// Returns the evidence ids of the reports that are needed to decide the wanted households.
  ///
  /// The reports at the positions `unassigned`, which have no household, are included.
  func seen(
    by wanted: HouseholdSet, unassigned: Set<ReportPosition>, _ chains: IncrementalChains
  ) -> [Int64] {
    all.indices.filter { isNeeded($0, namedHousehold($0, chains), wanted, unassigned) }
      .map { placed[$0].evidenceID }
  }

  private func isNeeded(
    _ place: Int, _ named: HouseholdNumber?, _ wanted: HouseholdSet,
    _ unassigned: Set<ReportPosition>
  ) -> Bool {
    if let household = households[place], wanted.contains(household) { return true }
    if let named, wanted.contains(named) { return true }
    return unassigned.contains(ReportPosition(place))
  }
}

extension PublishedIndex {
  /// Empties the reports of the index, after an incremental run has received them.
  ///
  /// Otherwise the run would copy the arrays when it changes them.
  fileprivate mutating func forgetReports() { (placed, reports) = ([], []) }
}
