internal import Amounts
internal import Purchases

extension PriceEvidence {
  /// `free_trial`: a free introductory period costs nothing, whatever is reported.
  func freeTrial(_ row: RowUnderDecision) -> RuleOutcome {
    row.kind == .trial ? .decided(free) : .passed(.notFree)
  }

  /// `free_offer`: a promotional offer or offer code under the trial flag costs nothing.
  func freeOffer(_ row: RowUnderDecision) -> RuleOutcome {
    let isOffer = row.kind == .promo || row.kind == .offerCode
    let isFree = book.purchases[row.row].isTrialPeriod == true
    return isOffer && isFree ? .decided(free) : .passed(.notFree)
  }

  private var free: Decision {
    Decision(paid: .zero, low: .zero, high: .zero, status: .zeroByRule, mode: .freeTrial)
  }
}
