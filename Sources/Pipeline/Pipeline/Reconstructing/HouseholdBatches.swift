package import Diagnostics
package import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
package import Purchases
internal import TemporaryFiles

/// All households of a run, ready to be read batch by batch: the output of joining.
package struct HouseholdBatches {
  /// The number for data outside of all households: chains of the sandbox, and reports that name
  /// neither a known customer nor a purchase.
  private static let nobody = Int32.max
  /// The number of purchases after which a batch ends.
  private static let purchases = 8192

  /// A batch, with the positions of its reports among all.
  package struct Batch: Sendable {
    var batch: HouseholdBatch
    var reports: [ReportPosition]
    /// By household of the batch: who votes for it.
    var voters: [Voter]
  }

  package let reports: JoinedReports
  /// The households, with the placeholder customer ids.
  package let households: Households
  /// The purchases that the ids in reports lead to, and the existing chains.
  let joined: JoinedChains?
  let settled: SettledClaims
  private let chains: ExternalSort  // by household, then share and unit
  private let storefronts: [StorefrontSighting]  // by household
  private let customers: Customers

  /// Puts the chains of every household side by side.
  init(_ merged: MergedChains, memory: SortMemory) throws(RunFailure) {
    var joined = JoinedChains(merged.shares)
    let settled = try merged.settle(Set(merged.set.reports.lazy.compactMap(\.transactionID)))
    reports = JoinedReports(merged.set, &joined) { settled.purchases[$0] }
    households = joined.households
    self.settled = settled
    customers = merged.set.customers
    storefronts = merged.loneStorefronts.compactMap { sighting in
      guard let household = sighting.customer.flatMap(joined.households.household) else {
        return nil
      }
      var sighting = sighting
      sighting.household = household
      return sighting
    }.sorted { $0.isBefore($1) }
    chains = ExternalSort(memory: memory)
    let writer = chains.writer()
    let reader = try merged.chains.reader()
    var number: Int32 = 0
    while try reader.next() {
      let place = unsafe SortedKey(reader.key)
      let household = joined.household(
        of: ChainPlace(share: Int(place.first), unit: ChainPosition(Int(place.second))))
      try unsafe SortedKey(household?.rawValue ?? Self.nobody, number).withBytes {
        key throws(RunFailure) in
        try unsafe writer.add(key: key, value: reader.value)
      }
      number += 1
    }
    try writer.finish()
    self.joined = joined
  }

  /// Puts the chains of some households side by side.
  ///
  /// - Parameters:
  ///   - chains: The merged chains, each with its household; `nil` in the sandbox.
  ///   - reports: The reports, by the households that see them.
  ///   - storefronts: The places of customers of the households, from records without a row.
  ///   - households: The households.
  ///   - winners: The purchases that get ids claimed by several chains.
  ///   - customers: The texts of the customers.
  ///   - memory: The memory that sorting may hold before it spills into a temporary file.
  /// - Throws: ``RunFailure`` if a temporary file cannot be written.
  init(
    _ chains: [(bytes: [UInt8], household: HouseholdNumber?)], reports: JoinedReports,
    storefronts: [StorefrontSighting], households: Households,
    winners: [TransactionID: PurchaseKey], customers: Customers, memory: SortMemory
  ) throws(RunFailure) {
    self.reports = reports
    self.households = households
    settled = SettledClaims(winners: winners)
    self.customers = customers
    self.storefronts = storefronts.sorted { $0.isBefore($1) }
    joined = nil
    let sort = ExternalSort(memory: memory)
    let writer = sort.writer()
    for (number, chain) in chains.enumerated() {
      let key = SortedKey(chain.household?.rawValue ?? Self.nobody, Int32(number))
      try unsafe key.withBytes { key throws(RunFailure) in
        let added = unsafe chain.bytes.withUnsafeBytes { bytes in
          Result { () throws(RunFailure) in try unsafe writer.add(key: key, value: bytes) }
        }
        try added.get()
      }
    }
    try writer.finish()
    self.chains = sort
  }

  /// Hands on all households, some at a time.
  ///
  /// - Parameters:
  ///   - workers: The number of batches handed on at once.
  ///   - body: Takes them.
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
    private let reader: ExternalSort.Reader
    private var hasChain: Bool
    private var report = 0
    private var storefront = 0

    init(_ all: HouseholdBatches) throws(RunFailure) {
      self.all = all
      reader = try all.chains.reader()
      hasChain = try reader.next()
    }

    /// The least household that is left.
    private var household: Int32? {
      var least: Int32?
      func see(_ number: Int32) { least = least.map { min($0, number) } ?? number }
      if hasChain { see(unsafe SortedKey(reader.key).first) }
      let members = all.reports.members
      if report < members.count {
        see(members[report].household?.rawValue ?? HouseholdBatches.nobody)
      }
      if storefront < all.storefronts.count, let household = all.storefronts[storefront].household {
        see(household.rawValue)
      }
      return least
    }

    /// The next households, whole; `nil` after the last.
    mutating func next() throws(RunFailure) -> Batch? {
      guard household != nil else { return nil }
      var assembly = HouseholdAssembly(
        customers: CustomerOrder(all.customers), isNobody: all.households.isNobody,
        winner: { [winners = all.settled.winners] in winners[$0] })
      var own: [(report: HouseholdReport, position: ReportPosition)] = []
      var count: Int32 = 0
      var voters: [Voter] = []
      while let household, assembly.count + own.count < HouseholdBatches.purchases {
        let number = household == HouseholdBatches.nobody ? nil : HouseholdNumber(count)
        if number != nil {
          count += 1
          voters.append(Voter(Int64(household)))
        }
        while hasChain, unsafe SortedKey(reader.key).first == household {
          unsafe assembly.append(reader.value, household: number)
          hasChain = try reader.next()
        }
        takeReports(of: household, as: number, into: &own)
        while storefront < all.storefronts.count, let number,
          all.storefronts[storefront].household?.rawValue == household
        {
          assembly.append(all.storefronts[storefront], household: number)
          storefront += 1
        }
      }
      // By evidence id, like all reports.
      own.sort { $0.position < $1.position }
      return Batch(
        batch: HouseholdBatch(
          book: assembly.finish(), households: Int(count), reports: own.map(\.report),
          offers: all.reports.offers),
        reports: own.map(\.position), voters: voters)
    }

    private mutating func takeReports(
      of household: Int32, as number: HouseholdNumber?,
      into own: inout [(report: HouseholdReport, position: ReportPosition)]
    ) {
      let members = all.reports.members
      while report < members.count,
        (members[report].household?.rawValue ?? HouseholdBatches.nobody) == household
      {
        let member = members[report]
        var seen = all.reports.reports[member.report.index]
        seen.household = member.onlyNames ? nil : number
        own.append((seen, all.reports.positions[member.report.index]))
        report += 1
      }
    }
  }
}

extension StorefrontSighting {
  /// By household, then time and storefront.
  fileprivate func isBefore(_ other: StorefrontSighting) -> Bool {
    (household?.rawValue ?? -1, observedAt, storefront.rawValue)
      < (other.household?.rawValue ?? -1, other.observedAt, other.storefront.rawValue)
  }
}
