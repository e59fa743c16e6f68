internal import CivilTime
internal import PurchaseModel

/// A merged chain in the form of bytes, for use in the same process only.
///
/// Chains are merged in the order of their keys and decided household by household; an external
/// sort stores them in between.
enum MergedChainBytes {
  /// The fixed-size values of a chain, and the lengths of its lists.
  struct Head: BitwiseCopyable {
    var chain: ChainHead
    var revenueCount: Int32
    var excludedCount: Int32
    var stateCount: Int32
    var storefrontCount: Int32
    var claimCount: Int32
    var customerCount: Int32
  }

  /// A purchase's claim to a transaction id.
  struct Claim: BitwiseCopyable {
    var transactionID: TransactionID
    var purchase: Int32
    var key: PurchaseKey
  }

  /// A chain's facts other than its rows.
  struct ChainHead: BitwiseCopyable {
    var id: OriginalTransactionID
    var isSandbox: Bool
    var beganAt: Instant
    var bundle: BundleID?
    var hasBundleConflict: Bool
  }
}

extension MergedPartition {
  /// Calls the body with the position in ``units`` and the bytes of every chain that has purchases.
  public func forEachChain<Failure: Error>(
    _ body: (Int, UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let members = PartitionMembers(self)
    var bytes = ByteWriter()
    for unit in units.indices {
      let revenue = members.chain[unit].map { book.chains[$0] }
      let excluded = members.excluded[unit]
      guard revenue != nil || !excluded.isEmpty else { continue }
      let rows = revenue?.rows ?? 0..<0
      let states = revenue?.renewalStates ?? 0..<0
      let storefronts = members.storefronts[unit]
      let claims = members.claims[unit]
      let customers = units[unit].isSandbox ? [] : accountLinks.customers(of: ChainPosition(unit))
      bytes.removeAll()
      bytes.put(
        MergedChainBytes.Head(
          chain: MergedChainBytes.ChainHead(
            id: units[unit].originalTransactionID, isSandbox: units[unit].isSandbox,
            beganAt: revenue?.beganAt ?? .epoch, bundle: revenue?.bundle,
            hasBundleConflict: revenue?.hasBundleConflict ?? false),
          revenueCount: Int32(rows.count), excludedCount: Int32(excluded.count),
          stateCount: Int32(states.count), storefrontCount: Int32(storefronts.count),
          claimCount: Int32(claims.count), customerCount: Int32(customers.count)))
      for row in rows { bytes.put(book.purchases[row]) }
      for row in excluded { bytes.put(book.purchases[row]) }
      for state in states { bytes.put(book.renewalStates[state]) }
      for place in storefronts { bytes.put(book.storefrontObservations[place]) }
      for claim in self.claims[claims] {
        let purchase = Int(claim.purchase)
        let position =
          purchase < book.revenueCount
          ? purchase - rows.lowerBound
          : rows.count + (excluded.firstIndex(of: purchase) ?? 0) - excluded.startIndex
        bytes.put(
          MergedChainBytes.Claim(
            transactionID: claim.transactionID, purchase: Int32(position), key: claim.key))
      }
      for customer in customers { bytes.put(customer) }
      try unsafe bytes.withWritten { chain throws(Failure) in try unsafe body(unit, chain) }
    }
  }
}

/// The parts of a partition's book that belong to each of its chains.
private struct PartitionMembers {
  /// The chain of the revenue rows, per unit.
  var chain: [Int?]
  /// The excluded purchases, per unit.
  var excluded: GroupedPositions
  /// The storefront observations, per unit.
  var storefronts: GroupedPositions
  /// The claims, which are in the same order, per unit.
  var claims: [Range<Int>]

  init(_ partition: MergedPartition) {
    let book = partition.book
    chain = Array(repeating: nil, count: partition.units.count)
    for (position, known) in book.chains.enumerated() {
      chain[partition.unit(of: known.originalTransactionID, isSandbox: false)] = position
    }
    excluded = GroupedPositions(
      book.revenueCount..<book.purchases.count, groups: partition.units.count
    ) {
      partition.unit(
        of: book.purchases[$0].originalTransactionID, isSandbox: book.purchases[$0].isSandbox)
    }
    storefronts = GroupedPositions(
      book.storefrontObservations.indices, groups: partition.units.count
    ) {
      guard let chain = book.storefrontObservations[$0].originalTransactionID else { return nil }
      return partition.unit(of: chain, isSandbox: false)
    }
    claims = []
    var start = 0
    for unit in partition.units.indices {
      var end = start
      while end < partition.claims.count, partition.claims[end].unit.index == unit { end += 1 }
      claims.append(start..<end)
      start = end
    }
  }
}

/// Positions grouped by a small number, each group in order.
private struct GroupedPositions {
  private var starts: [Int]
  private var positions: [Int]

  init(_ range: Range<Int>, groups: Int, _ group: (Int) -> Int?) {
    let found = range.map(group)
    starts = Array(repeating: 0, count: groups + 1)
    for case let group? in found { starts[group + 1] += 1 }
    for group in 0..<groups { starts[group + 1] += starts[group] }
    var next = starts
    positions = Array(repeating: 0, count: starts[groups])
    for (offset, group) in found.enumerated() {
      guard let group else { continue }
      positions[next[group]] = range.lowerBound + offset
      next[group] += 1
    }
  }

  subscript(group: Int) -> ArraySlice<Int> {
    positions[starts[group]..<starts[group + 1]]
  }
}
