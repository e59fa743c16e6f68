internal import PurchaseModel

/// A transaction id seen on a row of a purchase, and how much that row counts.
struct AliasClaim {
  var transactionID: TransactionID
  var group: UInt32
  var strength: Int64
}

extension AliasClaim {
  /// How much a row's claim to its transaction id counts (RULES section 1, "Identity").
  ///
  /// Production before sandbox, the latest list before in-app, then the newer snapshot.
  static func strength(of rank: SightingRank, in record: ReceiptRecord) -> Int64 {
    rankedAge(rank, of: record) + (record.isSandbox ? 0 : 1 << 61)
  }
}

/// Gives every transaction id to one purchase.
///
/// Of several purchases that claim an id the strongest claim wins, of equally strong ones the
/// smaller key. Returns the aliases by id, their purchases still numbered by group, and how many
/// ids were contested.
func resolveAliases(_ claims: [AliasClaim], keys: [PurchaseKey])
  -> (aliases: [TransactionAlias], contested: Int)
{
  var keyed = claims.indices.map {
    KeyedIndex(key: claims[$0].transactionID.number.rawValue, index: UInt32($0))
  }
  keyed.sort()
  var aliases: [TransactionAlias] = []
  aliases.reserveCapacity(keyed.count)
  var contested = 0
  var start = 0
  while start < keyed.count {
    var best = claims[Int(keyed[start].index)]
    let firstGroup = best.group
    var isContested = false
    var end = start + 1
    while end < keyed.count, keyed[end].key == keyed[start].key {
      let claim = claims[Int(keyed[end].index)]
      if claim.group != firstGroup { isContested = true }
      let isStronger =
        claim.strength != best.strength
        ? claim.strength > best.strength : keys[Int(claim.group)] < keys[Int(best.group)]
      if isStronger { best = claim }
      end += 1
    }
    aliases.append(
      TransactionAlias(transactionID: best.transactionID, purchase: Int32(best.group)))
    if isContested { contested += 1 }
    start = end
  }
  return (aliases, contested)
}
