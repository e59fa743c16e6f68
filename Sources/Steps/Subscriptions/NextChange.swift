public import CivilTime
internal import PurchaseModel
public import Purchases

/// Finds the next time at which the facts of each chain may change without new data.
///
/// The result is the earliest time after `asOf` at which one of these ends: the access, a grace
/// period, Apple's attempts to charge, or the time in which an offer can convert. The start of a
/// row after `asOf` is included too. The end of a chain that is later than `completeUntil` is
/// included even if it has passed, because it becomes an unseen end once the exports cover it.
/// Example: a monthly subscription that ends on June 1 → June 1.
///
/// - Returns: A time for each chain of the history; `nil` if nothing can change.
public func nextChanges(
  book: PurchaseHistory, timelines: BillingTimelines, asOf: Instant, completeUntil: Instant?
) -> [Instant?] {
  var next = [Instant?](repeating: nil, count: book.chains.count)
  func include(_ moment: Instant, _ chain: Int) {
    if moment > asOf { next[chain] = min(next[chain] ?? moment, moment) }
  }
  for (number, chain) in book.chains.enumerated() {
    let state = chain.renewalStates.last.map { book.renewalStates[$0] }
    if let end = state?.gracePeriodExpiresAt { include(end, number) }
    let window = timelines.retryWindow(of: chain, book)
    let unseen = timelines.unseenEnd(of: chain, book, completeUntil: asOf)
    if let unseen { include(unseen.countsUntil, number) }
    if let unseen, completeUntil.map({ unseen.endsAt >= $0 }) ?? false {
      next[number] = unseen.endsAt
    }
    for row in chain.rows where book.purchases[row].isSubscription {
      let purchase = book.purchases[row]
      include(purchase.purchasedAt, number)
      include(purchase.endsAt, number)
      if let reversal = timelines.rows[row].reversal { include(reversal.at, number) }
      if state?.isInBillingRetry == true {
        include(purchase.endsAt.advanced(by: window), number)
      }
    }
  }
  for period in timelines.offerPeriods {
    let end = book.purchases[period.rows.upperBound - 1].endsAt
    let window = timelines.conversionWindow(of: period, book)
    include(end.advanced(by: window), period.chain.index)
  }
  return next
}
