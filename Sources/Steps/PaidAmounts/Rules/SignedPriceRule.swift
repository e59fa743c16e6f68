internal import Amounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `signed_price`: the charge for the whole quantity, as Apple signed it.
  ///
  /// For example three mugs with a signed price of 36.00 EUR cost 36.00 EUR, whatever phones
  /// showed.
  func signedPrice(_ row: PricingContext) -> RuleOutcome {
    guard let price = signedPrice(ofRow: row.row) else {
      let isSigned = !hidesSigned && book.purchases[row.row].signed?.price != nil
      return .passed(isSigned ? .impossibleSignedPrice : .noSignedPrice)
    }
    // Only a row that the receipt calls a trial may not cost anything: two statements of Apple's.
    guard row.kind != .trial || price.amount == .zero else { return .passed(.noSignedPrice) }
    return .decided(
      Decision(paid: price.amount, low: price.amount, high: price.amount, status: .exact))
  }

  /// The signed price of a revenue row; `nil` if nothing is signed, or an amount that cannot be,
  /// and in a backtest.
  func signedPrice(ofRow row: Int) -> SignedPrice? {
    guard !hidesSigned, let price = book.purchases[row].signed?.price, price.canBe else {
      return nil
    }
    return price
  }
}

extension SignedPrice {
  /// Whether the currency has ever been, and has the decimals of the amount.
  var canBe: Bool { currency.isKnown && currency.allows(amount) }
}

extension RuleText {
  static let signedPrice = RuleText(
    .signedPrice,
    condition: "A signed transaction of the purchase, its signature verified, carries a price that "
      + "its currency can have.",
    result: "That price, for the whole quantity; a trial 0; exact.",
    why: "Only Apple knows what was charged, and signs it.")
}
