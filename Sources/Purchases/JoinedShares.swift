internal import Parallel
public import PurchaseModel

extension PurchaseBook {
  /// The book of a single share that holds everything.
  init(whole share: MergedShare) {
    self = share.book
    aliases = share.claims.map {
      TransactionAlias(transactionID: $0.transactionID, purchase: Int32($0.purchase))
    }
    contestedAliases = share.claims.count { $0.isContested }
  }

  /// The book of all shares together: the one that ``mergeSightings(_:bundleIDs:)`` makes of the
  /// same sightings.
  ///
  /// `nil` where two shares hold parts of one purchase or chain, as when a line item was seen under
  /// two original ids. These belong together, and only merging all sightings at once can do that.
  ///
  /// - Parameters:
  ///   - shares: Everything, each chain in one of them.
  ///   - loneStorefronts: What production records without any row say about storefronts.
  ///   - symbols: The texts that the shares name.
  ///   - workers: How many threads join them.
  public init?(
    joining shares: [MergedShare], loneStorefronts: [StorefrontSighting] = [],
    symbols: SymbolTable, workers: Int
  ) {
    guard !haveCommonKey(shares, workers: workers),
      let layout = ShareLayout(shares, workers: workers)
    else { return nil }
    self.init()
    chains = layout.chains
    revenueCount = layout.revenueCount
    purchases = joined(layout.purchases, workers: workers)
    renewalStates = joined(layout.renewalStates, workers: workers)
    (aliases, contestedAliases) = joinedAliases(
      shares, positions: layout.positions, workers: workers)
    storefrontSightings = inOrder(
      shares.map(\.book.storefrontSightings) + [loneStorefronts], symbolCount: symbols.count)
    for share in shares { encounters.add(share.book.encounters) }
  }
}

/// Where everything of several shares stands in the book of all.
private struct ShareLayout {
  /// The chains of all shares, by id.
  private(set) var chains: [Chain] = []
  private(set) var revenueCount = 0
  /// The purchases chain by chain, then those that are excluded one by one.
  private(set) var purchases: [ArraySlice<Purchase>] = []
  private(set) var renewalStates: [ArraySlice<RenewalState>] = []
  /// For each share and each position in its book the position in the book of all.
  private(set) var positions: [[Int32]] = []

  /// `nil` where one chain is in two shares.
  init?(_ shares: [MergedShare], workers: Int) {
    var places: [(share: Int, chain: Int)] = []
    var keyed: [KeyedIndex] = []
    for (share, merged) in shares.enumerated() {
      for (number, chain) in merged.book.chains.enumerated() {
        keyed.append(
          KeyedIndex(
            key: chain.originalTransactionID.number.rawValue, index: UInt32(places.count)))
        places.append((share, number))
      }
    }
    keyed.sort()
    chains.reserveCapacity(keyed.count)
    purchases.reserveCapacity(keyed.count)
    renewalStates.reserveCapacity(keyed.count)
    var starts = shares.map { [Int32](repeating: 0, count: $0.book.chains.count) }
    var states = 0
    for element in keyed {
      let place = places[Int(element.index)]
      let book = shares[place.share].book
      var chain = book.chains[place.chain]
      if chain.originalTransactionID == chains.last?.originalTransactionID { return nil }
      purchases.append(book.purchases[chain.rows])
      if !chain.renewalStates.isEmpty {
        renewalStates.append(book.renewalStates[chain.renewalStates])
      }
      starts[place.share][place.chain] = Int32(revenueCount)
      chain.rows = revenueCount..<revenueCount + chain.rows.count
      chain.renewalStates = states..<states + chain.renewalStates.count
      revenueCount = chain.rows.upperBound
      states = chain.renewalStates.upperBound
      chains.append(chain)
    }
    let begins = starts
    positions = inParallel(shares.count, workers: workers) { share in
      let book = shares[share].book
      var positions: [Int32] = []
      positions.reserveCapacity(book.purchases.count)
      for (number, chain) in book.chains.enumerated() {
        let start = begins[share][number]
        positions += (0..<Int32(chain.rows.count)).lazy.map { start + $0 }
      }
      positions += repeatElement(0, count: book.purchases.count - book.revenueCount)
      return positions
    }
    addExcluded(shares)
  }

