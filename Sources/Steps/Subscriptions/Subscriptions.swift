internal import Amounts
public import CivilTime
public import PaidAmounts
internal import PurchaseModel
public import Purchases

/// Decides the result of every offer and the status of every subscription.
///
/// A pure function of its arguments, without the clock. `asOf` decides statuses and maturity and
/// leaves no row out: later rows of the book still count, such as a renewal that Apple charged a
/// few hours before its period begins.
///
/// - Parameters:
///   - book: All purchases, revenue rows first.
///   - timelines: The place of each revenue row in its chain.
///   - amounts: The amount paid for each revenue row.
///   - asOf: The moment whose statuses are wanted.
/// - Returns: One conversion for each offer period, one subscription for each chain that has a
///   subscription row, and the running number of each paid row.
/// - Precondition: `timelines` and `amounts` hold one row for each revenue row of `book`.
public func subscriptions(
  book: PurchaseBook, timelines: BillingTimelines, amounts: PaidAmountBook, asOf: Instant
) -> SubscriptionBook {
  precondition(
    timelines.rows.count == book.revenueCount && amounts.amounts.count == book.revenueCount,
    "one course and one amount for each revenue row")
  let rules = SubscriptionRules(book: book, timelines: timelines, amounts: amounts, asOf: asOf)
  return SubscriptionBook(
    conversions: rules.conversions(), subscriptions: rules.subscriptions(),
    paidNumbers: rules.paidNumbers())
}

/// The input of this module's rules.
struct SubscriptionRules: Sendable {
  let book: PurchaseBook
  let timelines: BillingTimelines
  let amounts: PaidAmountBook
  let asOf: Instant

  /// Whether something was paid for a row, or may have been: an unknown amount is treated as paid.
  func isPaid(_ row: Int) -> Bool {
    guard let paid = amounts.amounts[row].paid else { return true }
    return paid > .zero
  }

  /// The position of a chain's newest renewal state.
  func newestState(of chain: Int) -> Int? {
    let states = book.chains[chain].renewalStates
    return states.isEmpty ? nil : states.upperBound - 1
  }

  /// For each revenue row, which paid row of its chain it is, from 1.
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

/// The time after the paid time's end in which Apple tries to charge and an offer can convert.
let retryWindow = Milliseconds.days(60)
