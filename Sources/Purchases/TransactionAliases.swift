internal import Parallel
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
  static func strength(of sighting: PurchaseSighting, in record: ReceiptRecord) -> Int64 {
    rankedAge(sighting, of: record) + (record.isSandbox ? 0 : 1 << 61)
  }
}

/// The strongest claim to a transaction id among some purchases.
struct SettledClaim {
  var transactionID: TransactionID
  /// The purchase's number among them.
  var purchase: UInt32
  var strength: Int64
  /// Its key, by which ties are broken.
  var key: PurchaseKey
  /// Whether several purchases claim the id.
  var isContested: Bool

  /// Takes another purchase's claim to the same id into account.
  ///
  /// Of several purchases that claim an id the strongest claim wins, of equally strong ones the
  /// smaller key.
  mutating func meet(_ other: SettledClaim) {
    let isStronger =
      other.strength != strength ? other.strength > strength : other.key < key
    let isContested = isContested || other.isContested || other.key != key
    if isStronger { self = other }
    self.isContested = isContested
  }
}

/// Gives every transaction id that some purchases claim to one of them; the result is by id.
func settledClaims(_ claims: [AliasClaim], keys: [PurchaseKey]) -> [SettledClaim] {
  var keyed = claims.indices.map {
    KeyedIndex(key: claims[$0].transactionID.number.rawValue, index: UInt32($0))
  }
  keyed.sort()
  var settled: [SettledClaim] = []
  settled.reserveCapacity(keyed.count)
  for element in keyed {
    let claim = claims[Int(element.index)]
    let next = SettledClaim(
      transactionID: claim.transactionID, purchase: claim.group, strength: claim.strength,
      key: keys[Int(claim.group)], isContested: false)
    if let last = settled.last, last.transactionID == claim.transactionID {
      settled[settled.count - 1].meet(next)
    } else {
      settled.append(next)
    }
  }
  return settled
}