  /// Adds the excluded purchases, in the order of their keys.
  private mutating func addExcluded(_ shares: [MergedShare]) {
    var places: [(share: Int, position: Int)] = []
    var keyed: [KeyedIndex] = []
    for (share, merged) in shares.enumerated() {
      for position in merged.book.revenueCount..<merged.book.purchases.count {
        let key = merged.book.purchases[position].key.rawValue
        keyed.append(KeyedIndex(key: UInt64(bitPattern: key), index: UInt32(places.count)))
        places.append((share, position))
      }
    }
    keyed.sort()
    for (number, element) in keyed.enumerated() {
      let place = places[Int(element.index)]
      purchases.append(shares[place.share].book.purchases[place.position...place.position])
      positions[place.share][place.position] = Int32(revenueCount + number)
    }
  }
}

/// How many parts of equal size joining is done in; several a thread, so that none waits long.
private func partCount(_ elements: Int, workers: Int) -> Int {
  workers > 1 ? min(workers * 4, elements / 4096 + 1) : 1
}

/// Whether two purchases of the shares have one key.
private func haveCommonKey(_ shares: [MergedShare], workers: Int) -> Bool {
  let count = partCount(shares.reduce(0) { $0 + $1.keys.count }, workers: workers)
  // Keys are 63 evenly spread bits.
  let width = UInt64(Int64.max) / UInt64(count) + 1
  let found = inParallel(count, workers: workers) { part in
    let start = UInt64(part) * width
    var keys: [KeyedIndex] = []
    for share in shares {
      for key in share.keys where key >= start && key < start + width {
        keys.append(KeyedIndex(key: key, index: 0))
      }
    }
    return keys.sortAndFindTwins()
  }
  return found.contains(true)
}

/// Gives every transaction id to one purchase of one share, by id.
private func joinedAliases(_ shares: [MergedShare], positions: [[Int32]], workers: Int)
  -> (aliases: [TransactionAlias], contested: Int)
{
  let count = partCount(shares.reduce(0) { $0 + $1.claims.count }, workers: workers)
  var sample: [UInt64] = []
  if count > 1 {
    for share in shares {
      for index in stride(from: 0, to: share.claims.count, by: 64) {
        sample.append(share.claims[index].transactionID.number.rawValue)
      }
    }
    sample.sort()
  }
  // Every part but the first begins at an id of the sample.
  let bounds = (1..<max(1, count)).map { sample[sample.count * $0 / count] }
  let parts = inParallel(count, workers: workers) { part in
    var keyed: [KeyedIndex] = []
    var claims: [SettledClaim] = []
    for (share, merged) in shares.enumerated() {
      let first =
        part == 0
        ? 0 : merged.claims.firstPosition { $0.transactionID.number.rawValue >= bounds[part - 1] }
      let last =
        part == count - 1
        ? merged.claims.count
        : merged.claims.firstPosition { $0.transactionID.number.rawValue >= bounds[part] }
      for index in first..<max(first, last) {
        var claim = merged.claims[index]
        claim.purchase = UInt32(positions[share][Int(claim.purchase)])
        keyed.append(
          KeyedIndex(
            key: claim.transactionID.number.rawValue, index: UInt32(claims.count)))
        claims.append(claim)
      }
    }
    keyed.sort()
    return aliases(of: keyed, claims: claims)
  }
  return (
    joined(parts.map { $0.aliases[...] }, workers: workers),
    parts.reduce(0) { $0 + $1.contested }
  )
}

/// The strongest claim to each id.
private func aliases(of keyed: [KeyedIndex], claims: [SettledClaim])
  -> (aliases: [TransactionAlias], contested: Int)
{
  var aliases: [TransactionAlias] = []
  aliases.reserveCapacity(keyed.count)
  var contested = 0
  var start = 0
  while start < keyed.count {
    var best = claims[Int(keyed[start].index)]
    var end = start + 1
    while end < keyed.count, keyed[end].key == keyed[start].key {
      best.meet(claims[Int(keyed[end].index)])
      end += 1
    }
    aliases.append(
      TransactionAlias(transactionID: best.transactionID, purchase: Int32(best.purchase)))
    if best.isContested { contested += 1 }
    start = end
  }
  return (aliases, contested)
}
