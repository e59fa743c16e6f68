internal import Amounts
internal import Purchases

extension PriceEvidence {
  /// `free_trial`: a free introductory period costs 0, regardless of reports.
  func freeTrial(_ row: PricingContext) -> RuleOutcome {
    row.kind == .trial ? .decided(free) : .passed(.notFree)
  }

  /// `free_offer`: a promotional offer or offer code with the trial flag costs 0.
  func freeOffer(_ row: PricingContext) -> RuleOutcome {
    let isOffer = row.kind == .promo || row.kind == .offerCode
    let isFree = book.purchases[row.row].isTrialPeriod == true
    return isOffer && isFree ? .decided(free) : .passed(.notFree)
  }

  private var free: Decision {
    Decision(paid: .zero, low: .zero, high: .zero, status: .zeroByRule, mode: .freeTrial)
  }
}

extension RuleText {
  static let freeTrial = RuleText(
    .freeTrial,
    condition: "The kind is trial: the trial flag is true and no offer id is set.",
    result: "0; zero_by_rule.",
    why: "A free trial costs nothing, regardless of the intro flag and of reported prices.")

  static let freeOffer = RuleText(
    .freeOffer,
    condition: "The kind is promo or offer_code and the trial flag is true.",
    result: "0; zero_by_rule.",
    why: "A free promotional offer or offer code costs nothing.")
}
