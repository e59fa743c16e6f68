internal import Amounts
public import CivilTime
public import PaidAmounts
public import Purchases

/// Decides the result of every offer and the status of every subscription.
///
/// The result depends only on the arguments, not on the clock. `asOf` determines the statuses, and
/// whether an offer can still convert. Rows after `asOf` are included, such as a renewal that Apple
/// charged a few hours before its period begins. Example: a trial of May 1 to 8 without a later
/// row, as of May 5 → subscription `trial`, conversion `pending`.
///
/// - Parameters:
///   - book: All purchases, revenue rows first.
///   - asOf: The time of the statuses, UTC.
///   - completeUntil: The time until which the exports are complete; `nil` if no day is complete.
/// - Returns: A conversion for each offer period, a subscription for each chain with a subscription
///   row, and the ordinal of each paid row in its chain, from 1.
/// - Precondition: `timelines` and `amounts` have an element for every revenue row of `book`.
public func subscriptions(
  book: PurchaseHistory, timelines: BillingTimelines, amounts: PaidAmountResults, asOf: Instant,
  completeUntil: Instant?
) -> SubscriptionResults {
  precondition(
    timelines.rows.count == book.revenueCount && amounts.amounts.count == book.revenueCount,
    "each revenue row needs one timeline and one amount")
  let rules = SubscriptionRules(
    book: book, timelines: timelines, amounts: amounts, asOf: asOf, completeUntil: completeUntil)
  return SubscriptionResults(
    conversions: rules.conversions(), subscriptions: rules.subscriptions(),
    paidNumbers: rules.paidNumbers())
}

/// The rules for conversions, statuses and paid rows, with their input.
struct SubscriptionRules: Sendable {
  let book: PurchaseHistory
  let timelines: BillingTimelines
  let amounts: PaidAmountResults
  let asOf: Instant
  let completeUntil: Instant?

  /// Returns true if a row was paid; an unknown amount is treated as paid.
  func isPaid(_ row: Int) -> Bool {
    guard let paid = amounts.amounts[row].paid else { return true }
    return paid > .zero
  }

  /// The position of a chain's newest renewal state; `nil` if the chain has none.
  func newestState(of chain: Int) -> Int? {
    let states = book.chains[chain].renewalStates
    return states.isEmpty ? nil : states.upperBound - 1
  }

  /// The ordinal of each revenue row among the paid rows of its chain; `nil` for free rows.
  ///
  /// Example: a free trial and two paid months → `nil`, 1, 2.
  func paidNumbers() -> [Int32?] {
    var numbers = [Int32?](repeating: nil, count: book.revenueCount)
    for chain in book.chains {
      var number: Int32 = 0
      for row in chain.rows where isPaid(row) {
        number += 1
        numbers[row] = number
      }
    }
    return numbers
  }
}
