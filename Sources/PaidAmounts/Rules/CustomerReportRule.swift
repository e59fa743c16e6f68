internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `customer_report`: the price the same customer, else chain, reported near the purchase.
  ///
  /// The nearest believed report at or before it, else the first within 24 hours after; none where
  /// the price changed in between.
  func customerReport(_ row: RowUnderDecision) throws(AmountError) -> RuleOutcome {
    guard row.currency != nil else { return .passed(.currencyUnknown) }
    guard let group = row.group, let position = customerVote(row, group) else {
      return .passed(.noReportOfCustomer)
    }
    let vote = history.votes[Int(position)]
    guard !hasBoundary(vote, row, group) else { return .passed(.priceChangedSinceReport) }
    var decision = try Decision.known(Milliunits(vote.price), row, .derived)
    describe(&decision, by: vote)
    return .decided(decision)
  }

  private func customerVote(_ row: RowUnderDecision, _ group: Int32) -> Int32? {
    for family in families(of: row, group: group) {
      let nearest = customerPrices.nearest(
        to: row.time, family: family, chain: row.chain, customer: row.customer)
      if let nearest { return nearest }
    }
    return nil
  }

  /// Whether an interval or a stretch begins between a vote and the purchase.
  private func hasBoundary(_ vote: PriceVote, _ row: RowUnderDecision, _ group: Int32) -> Bool {
    let series = Int(vote.series)
    if history.series[series].isRegular,
      groups.stretch(group, at: vote.time) != groups.stretch(group, at: row.time)
    {
      return true
    }
    return history.interval(of: series, at: vote.time)
      != history.interval(of: series, at: row.time)
  }
}
