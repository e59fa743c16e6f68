package import Diagnostics
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
package import Purchases
internal import StateStore
internal import TemporaryFiles

/// All households with their reports, to be read in batches.
///
/// A household is never divided between batches, but the chains and reports without a household may
/// be. Each time a batch is read, its chains are read from state.db and merged again.
package struct HouseholdBatches {
  /// The number of chains and reports after which a batch ends.
  private static let size = 512

  /// A batch of households, with the position of each report among all reports.
  package struct Batch: Sendable {
    var batch: HouseholdBatch
    /// For each report, its position among all reports and its relation to its household.
    var members: [RoutedReport.Membership]
    var voters: [Voter]
    /// The chains of the batch.
    let chains: [SubscriptionKey]
    /// All transaction ids that the chains claim.
    let transactionIDs: [TransactionID]

    func reportVerdicts(in prices: PriceBook) -> [ReportVerdict] {
      members.map { prices.reportVerdicts[$0.position.index] }
    }
  }

  /// A chain with its household, which is `nil` for a sandbox chain.
  typealias Member = (chain: ChainKey, household: HouseholdNumber?)

  let offers: OfferLists
  /// The households, with the placeholder customer ids.
  package let households: Households
  /// The chains of the accounts whose receipts were passed on.
  private let passedOn: Set<ChainKey>
  /// For each transaction id that several chains claim, the purchase to which it belongs.
  let winners: [TransactionID: PurchaseKey]
  private let reader: ChainReader
  private let reports: ExternalSort  // of RoutedReport, by household
  private let chains: [Member]  // by household
  private let storefronts: [StorefrontObservation]  // by household
  private let apps: ProductApps

  /// Assigns chains and reports to their households.
  init(
    _ chains: [Member], reports: ExternalSort, offers: OfferLists,
    storefronts: [StorefrontObservation], isWanted: (HouseholdNumber) -> Bool = { _ in true },
    households: Households, passedOn: Set<ChainKey>, winners: [TransactionID: PurchaseKey],
    apps: ProductApps, reader: ChainReader
  ) {
    self.chains = chains.sorted { left, right in
      (left.household?.rawValue ?? RoutedReport.withoutHousehold, left.chain)
        < (right.household?.rawValue ?? RoutedReport.withoutHousehold, right.chain)
    }
    self.reports = reports
    self.offers = offers
    self.storefronts = storefronts.compactMap { observation in
      guard let household = observation.customer.flatMap(households.household),
        isWanted(household)
      else { return nil }
      var observation = observation
      observation.household = household
      return observation
    }.sorted { $0.isBefore($1) }
    self.households = households
    self.passedOn = passedOn
    self.winners = winners
    self.apps = apps
    self.reader = reader
  }

  /// Computes a value for each batch on several threads, and passes the values to a closure in
  /// order.
  ///
  /// - Parameters:
  ///   - take: Receives the values one after another, in the order of the households.
  package func forEach<Value: Sendable>(
    _ work: @Sendable (Batch) throws(RunFailure) -> Value,
    then take: (Value) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    let globalDecisions = GlobalDecisions(
      customers: CustomerOrder(reader.texts.set.customers),
      isPlaceholder: { [households] in households.isPlaceholder($0) }, passedOn: passedOn,
      winners: winners)
    let (offers, apps) = (offers, apps)
    var cursor = try Cursor(self)
    while true {
      var drafts: [Draft] = []
      while drafts.count < 64 * reader.workers, let next = try cursor.next() {
        drafts.append(next)
      }
      guard !drafts.isEmpty else { return }
      let values = try reader.merged(drafts.map(\.chains)) {
        [drafts] number, partition throws(RunFailure) in
        try work(drafts[number].batch(partition, globalDecisions, offers: offers, apps: apps))
      }
      for value in values { try take(value) }
    }
  }

  /// A batch before its chains are read.
  private struct Draft: Sendable {
    /// All chains of the batch.
    private(set) var chains: [ChainKey] = []
    /// The household of each chain that has one; a sandbox chain has none.
    private var households: [ChainKey: HouseholdNumber] = [:]
    private var reports: [RoutedReport] = []
    private var storefronts: [StorefrontObservation] = []
    private var voters: [Voter] = []

    var isEmpty: Bool { count == 0 && storefronts.isEmpty }
    var count: Int { chains.count + reports.count }

    /// Adds a household; returns its number in the batch.
    mutating func add(household number: Int32) -> HouseholdNumber {
      voters.append(Voter(Int64(number)))
      return HouseholdNumber(Int32(voters.count - 1))
    }

    mutating func add(_ chain: ChainKey, of household: HouseholdNumber?) {
      chains.append(chain)
      households[chain] = household
    }

    mutating func add(_ report: RoutedReport, of household: HouseholdNumber?) {
      var report = report
      report.report.household = report.membership.isOwn ? household : nil
      reports.append(report)
    }

    mutating func add(_ observation: StorefrontObservation, of household: HouseholdNumber?) {
      var observation = observation
      observation.household = household
      storefronts.append(observation)
    }

    func batch(
      _ partition: MergedPartition, _ globalDecisions: GlobalDecisions, offers: OfferLists,
      apps: ProductApps
    ) -> Batch {
      let book = partition.assembledHistory(globalDecisions, storefrontsWithoutRows: storefronts) {
        households[$0.key]
      }
      // Sorted by evidence id, like all reports.
      let reports = reports.sorted { $0.membership.position < $1.membership.position }
      return Batch(
        batch: HouseholdBatch(
          book: book, households: voters.count, reports: reports.map(\.report), offers: offers,
          apps: apps),
        members: reports.map(\.membership), voters: voters, chains: partition.chainKeys,
        transactionIDs: partition.claims.map(\.transactionID))
    }
  }

  /// Reads the households once, in the order of their numbers.
  private struct Cursor {
    private let all: HouseholdBatches
    private let reports: ExternalSort.Reader
    private var hasReport: Bool
    private var chain = 0
    private var storefront = 0

    init(_ all: HouseholdBatches) throws(RunFailure) {
      self.all = all
      reports = try all.reports.reader()
      hasReport = try reports.next()
    }

    /// The household number of the next chain; `nil` after the last chain.
    private var ofChain: Int32? {
      chain < all.chains.count
        ? all.chains[chain].household?.rawValue ?? RoutedReport.withoutHousehold : nil
    }
    private var ofReport: Int32? { hasReport ? unsafe SortedKey(reports.key).first : nil }
    private var ofStorefront: Int32? {
      storefront < all.storefronts.count ? all.storefronts[storefront].household?.rawValue : nil
    }

    /// The smallest household number that is not read yet; `nil` after the last.
    private var nextNumber: Int32? {
      guard ofChain != nil || ofReport != nil || ofStorefront != nil else { return nil }
      return min(ofChain ?? .max, ofReport ?? .max, ofStorefront ?? .max)
    }

    /// Reads the next households up to the size of a batch; `nil` after the last household.
    mutating func next() throws(RunFailure) -> Draft? {
      var draft = Draft()
      while draft.count < HouseholdBatches.size, let number = nextNumber {
        let household =
          number == RoutedReport.withoutHousehold ? nil : draft.add(household: number)
        // Only data without a household is divided between batches.
        func isComplete(_ draft: Draft) -> Bool {
          household == nil && draft.count >= HouseholdBatches.size
        }
        while ofChain == number, !isComplete(draft) {
          draft.add(all.chains[chain].chain, of: household)
          chain += 1
        }
        while ofReport == number, !isComplete(draft) {
          draft.add(reports.value(RoutedReport.self), of: household)
          hasReport = try reports.next()
        }
        while ofStorefront == number {
          draft.add(all.storefronts[storefront], of: household)
          storefront += 1
        }
      }
      return draft.isEmpty ? nil : draft
    }
  }
}

extension StorefrontObservation {
  /// Returns true if this observation is sorted before another: by household, then time and
  /// storefront.
  fileprivate func isBefore(_ other: StorefrontObservation) -> Bool {
    (household?.rawValue ?? -1, observedAt, storefront.rawValue)
      < (other.household?.rawValue ?? -1, other.observedAt, other.storefront.rawValue)
  }
}
