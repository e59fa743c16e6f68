internal import PaidAmounts
internal import PriceLearning
public import PurchaseModel
public import Purchases

/// Observations in memory, merged and joined at once in one partition with all chains.
///
/// It is a reference for the stages, which work partition by partition.
public struct WholeMerge {
  /// The purchases, with chains, aliases and storefronts.
  public private(set) var book: PurchaseHistory
  /// The households.
  public private(set) var households: Households
  /// The households of production chains, including chains without revenue rows.
  private var ofChain: [OriginalTransactionID: HouseholdNumber] = [:]

  /// Merges a complete set of observations.
  public init(
    _ set: Observations, bundleIDs: Set<BundleID> = [], catalogue: Catalogue = Catalogue()
  ) {
    let partition = MergedPartition(set, bundleIDs: bundleIDs)
    book = partition.book
    let passedOn: Set<OriginalTransactionID>
    (households, passedOn) = Self.households(of: partition, set, catalogue: catalogue)
    book.storefrontObservations = Self.inOrder(
      partition.book.storefrontObservations + Self.storefrontsWithoutRows(of: set))
    settleAliases(partition.claims)
    settleHouseholds(of: partition, order: CustomerOrder(set.customers))
    for chain in book.chains.indices {
      book.chains[chain].isPassedOn = passedOn.contains(book.chains[chain].originalTransactionID)
    }
    book.leaveOutStorefronts { passedOn.contains($0) }
  }

  /// The household of a production chain; `nil` for an unknown chain.
  public func household(of chain: OriginalTransactionID) -> HouseholdNumber? { ofChain[chain] }

  /// Assigns every transaction id to the purchase with the strongest claim to it.
  private mutating func settleAliases(_ claims: [StrongestClaim]) {
    var best: [TransactionID: StrongestClaim] = [:]
    for claim in claims {
      if let other = best[claim.transactionID], other.wins(over: claim) { continue }
      best[claim.transactionID] = claim
    }
    book.aliases = best.values.sorted { $0.transactionID < $1.transactionID }.map {
      TransactionAlias(
        transactionID: $0.transactionID, purchase: RowPosition(Int($0.purchase)))
    }
  }

  private static func households(
    of partition: MergedPartition, _ set: Observations, catalogue: Catalogue
  ) -> (Households, passedOn: Set<OriginalTransactionID>) {
    var accounts = DisjointSets(count: partition.chainKeys.count)
    var first: [Int64: ChainPosition] = [:]  // by response
    for seen in partition.accountLinks.chains {
      let response = Int64(seen.file) << 32 | Int64(seen.ordinal)
      if let other = first[response] {
        accounts.join(other, seen.chain)
      } else {
        first[response] = seen.chain
      }
    }
    let isDurable = partition.durableChains(catalogue)
    var known = accounts
    var households = Households(
      accounts: accounts,
      customers: partition.accountLinks.customers.map {
        Households.ChainCustomer(chain: $0.chain, customer: $0.customer)
      }, isDurable: { isDurable[$0.index] })
    for report in set.reports {
      if let customer = report.customer { _ = households.household(ofReporter: customer) }
    }
    let passedOn = partition.chainKeys.indices.filter {
      !partition.chainKeys[$0].isSandbox
        && households.passedOn.contains(known.root(of: ChainPosition($0)))
    }
    return (households, Set(passedOn.map { partition.chainKeys[$0].originalTransactionID }))
  }

  /// Finds the household of each chain and storefront, and the newest customer of each chain.
  private mutating func settleHouseholds(of partition: MergedPartition, order: CustomerOrder) {
    for chain in book.chains.indices {
      let position = ChainPosition(
        partition.position(of: book.chains[chain].originalTransactionID, isSandbox: false))
      book.chains[chain].customer =
        partition.accountLinks.customers(of: position)
        .filter { !households.isPlaceholder($0.customer) }
        .max {
          $0.recency == $1.recency
            ? order.precedes($0.customer, $1.customer) : $0.recency < $1.recency
        }?.customer
      book.chains[chain].household = households.household(ofChain: position)
    }
    for chain in partition.chainKeys.indices where !partition.chainKeys[chain].isSandbox {
      ofChain[partition.chainKeys[chain].originalTransactionID] =
        households.household(ofChain: ChainPosition(chain))
    }
    for index in book.storefrontObservations.indices {
      let observation = book.storefrontObservations[index]
      book.storefrontObservations[index].chain =
        observation.originalTransactionID.flatMap(book.chain(named:)).map(ChainPosition.init)
      book.storefrontObservations[index].household =
        observation.originalTransactionID.flatMap { ofChain[$0] }
        ?? observation.customer.flatMap(households.household)
    }
  }

