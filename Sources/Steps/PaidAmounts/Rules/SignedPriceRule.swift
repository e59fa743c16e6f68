internal import Amounts
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `signed_price`: the charge that Apple signed, for the whole quantity.
  ///
  /// Example: three mugs with a signed price of 36.00 EUR are 36.00 EUR, regardless of reports.
  func signedPrice(_ row: PricingContext) -> RuleOutcome {
    guard let price = signedPrice(ofRow: row.row) else {
      let isSigned = !hidesSigned && book.purchases[row.row].signed?.price != nil
      return .passed(isSigned ? .impossibleSignedPrice : .noSignedPrice)
    }
    // A trial must be free; otherwise receipt and signed transaction contradict each other.
    guard row.kind != .trial || price.amount == .zero else { return .passed(.noSignedPrice) }
    return .decided(
      Decision(paid: price.amount, low: price.amount, high: price.amount, status: .exact))
  }

  /// The signed price of a revenue row.
  ///
  /// `nil` without a signature, for an impossible amount, and in a backtest.
  func signedPrice(ofRow row: Int) -> SignedPrice? {
    guard !hidesSigned, let price = book.purchases[row].signed?.price, price.canBe else {
      return nil
    }
    return price
  }
}

extension SignedPrice {
  /// Whether the price is possible: its currency has existed, and allows the amount's decimals.
  var canBe: Bool { currency.isKnown && currency.allows(amount) }
}

extension RuleText {
  static let signedPrice = RuleText(
    .signedPrice,
    condition:
      "A signed transaction of the purchase, with a verified signature, has a price that is "
      + "possible in its currency.",
    result: "The signed price, which covers the whole quantity (0 for a trial); exact.",
    why: "Apple knows what it charged, and its signature proves that the price is from Apple.")
}
