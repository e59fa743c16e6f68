public import Amounts
public import PurchaseModel
internal import Purchases

/// A purchase with a signed price, and the amount that the rules estimate without that price.
public struct BacktestRow: Hashable, Sendable {
  /// The comparison of an estimate with the signed price.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// The estimate equals the signed price, in amount and currency.
    case right
    /// The estimate differs from the signed price, in amount or currency.
    case wrong
    /// The estimate is unresolved, with bounds that include the signed price.
    case boundsHold = "bounds_hold"
    /// The estimate is unresolved, with bounds that exclude the signed price.
    case boundsMiss = "bounds_miss"
  }

  /// The position of the row in the purchase history.
  public var row: Int
  /// The signed price, which Apple confirmed.
  public var signed: SignedPrice
  /// The amount that the rules estimate without the signed price.
  public var decided: PaidAmount

  /// The result of comparing the estimated amount with the signed price.
  ///
  /// Example with a signed price of 9.99 USD: an estimate of 9.99 USD → `right`; bounds of 9.99 and
  /// 12.99 USD → `boundsHold`.
  public var outcome: Outcome {
    let isOtherCurrency = decided.currency.map { $0 != signed.currency } ?? false
    if let paid = decided.paid {
      // An amount of 0 is equal in every currency.
      if paid == .zero, signed.amount == .zero { return .right }
      return paid == signed.amount && !isOtherCurrency ? .right : .wrong
    }
    let isBelow = decided.high.map { signed.amount > $0 } ?? false
    let isOutside = signed.amount < decided.low || isBelow
    return isOtherCurrency && decided.high != nil || isOutside ? .boundsMiss : .boundsHold
  }
}

extension PriceEvidence {
  /// Estimates all rows without the signed prices, and compares the results with the signed prices.
  ///
  /// - Returns: The revenue rows with a signed price, in the order of the purchase history.
  /// - Throws: ``AmountError/overflow``, which values within the readers' limits never cause.
  /// - Precondition: The evidence hides the signed prices, and the price book was learned without
  ///   them.
  public func backtest(policy: RenewalPolicy) throws(AmountError) -> [BacktestRow] {
    precondition(hidesSigned, "a backtest needs evidence without the signed prices")
    let rows = (0..<book.revenueCount).filter {
      book.purchases[$0].signed?.price?.canBe ?? false
    }
    guard !rows.isEmpty else { return [] }
    let hidden = try paidAmounts(policy: policy)
    return rows.compactMap { row in
      book.purchases[row].signed?.price.map {
        BacktestRow(row: row, signed: $0, decided: hidden.amounts[row])
      }
    }
  }
}
