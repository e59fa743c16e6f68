public import Amounts
internal import CivilTime
public import PurchaseModel
internal import Purchases

/// A purchase with a signed price, decided again as if that price were not known.
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
  /// The signed price.
  public var signed: SignedPrice
  /// The amount that the rules decide without it.
  public var decided: PaidAmount

  /// Creates a row from its fields.
  public init(row: Int, signed: SignedPrice, decided: PaidAmount) {
    self.row = row
    self.signed = signed
    self.decided = decided
  }

  /// The verdict on the rules' amount, against the signed price.
  ///
  /// Signed 9.99 USD, `price_history` gave 9.99 USD → right; unresolved between 9.99 and 12.99 →
  /// the bounds hold.
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

extension PriceEvidence {
  /// Decides all rows with the signed prices hidden, and compares the results with the signed
  /// prices.
  ///
  /// - Parameter policy: The price that a renewal after a price rise is booked at.
  /// - Returns: The revenue rows with a signed price, in their order.
  /// - Throws: ``AmountError/overflow``, which values within the readers' limits never cause.
  /// - Precondition: the evidence hides the signed prices, and its price book was learned without
  ///   them.
  public func backtest(policy: RenewalPolicy) throws(AmountError) -> [BacktestRow] {
    precondition(hidesSigned, "signed prices would be compared with themselves")
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
