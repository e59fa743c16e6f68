public import CivilTime
internal import Parallel
public import PurchaseModel

extension PurchaseBook {
  /// The purchase that a transaction id belongs to, by its position in ``purchases``.
  ///
  /// `nil` for an unknown id.
  public func purchase(named id: TransactionID) -> Int? {
    let place = aliases.firstPosition { $0.transactionID >= id }
    guard place < aliases.count, aliases[place].transactionID == id else { return nil }
    return aliases[place].purchase.index
  }

  /// The position in ``chains`` of the chain that a revenue row belongs to.
  ///
  /// - Precondition: the row is a revenue row.
  public func chain(ofRow row: Int) -> Int {
    precondition(row >= 0 && row < revenueCount, "only revenue rows have chains")
    return chains.firstPosition { $0.rows.upperBound > row }
  }

  /// The newest renewal state of a chain that was seen before a moment, as it was in force then.
  ///
  /// `nil` if no snapshot before the moment shows one.
  public func newestRenewalState(of chain: Chain, before time: Instant) -> RenewalState? {
    let next = renewalStates.firstPosition(in: chain.renewalStates) { $0.observedAt >= time }
    return next > chain.renewalStates.lowerBound ? renewalStates[next - 1] : nil
  }
}
