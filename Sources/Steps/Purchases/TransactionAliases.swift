public import PurchaseModel

/// A transaction id seen on a row of a purchase, and how much that row counts.
struct AliasClaim {
  var transactionID: TransactionID
  var group: UInt32
  var strength: Int64
}

extension AliasClaim {
  /// The strength of a row's claim to its transaction id.
  ///
  /// Production before sandbox, the latest list before in-app, then the newer snapshot.
  static func strength(of observation: TransactionObservation, in record: ReceiptRecord) -> Int64 {
    rankedAge(observation, of: record) + (record.isSandbox ? 0 : 1 << 61)
  }
}

/// The strongest claim to a transaction id among some purchases.
public struct SettledClaim: BitwiseCopyable, Sendable {
  /// The id.
  public var transactionID: TransactionID
  /// The chain's position among the share's.
  public var unit: ChainPosition
  /// The purchase's position in the share's book.
  public var purchase: UInt32
  /// The strength; larger is stronger.
  public var strength: Int64
  /// The purchase's key, by which ties are broken.
  public var key: PurchaseKey

  /// Whether it counts more than another purchase's claim to the same id: the stronger one, of
  /// equally strong ones that of the smaller key.
  public func wins(over other: SettledClaim) -> Bool {
    strength == other.strength ? key < other.key : strength > other.strength
  }

  /// Takes another purchase's claim to the same id into account.
  mutating func meet(_ other: SettledClaim) {
    if other.wins(over: self) { self = other }
  }
}
