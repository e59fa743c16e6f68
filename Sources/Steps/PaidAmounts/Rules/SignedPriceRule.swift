internal import Amounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `signed_price`: the charge for the whole quantity, as Apple signed it.
  ///
  /// For example three mugs with a signed price of 36.00 EUR cost 36.00 EUR, whatever phones
  /// showed.
  func signedPrice(_ row: RowUnderDecision) -> RuleOutcome {
    guard let price = signedPrice(ofRow: row.row) else { return .passed(.noSignedPrice) }
    // Only a row that the receipt calls a trial may not cost anything: two statements of Apple's.
    guard row.kind != .trial || price.amount == .zero else { return .passed(.noSignedPrice) }
    return .decided(
      Decision(paid: price.amount, low: price.amount, high: price.amount, status: .exact))
  }

  /// The signed price of a revenue row; `nil` if nothing is signed, and in a backtest.
  func signedPrice(ofRow row: Int) -> SignedPrice? {
    hidesSigned ? nil : book.purchases[row].signed?.price
  }
}

extension RuleText {
  static let signedPrice = RuleText(
    .signedPrice,
    condition: "A signed transaction of the purchase, its signature verified, carries a price.",
    result: "That price, for the whole quantity; a trial 0; exact.",
    why: "Only Apple knows what was charged, and signs it.")
}
