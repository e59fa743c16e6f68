internal import CivilTime
internal import Purchases

/// The end of a chain that no snapshot has seen: nobody knows whether the chain was renewed.
///
/// A renewal is seen only if somebody asks Apple again. Example: a month until May 31, last
/// observed on May 9 with auto-renewal on; the exports are complete until June 10. Whether a month
/// from May 31 on was paid is not known.
struct UnseenEnd {
  /// The end of access.
  let endsAt: Instant
  /// The time until which the chain counts as not seen.
  ///
  /// It is the end, one period of the product, and the time in which Apple tries to charge.
  let countsUntil: Instant
}

extension SubscriptionRules {
  /// Finds the end of a chain that no snapshot has seen.
  ///
  /// `nil` if the end is not in the time that the exports cover, a snapshot is newer than the end,
  /// or auto-renewal was off.
  func unseenEnd(ofChain chain: Int) -> UnseenEnd? {
    guard let completeUntil else { return nil }
    return timelines.unseenEnd(of: book.chains[chain], book, completeUntil: completeUntil)
  }
}

extension BillingTimelines {
  /// Finds the end of a chain that no snapshot before `completeUntil` has seen.
  func unseenEnd(of chain: Chain, _ book: PurchaseHistory, completeUntil: Instant) -> UnseenEnd? {
    let subscribed = chain.rows.filter { book.purchases[$0].isSubscription }
    guard let last = subscribed.last,
      let endsAt = subscribed.map({ rows[$0].accessEndsAt }).max()
    else { return nil }
    let state = chain.renewalStates.last.map { book.renewalStates[$0] }
    guard endsAt < completeUntil, chain.lastSeenAt < endsAt, state?.autoRenewStatus != false else {
      return nil
    }
    let row = book.purchases[last]
    let period =
      productPeriods[row.productID].map { Milliseconds.hours($0.nominalHours) }
      ?? row.endsAt.since(row.purchasedAt)
    return UnseenEnd(
      endsAt: endsAt,
      countsUntil: endsAt.advanced(by: period).advanced(by: retryWindow(of: chain, book)))
  }
}
