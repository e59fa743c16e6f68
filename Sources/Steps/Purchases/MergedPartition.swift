internal import Parallel
public import PurchaseModel

/// The key of a chain of a partition, in one environment: production or sandbox.
public struct SubscriptionKey: Hashable, Sendable {
  /// The key of the chain in state.db.
  public var key: ChainKey
  /// The `original_transaction_id` of the chain.
  public var originalTransactionID: OriginalTransactionID
  /// Whether the chain belongs to Apple's sandbox.
  public var isSandbox: Bool
}

/// The merged observations of a partition: the output of the step merge.
///
/// A partition has complete chains, with all observations from all records. Two decisions need
/// several partitions and are made later: which chains form a household (from ``accountLinks``),
/// and which purchase gets a transaction id that purchases of several chains claim (from
/// ``claims``).
public struct MergedPartition: Sendable {
  /// The partition's purchase history; its aliases and households are not known yet.
  public private(set) var book = PurchaseHistory()
  /// The chains, production first, then sorted by id; a chain may have only renewal states.
  public private(set) var chainKeys: [SubscriptionKey] = []
  /// For each transaction id of a chain, the chain's purchase that has the strongest claim to the
  /// id.
  ///
  /// Other chains may claim the same id.
  public private(set) var claims: [StrongestClaim] = []
  /// The chains of each Apple account and of each customer id, found in the records.
  public private(set) var accountLinks = AccountLinks()
  private var productionCount = 0

  /// Merges a partition of the observations.
  ///
  /// - Parameters:
  ///   - set: The observations; a record with several chains may occur once per chain.
  ///   - bundleIDs: The owner's apps; empty for all apps.
  public init(_ set: Observations, bundleIDs: Set<BundleID>) {
    let groups = ObservationGroups(set, joins: LineItemJoins(set))
    var merged = MergedPurchases(set, groups: groups, bundleIDs: bundleIDs)
    merged.excludeSandboxByLength()
    findChains(set)
    let order = PurchaseOrder(merged.purchases)
    let found = merged.claims
    merged.claims = []
    resolveClaims(found, merged.purchases, order)
    book.storefrontObservations = storefrontObservations(
      set, groups: groups, purchases: merged.purchases)
    order.arrange(&merged.purchases)
    book.purchases = merged.purchases
    book.revenueCount = order.revenueCount
    book.chains = chains(of: book, order: order, parties: merged.parties)
    for chain in book.chains {
      guard let app = chain.bundle else { continue }
      for row in chain.rows { book.purchases[row].bundle = app }
    }
    markUpgrades(in: &book)
    addRenewalStates(of: set, to: &book)
    accountLinks = AccountLinks(set) { position(of: $0, isSandbox: false) }
  }

  /// The position of a chain in ``chainKeys``.
  ///
  /// - Precondition: The chain is in the partition.
  public func position(of chain: OriginalTransactionID, isSandbox: Bool) -> Int {
    let range = isSandbox ? productionCount..<chainKeys.count : 0..<productionCount
    return chainKeys.firstPosition(in: range) { $0.originalTransactionID >= chain }
  }
  /// Returns a value for each chain: true for a subscription or a non-consumable.
  ///
  /// The value is always false for a chain of Apple's sandbox.
  public func durableChains(_ catalogue: Catalogue) -> [Bool] {
    var isDurable = [Bool](repeating: false, count: chainKeys.count)
    for row in book.purchases.indices where !book.purchases[row].isSandbox {
      let kind = catalogue.product(book.purchases[row].productInApp)?.kind
      if book.purchases[row].isSubscription || kind == .nonConsumable {
        isDurable[position(of: book.purchases[row].originalTransactionID, isSandbox: false)] = true
      }
    }
    return isDurable
  }

  private mutating func findChains(_ set: Observations) {
    var ids: [Bool: [OriginalTransactionID]] = [false: [], true: []]
    var last: (id: OriginalTransactionID, isSandbox: Bool)?
    func include(_ id: OriginalTransactionID, _ record: Int32) {
      let isSandbox = set.records[Int(record)].isSandbox
      if let last, last == (id, isSandbox) { return }
      last = (id, isSandbox)
      ids[isSandbox]?.append(id)
    }
    for observation in set.observations {
      include(observation.originalTransactionID, observation.record)
    }
    for renewal in set.renewals { include(renewal.originalTransactionID, renewal.record) }
    for isSandbox in [false, true] {
      var previous: OriginalTransactionID?
      for id in (ids[isSandbox] ?? []).sorted() where id != previous {
        chainKeys.append(
          SubscriptionKey(
            key: ChainKey(id, isSandbox: isSandbox, in: set.symbols), originalTransactionID: id,
            isSandbox: isSandbox))
        previous = id
      }
      if !isSandbox { productionCount = chainKeys.count }
    }
  }

  /// Decides to which purchase a transaction id belongs if several purchases of a chain claim the
  /// id.
  private mutating func resolveClaims(
    _ found: [AliasClaim], _ purchases: [Purchase], _ order: PurchaseOrder
  ) {
    var keyed = found.indices.map { index in
      KeyedIndex(key: found[index].transactionID.number.rawValue, index: UInt32(index))
    }
    keyed.sort()
    // The sort is stable, so that ids stay sorted within a chain.
    for index in keyed.indices {
      let purchase = purchases[Int(found[Int(keyed[index].index)].group)]
      keyed[index].key = UInt64(
        position(of: purchase.originalTransactionID, isSandbox: purchase.isSandbox))
    }
    keyed.sort(byKeyBits: 0..<32)
    claims.reserveCapacity(keyed.count)
    for element in keyed {
      let claim = found[Int(element.index)]
      let next = StrongestClaim(
        transactionID: claim.transactionID, chain: ChainPosition(Int(element.key)),
        purchase: order.positions[Int(claim.group)], strength: claim.strength,
        key: purchases[Int(claim.group)].key)
      if let last = claims.last, last.chain == next.chain,
        last.transactionID == next.transactionID
      {
        claims[claims.count - 1].keepStronger(next)
      } else {
        claims.append(next)
      }
    }
  }
}
