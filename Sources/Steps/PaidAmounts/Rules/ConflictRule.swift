internal import Amounts
internal import Purchases

extension PriceEvidence {
  /// `conflict`: observations that contradict each other in product or purchase time price nothing.
  func conflict(_ row: PricingContext) -> RuleOutcome {
    guard book.purchases[row.row].conflict != nil else { return .passed(.observationsAgree) }
    return .decided(Decision(paid: nil, low: .zero, high: nil, status: .conflict))
  }
}

extension RuleText {
  static let conflict = RuleText(
    .conflict,
    condition: "Sightings of the purchase contradict each other in product or purchase time.",
    result: "NULL, bounds [0, NULL]; conflict.",
    why: "A purchase that is two purchases has no price until the exports are repaired.")
}
