public import CivilTime
internal import Parallel
public import PurchaseModel

extension PurchaseHistory {
  /// Finds the purchase with a transaction id, as a position in ``purchases``.
  ///
  /// `nil` for an unknown id.
  public func purchase(named id: TransactionID) -> Int? {
    let place = aliases.firstPosition { $0.transactionID >= id }
    guard place < aliases.count, aliases[place].transactionID == id else { return nil }
    return aliases[place].purchase.index
  }

  /// The chain of a revenue row, as a position in ``chains``.
  ///
  /// - Precondition: The row is a revenue row.
  public func chain(ofRow row: Int) -> Int {
    precondition(row >= 0 && row < revenueCount, "only revenue rows have chains")
    return chains.firstPosition { $0.rows.upperBound > row }
  }

  /// The newest renewal state of a chain before a moment.
  ///
  /// `nil` if no snapshot before the moment has a renewal state.
  public func newestRenewalState(of chain: Chain, before time: Instant) -> RenewalState? {
    let next = renewalStates.firstPosition(in: chain.renewalStates) { $0.observedAt >= time }
    return next > chain.renewalStates.lowerBound ? renewalStates[next - 1] : nil
  }
}
