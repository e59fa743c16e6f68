public import Amounts
internal import CivilTime
internal import Parallel
public import PurchaseModel
public import Purchases

/// What the rules say of a purchase whose signed price is hidden (RULES section 3, "Backtest").
public struct BacktestRow: Hashable, Sendable {
  /// Whether the rules found the signed price.
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// The very amount, in the very currency.
    case right
    /// Another amount or currency.
    case wrong
    /// No amount, but bounds that hold the signed price.
    case boundsHold = "bounds_hold"
    /// No amount, and bounds that do not.
    case boundsMiss = "bounds_miss"
  }

  /// The row's position in the purchase book.
  public var row: Int
  /// What Apple signed.
  public var signed: SignedPrice
  /// What the rules decide without it.
  public var decided: PaidAmount

  /// Describes a row.
  public init(row: Int, signed: SignedPrice, decided: PaidAmount) {
    self.row = row
    self.signed = signed
    self.decided = decided
  }

  /// How good the rules were.
  ///
  /// Signed 9.99 USD, the history said 9.99 USD → right; unresolved between 9.99 and 12.99 → the
  /// bounds hold.
  public var verdict: Verdict {
    let isOtherCurrency = decided.currency.map { $0 != signed.currency } ?? false
    if let paid = decided.paid {
      // Nothing costs nothing in every currency.
      if paid == .zero, signed.amount == .zero { return .right }
      return paid == signed.amount && !isOtherCurrency ? .right : .wrong
    }
    let isBelow = decided.high.map { signed.amount > $0 } ?? false
    let isOutside = signed.amount < decided.low || isBelow
    return isOtherCurrency && decided.high != nil || isOutside ? .boundsMiss : .boundsHold
  }
}

/// Decides all rows as if nothing had been signed, and compares with what was.
///
/// - Parameters:
///   - book: The purchases.
///   - courses: Their courses.
///   - set: The price reports.
///   - catalogue: What App Store Connect knows.
///   - policy: What a renewal after a price rise is booked at.
///   - workers: How many threads work; nothing depends on it.
/// - Returns: The revenue rows with a signed price, in their order.
/// - Throws: ``AmountError/overflow``; see ``paidAmounts(book:courses:set:catalogue:policy:workers:)``.
public func backtest(
  book: PurchaseBook, courses: PurchaseCourses, set: SightingSet, catalogue: Catalogue,
  policy: RenewalPolicy, workers: Int = 1
) throws(AmountError) -> [BacktestRow] {
  let rows = (0..<book.revenueCount).filter { book.purchases[$0].signed?.price != nil }
  guard !rows.isEmpty else { return [] }
  let evidence = PriceEvidence(
    book: book, courses: courses, set: set, catalogue: catalogue, workers: workers,
    hidesSigned: true)
  let hidden = try evidence.paidAmounts(policy: policy, workers: workers)
  return rows.compactMap { row in
    book.purchases[row].signed?.price.map {
      BacktestRow(row: row, signed: $0, decided: hidden.amounts[row])
    }
  }
}
