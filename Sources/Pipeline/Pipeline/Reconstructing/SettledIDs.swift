internal import Joining
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases

/// Finds the purchase to which each transaction id belongs, from claims sorted by id.
struct SettledIDs {
  /// The claim of a purchase to a transaction id that other purchases may claim too.
  struct Claim: BitwiseCopyable {
    var strength: Int64
    var purchase: ClaimedPurchase
    /// Whether the input of the purchase's chain changed.
    var isChanged = true

    /// Returns true if the transaction id belongs to this claim's purchase, not to the purchase of
    /// `other`.
    ///
    /// The stronger claim wins. If both claims are equally strong, the purchase with the smaller
    /// key wins.
    fileprivate func wins(over other: Claim) -> Bool {
      strength == other.strength
        ? purchase.named.key < other.purchase.named.key : strength > other.strength
    }
  }

  /// A transaction id with the strongest claim to it.
  struct Settled {
    let id: TransactionID
    fileprivate(set) var claim: Claim
    /// Whether several chains claim the id.
    fileprivate(set) var isContested = false
    /// Whether one of these chains is changed.
    fileprivate(set) var isChanged: Bool

    var purchase: ClaimedPurchase { claim.purchase }
  }

  private var last: Settled?

  /// Adds the next claim; the ids must be in ascending order.
  ///
  /// - Returns: The id before, which has no further claim; `nil` if it is the same id.
  mutating func add(_ claim: Claim, to id: TransactionID) -> Settled? {
    if var known = last, known.id == id {
      if claim.wins(over: known.claim) { known.claim = claim }
      known.isContested = true
      known.isChanged = known.isChanged || claim.isChanged
      last = known
      return nil
    }
    defer { last = Settled(id: id, claim: claim, isChanged: claim.isChanged) }
    return last
  }

  /// Returns the last id, after all claims.
  mutating func end() -> Settled? {
    defer { last = nil }
    return last
  }
}