  /// The storefronts in production records without any row.
  private static func storefrontsWithoutRows(of set: Observations) -> [StorefrontObservation] {
    let withRows = Set(set.observations.map { Int($0.record) })
    return set.records.indices.compactMap { number in
      let record = set.records[number]
      guard !withRows.contains(number), !record.isSandbox, let storefront = record.storefront
      else { return nil }
      return StorefrontObservation(
        observedAt: record.snapshotAt, storefront: storefront, customer: record.customer,
        originalTransactionID: nil)
    }
  }

  /// Sorts storefront observations by customer, chain, time and storefront, and removes duplicates.
  private static func inOrder(_ all: [StorefrontObservation]) -> [StorefrontObservation] {
    let sorted = all.sorted(by: precedes)
    var distinct: [StorefrontObservation] = []
    distinct.reserveCapacity(sorted.count)
    for observation in sorted where distinct.last != observation { distinct.append(observation) }
    return distinct
  }

  private static func precedes(_ left: StorefrontObservation, _ right: StorefrontObservation)
    -> Bool
  {
    if left.customer != right.customer {
      guard let first = left.customer, let second = right.customer else {
        return left.customer == nil
      }
      return first < second
    }
    if left.originalTransactionID != right.originalTransactionID {
      guard let first = left.originalTransactionID, let second = right.originalTransactionID else {
        return left.originalTransactionID == nil
      }
      return first < second
    }
    return (left.observedAt, left.storefront) < (right.observedAt, right.storefront)
  }
}

extension PurchaseHistory {
  /// The position of a chain in ``chains``; `nil` for a chain without revenue rows.
  public func chain(named id: OriginalTransactionID) -> Int? {
    chains.firstIndex { $0.originalTransactionID == id }
  }
}

extension HouseholdBatch {
  /// Creates a batch of all households of observations in memory.
  ///
  /// - Parameters:
  ///   - whole: The merged observations.
  ///   - set: The same observations, with the reports to join.
  init(_ whole: WholeMerge, _ set: Observations) {
    let book = whole.book
    var offers = OfferLists()
    var households = whole.households
    var reports: [HouseholdReport] = []
    for report in set.reports {
      let position = report.transactionID.flatMap(book.purchase(named:))
      let purchase = position.map { book.purchases[$0] }
      if purchase?.isTestPurchase == true { continue }
      let named = purchase.flatMap { $0.productID == report.productID ? $0 : nil }
      let customer = report.customer.flatMap { households.isPlaceholder($0) ? nil : $0 }
      let household =
        customer.flatMap { households.household(ofReporter: $0) }
        ?? named.flatMap { whole.household(of: $0.originalTransactionID) }
      let list = offers.index(of: Array(set.offers[report.offers]))
      var report = report
      report.offers = offers.range(of: list)
      reports.append(
        HouseholdReport(
          report: report, offers: list,
          customer: customer, household: household, named: named.map(NamedPurchase.init),
          unknownTransaction: purchase == nil
            ? UnknownTransaction(report.transactionID, in: set.symbols) : nil,
          voter: Voter(household.map { Int64($0.rawValue) } ?? -1 - Int64(reports.count))))
    }
    self.init(
      book: book, households: households.count, reports: reports, offers: offers,
      apps: ProductFacts(book, catalogue: Catalogue()).apps)
  }
}

/// The purchases of a complete set of observations.
public func mergeObservations(_ set: Observations, bundleIDs: Set<BundleID>) -> PurchaseHistory {
  WholeMerge(set, bundleIDs: bundleIDs).book
}
