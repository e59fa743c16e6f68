internal import Amounts
internal import Purchases

extension PriceEvidence {
  /// `same_offer`: a later row of an offer period costs what the earlier one did.
  ///
  /// A free row of the period sets no price for a paid one.
  func sameOffer(_ row: RowUnderDecision, _ memory: ChainMemory) throws(AmountError)
    -> RuleOutcome
  {
    guard row.kind.isOffer, let period = courses.rows[row.row].offerPeriod else {
      return .passed(.notAnOffer)
    }
    guard let group = row.group else {
      return .passed(row.currency == nil ? .currencyUnknown : .noEarlierRowOfOffer)
    }
    guard let earlier = memory.offerRow(group: group, period: period) else {
      return .passed(.noEarlierRowOfOffer)
    }
    var decision = try Decision.known(earlier.unitPrice, row, earlier.amount.status.carriedOn)
    decision.mode = earlier.amount.paymentMode
    decision.evidence = earlier.amount.evidence
    decision.evidenceCount = earlier.amount.evidenceCount
    decision.basis = Int32(earlier.row)
    return .decided(decision)
  }
}

extension PriceStatus {
  /// The status of an amount that rests on an earlier row's: never better than derived.
  var carriedOn: PriceStatus { self == .inferred || self == .configured ? self : .derived }
}
