public import CivilTime
internal import PurchaseModel

/// Commitment plans: a year that the customer pays in twelve months.
///
/// Apple tries for 90 days to collect a month of such a plan, and gives no grace period. A chain is
/// on a commitment plan as long as its newest row is an instalment.
public enum CommitmentPlan {
  /// The longest time for which Apple tries to collect a payment: 60 days, or 90 days on a
  /// commitment plan.
  public static func retryWindow(isOnPlan: Bool) -> Milliseconds { .days(isOnPlan ? 90 : 60) }

  /// Returns true if a row is a payment of a commitment plan.
  ///
  /// A signed transaction states the plan; without one, an instalment shows it.
  static func contains(_ row: Purchase, _ instalment: Instalment?) -> Bool {
    row.signed?.billingPlan == .monthly || instalment != nil
  }
}

extension BillingTimelines {
  /// Returns true if a chain is on a commitment plan.
  public func isOnCommitmentPlan(_ chain: Chain, of book: PurchaseHistory) -> Bool {
    chain.rows.last { book.purchases[$0].isSubscription }.map { isOfPlan($0, book) } ?? false
  }

  private func isOfPlan(_ row: Int, _ book: PurchaseHistory) -> Bool {
    CommitmentPlan.contains(book.purchases[row], rows[row].instalment)
  }

  /// The time after an offer's end in which it can convert: the time for which Apple tries to
  /// collect the payment that follows the offer's last row.
  ///
  /// A plan that the customer chooses later does not prolong it.
  public func conversionWindow(of offer: OfferPeriod, _ book: PurchaseHistory) -> Milliseconds {
    CommitmentPlan.retryWindow(isOnPlan: isOfPlan(offer.rows.upperBound - 1, book))
  }

  /// The time for which Apple tries to collect a payment of a chain.
  public func retryWindow(of chain: Chain, _ book: PurchaseHistory) -> Milliseconds {
    CommitmentPlan.retryWindow(isOnPlan: isOnCommitmentPlan(chain, of: book))
  }
}
