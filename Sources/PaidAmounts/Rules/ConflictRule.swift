internal import Amounts
internal import Purchases

extension PriceEvidence {
  /// `conflict`: sightings that contradict each other in product or purchase time price nothing.
  func conflict(_ row: RowUnderDecision) -> RuleOutcome {
    guard book.purchases[row.row].conflict != nil else { return .passed(.sightingsAgree) }
    return .decided(Decision(paid: nil, low: .zero, high: nil, status: .conflict))
  }
}
