public import PurchaseModel

/// A transaction id on a row of a purchase, with the strength of this claim.
struct AliasClaim {
  var transactionID: TransactionID
  var group: UInt32
  var strength: Int64
}

extension AliasClaim {
  /// The strength of a row's claim to its transaction id.
  ///
  /// Production is stronger than sandbox, the latest list than in-app, and a newer snapshot than an
  /// older snapshot.
  static func strength(of observation: TransactionObservation, in record: ReceiptRecord) -> Int64 {
    rankedAge(observation, of: record) + (record.isSandbox ? 0 : 1 << 61)
  }
}

/// The strongest claim to a transaction id among some purchases.
public struct SettledClaim: BitwiseCopyable, Sendable {
  /// The claimed transaction id.
  public var transactionID: TransactionID
  /// The position of the chain in the partition.
  public var unit: ChainPosition
  /// The position of the purchase in the partition's book.
  public var purchase: UInt32
  /// The strength; larger is stronger.
  public var strength: Int64
  /// The key of the purchase, which breaks ties.
  public var key: PurchaseKey

  /// Whether it is stronger than another purchase's claim to the same id; in a tie the smaller key
  /// wins.
  public func wins(over other: SettledClaim) -> Bool {
    strength == other.strength ? key < other.key : strength > other.strength
  }

  /// Merges another purchase's claim to the same id.
  mutating func meet(_ other: SettledClaim) {
    if other.wins(over: self) { self = other }
  }
}
