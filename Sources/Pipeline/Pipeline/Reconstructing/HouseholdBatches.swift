package import Diagnostics
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
package import Purchases
internal import TemporaryFiles

/// All households of a run, ready to be read batch by batch: the output of joining.
package struct HouseholdBatches {
  /// The number of purchases after which a batch ends.
  private static let purchases = 8192

  /// A batch, with the places of its reports among all.
  package struct Batch: Sendable {
    var batch: HouseholdBatch
    /// By report of the batch.
    var members: [SeenReport.Membership]
    /// By household of the batch: who votes for it.
    var voters: [Voter]

    /// The verdicts on its reports.
    func reportVerdicts(in prices: PriceBook) -> [ReportVerdict] {
      members.map { prices.reportVerdicts[$0.position.index] }
    }
  }

  /// The number of reports that are used.
  let reportCount: Int
  /// The offers that they name.
  let offers: OfferLists
  /// The households, with the placeholder customer ids.
  package let households: Households
  /// The chains after joining; `nil` if not all were joined here.
  let joined: JoinedPartitions?
  /// Of ids that purchases of several chains claim: the purchase they go to.
  let winners: [TransactionID: PurchaseKey]
  private let reports: SeenReports
  private let chains: ExternalSort  // by household, then partition and unit
  private let storefronts: [StorefrontObservation]  // by household
  private let customers: Customers
  private let apps: ProductApps

  /// Puts the chains of every household side by side.
  init(
    _ found: consuming MergedChains, apps: ProductApps, memory: SortMemory
  ) throws(RunFailure) {
    var merged = consume found
    self.apps = apps
    var joined = JoinedChains(merged.partitions)
    merged.forgetAccountLinks()
    let named = try NamedReports(merged.reports, in: merged, memory: memory)
    winners = named.winners
    merged.forgetReports()
    reports = SeenReports(memory: memory)
    let seen = reports.writer()
    var joiner = ReportJoiner()
    try named.forEach { report, offers, claimed throws(RunFailure) in
      if joiner.count % Self.purchases == 0 { try Reconstruction.checkpoint() }
      guard let report = joiner.join(report, offers: offers, naming: claimed, &joined) else {
        return
      }
      let isNamed = report.report.named != nil
      try seen.add(report, namedChain: isNamed ? claimed.map { joined.number(of: $0.place) } : nil)
    }
    try seen.finish()
    (reportCount, offers) = (joiner.count, joiner.offers)
    households = joined.households
    customers = merged.set.customers
    storefronts = merged.loneStorefronts.compactMap { observation in
      guard let household = observation.customer.flatMap(joined.households.household) else {
        return nil
      }
      var observation = observation
      observation.household = household
      return observation
    }.sorted { $0.isBefore($1) }
    chains = ExternalSort(memory: memory)
    let writer = chains.writer()
    let reader = try merged.chains.reader()
    var number: Int32 = 0
    while try reader.next() {
      if Int(number) % Self.purchases == 0 { try Reconstruction.checkpoint() }
      let place = unsafe SortedKey(reader.key)
      let household = joined.household(
        of: ChainPlace(partition: Int(place.first), unit: ChainPosition(Int(place.second))))
      try unsafe writer.add(
        SortedKey(household?.rawValue ?? SeenReports.nobody, number), reader.value)
      number += 1
    }
    try writer.finish()
    self.joined = JoinedPartitions(
      chains: joined, partitions: merged.partitions, claims: merged.claims,
      storefronts: merged.loneStorefronts)
  }

  /// Puts the chains of some households side by side.
  ///
  /// - Parameters:
  ///   - chains: The merged chains, each with its household; `nil` in the sandbox.
  ///   - found: The reports.
  ///   - offers: The offers that they name.
  ///   - isWanted: Whether the rows of a household are decided.
  ///   - storefronts: The places of customers of the households, from records without a row.
  ///   - households: The households.
  ///   - winners: The purchases that get ids claimed by several chains.
  ///   - customers: The texts of the customers.
  ///   - apps: The apps that sell each product id.
  ///   - memory: The memory that sorting may hold before it spills into a temporary file.
  /// - Throws: ``RunFailure`` if a temporary file cannot be written.
  init(
    _ chains: [(bytes: [UInt8], household: HouseholdNumber?)],
    reports found: [ReportJoiner.Joined], offers: OfferLists, isWanted: (HouseholdNumber) -> Bool,
    storefronts: [StorefrontObservation], households: Households,
    winners: [TransactionID: PurchaseKey], customers: Customers, apps: ProductApps,
    memory: SortMemory
  ) throws(RunFailure) {
    self.apps = apps
    reports = SeenReports(memory: memory)
    let seen = reports.writer()
    for report in found { try seen.add(report, isWanted: isWanted) }
    try seen.finish()
    (reportCount, self.offers) = (found.count, offers)
    self.households = households
    self.winners = winners
    self.customers = customers
    self.storefronts = storefronts.sorted { $0.isBefore($1) }
    joined = nil
    let sort = ExternalSort(memory: memory)
    let writer = sort.writer()
    for (number, chain) in chains.enumerated() {
      let key = SortedKey(chain.household?.rawValue ?? SeenReports.nobody, Int32(number))
      let added = unsafe chain.bytes.withUnsafeBytes { bytes in
        Result { () throws(RunFailure) in try unsafe writer.add(key, bytes) }
      }
      try added.get()
    }
    try writer.finish()
    self.chains = sort
  }

  /// Passes all households to `body`, some at a time.
  ///
  /// - Parameters:
  ///   - workers: The number of batches that are processed at once.
  ///   - body: Receives them.
  /// - Throws: The errors of reading and of `body`.
  package func forEach(
    atOnce workers: Int, _ body: ([Batch]) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    var cursor = try Cursor(self)
    while true {
      var batches: [Batch] = []
      while batches.count < max(1, workers), let next = try cursor.next() { batches.append(next) }
      guard !batches.isEmpty else { return }
      try Reconstruction.checkpoint()
      try body(batches)
    }
  }

  /// Goes through the households once.
  private struct Cursor {
    private let all: HouseholdBatches
    private let chains: ExternalSort.Reader
    private let reports: ExternalSort.Reader
    private var hasChain: Bool
    private var hasReport: Bool
    private var storefront = 0

    init(_ all: HouseholdBatches) throws(RunFailure) {
      self.all = all
      chains = try all.chains.reader()
      reports = try all.reports.reader()
      hasChain = try chains.next()
      hasReport = try reports.next()
    }

    /// The least household that is left.
    private var household: Int32? {
      var least: Int32?
      func include(_ number: Int32) { least = least.map { min($0, number) } ?? number }
      if hasChain { include(unsafe SortedKey(chains.key).first) }
      if hasReport { include(unsafe SortedKey(reports.key).first) }
      if storefront < all.storefronts.count, let household = all.storefronts[storefront].household {
        include(household.rawValue)
      }
      return least
    }

    /// The next households, whole; `nil` after the last.
    mutating func next() throws(RunFailure) -> Batch? {
      guard household != nil else { return nil }
      var assembly = HouseholdAssembly(
        customers: CustomerOrder(all.customers), isPlaceholder: all.households.isPlaceholder,
        winner: { [winners = all.winners] in winners[$0] })
      var own: [(report: HouseholdReport, membership: SeenReport.Membership)] = []
      var count: Int32 = 0
      var voters: [Voter] = []
      while let household, assembly.count + own.count < HouseholdBatches.purchases {
        let number = household == SeenReports.nobody ? nil : HouseholdNumber(count)
        if number != nil {
          count += 1
          voters.append(Voter(Int64(household)))
        }
        // Data outside of households is not one batch, however much it is.
        while hasChain, unsafe SortedKey(chains.key).first == household,
          number != nil || assembly.count < HouseholdBatches.purchases
        {
          unsafe assembly.append(chains.value, household: number)
          hasChain = try chains.next()
        }
        while hasReport, unsafe SortedKey(reports.key).first == household,
          number != nil || own.count < HouseholdBatches.purchases
        {
          let seen = reports.value(SeenReport.self)
          own.append((seen.report(inHousehold: number), seen.membership))
          hasReport = try reports.next()
        }
        while storefront < all.storefronts.count, let number,
          all.storefronts[storefront].household?.rawValue == household
        {
          assembly.append(all.storefronts[storefront], household: number)
          storefront += 1
        }
      }
      // By evidence id, like all reports.
      own.sort { $0.membership.position < $1.membership.position }
      return Batch(
        batch: HouseholdBatch(
          book: assembly.finish(), households: Int(count), reports: own.map(\.report),
          offers: all.offers, apps: all.apps),
        members: own.map(\.membership), voters: voters)
    }
  }
}

extension StorefrontObservation {
  /// Sorted by household, then time and storefront.
  fileprivate func isBefore(_ other: StorefrontObservation) -> Bool {
    (household?.rawValue ?? -1, observedAt, storefront.rawValue)
      < (other.household?.rawValue ?? -1, other.observedAt, other.storefront.rawValue)
  }
}
