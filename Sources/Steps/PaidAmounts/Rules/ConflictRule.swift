internal import Amounts
internal import Purchases

extension PriceEvidence {
  /// `conflict`: no amount, because the observations of a purchase differ in product or purchase
  /// time.
  func conflict(_ row: PricingContext) -> RuleOutcome {
    guard book.purchases[row.row].conflict != nil else { return .passed(.observationsAgree) }
    return .decided(Decision(paid: nil, low: .zero, high: nil, status: .conflict))
  }
}

extension RuleText {
  static let conflict = RuleText(
    .conflict,
    condition: "Snapshots of the purchase contradict each other in product or purchase time.",
    result: "NULL, bounds [0, NULL]; conflict.",
    why:
      "If snapshots contradict each other, no price is right for all of them. Repair the exports.")
}
