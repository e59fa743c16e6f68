internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `owner_correction`: the amount that the owner states for this purchase, with a reason.
  ///
  /// Example: the owner's invoice shows 9.99 USD → 9.99 USD, regardless of reports. A correction in
  /// another currency than the purchase, or for a free trial, is ignored.
  func ownerCorrection(_ row: PricingContext) -> RuleOutcome {
    guard let correction = corrections[row.row] else { return .passed(.noCorrection) }
    guard row.currency.map({ $0 == correction.currency }) ?? true else {
      return .passed(.correctionInOtherCurrency)
    }
    let isFree = row.kind == .trial || book.purchases[row.row].isTrialPeriod == true
    guard !isFree else { return .passed(.correctionOfFreeRow) }
    var decision = Decision(
      paid: correction.amount, low: correction.amount, high: correction.amount,
      status: .configured)
    decision.currency = correction.currency
    return .decided(decision)
  }

  /// The owner's corrections that apply to the batch's revenue rows, keyed by row.
  ///
  /// If two corrections have transaction ids of one purchase, the first is used.
  static func corrections(_ given: [Catalogue.Correction], of book: PurchaseHistory)
    -> [Int: Catalogue.Correction]
  {
    var corrections: [Int: Catalogue.Correction] = [:]
    for correction in given {
      guard let row = book.purchase(named: correction.transactionID), row < book.revenueCount
      else { continue }
      corrections[row] = corrections[row] ?? correction
    }
    return corrections
  }
}

extension RuleText {
  static let ownerCorrection = RuleText(
    .ownerCorrection,
    condition:
      "A line of the owner's corrections has one of the purchase's transaction ids. The line has the purchase's "
      + "currency, if that is known. The row is not a free trial.",
    result: "The amount of that line, for the whole quantity; configured.",
    why:
      "The owner may have an invoice that no export has. audit_correction shows who gave the "
      + "amount, when and why, and what the rules would have decided.")
}
