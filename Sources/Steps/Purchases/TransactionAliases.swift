public import PurchaseModel

/// The claim of a purchase to the transaction id of one of its rows; the strongest claim wins.
struct AliasClaim {
  var transactionID: TransactionID
  var group: UInt32
  var strength: Int64
}

extension AliasClaim {
  /// The strength of a row's claim to its transaction id.
  ///
  /// A production row is stronger than a sandbox row. In the same environment, a row of
  /// `latest_receipt_info` is stronger than an in-app row. In the same list, a row of a newer
  /// snapshot is stronger.
  static func strength(of observation: TransactionObservation, in record: ReceiptRecord) -> Int64 {
    rankedRecency(observation, of: record) + (record.isSandbox ? 0 : 1 << 61)
  }
}

/// The strongest claim to one transaction id, of all claims by the purchases of one chain.
public struct StrongestClaim: BitwiseCopyable, Sendable {
  /// The claimed transaction id.
  public var transactionID: TransactionID
  /// The position of the chain in the partition.
  public var chain: ChainPosition
  /// The position of the purchase in the partition's purchase history.
  public var purchase: UInt32
  /// The strength of the claim; larger is stronger.
  public var strength: Int64
  /// The key of the purchase, which decides ties.
  public var key: PurchaseKey

  /// Returns true if this claim has priority over another purchase's claim to the same id.
  ///
  /// The stronger claim wins; in a tie, the claim with the smaller key.
  public func wins(over other: StrongestClaim) -> Bool {
    strength == other.strength ? key < other.key : strength > other.strength
  }

  /// Keeps the stronger of two claims to the same id.
  mutating func keepStronger(_ other: StrongestClaim) {
    if other.wins(over: self) { self = other }
  }
}
