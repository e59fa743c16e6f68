internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `reported_with_purchase`: what a believed report that names the purchase says was asked.
  ///
  /// Exact, or derived where the report had nothing to be compared with, or where equally many
  /// voters name the purchase with another price. A lone liar who names his own purchase with a
  /// price within a third and three times the usual one is believed: nobody else was there.
  func reportedWithPurchase(_ row: RowUnderDecision) throws(AmountError) -> RuleOutcome {
    guard let naming = row.naming else { return .passed(reasonWithoutNaming(row)) }
    let vote = history.votes[Int(naming.vote)]
    let hasReference = ledger.judged[Int(vote.report)].verdict == .believed
    var decision = try Decision.known(
      Milliunits(vote.price), row, hasReference && !naming.isContested ? .exact : .derived)
    describe(&decision, by: vote)
    return .decided(decision)
  }

  /// Adds a vote's report, voters and payment mode to a decision.
  func describe(_ decision: inout Decision, by vote: PriceVote) {
    decision.evidence = ledger.judged[Int(vote.report)].report
    decision.evidenceCount = vote.voters
    if vote.offer >= 0 {
      decision.mode = RowPaymentMode(set.offers[Int(vote.offer)].paymentMode)
    }
  }

  /// The believed report that decides a row it names; `nil` where none has the kind's price.
  ///
  /// Of several the one reported nearest to the purchase (ties: earlier, then the smaller evidence
  /// id); where they contradict each other, a price with more distinct voters goes first.
  func namingVote(
    of row: Int, named: ArraySlice<Int32>, kind: PeriodKind, offerIDs: (OfferID?, OfferID?)
  ) -> NamingVote? {
    var votes: [Int32] = []
    for report in named where ledger.judged[Int(report)].verdict.isBelieved {
      if let vote = vote(of: report, kind: kind, offerIDs: offerIDs) { votes.append(vote) }
    }
    guard let first = votes.first else { return nil }
    if votes.count == 1 { return NamingVote(vote: first, isContested: false) }

    let claims = votes.map { position in
      let vote = history.votes[Int(position)]
      return Claim(
        currency: report(vote.report).currency, price: vote.price, voter: vote.voter,
        nearness: nearness(vote.report, row), vote: position)
    }.sorted { ($0.currency, $0.price, $0.voter) < ($1.currency, $1.price, $1.voter) }
    var best: (voters: Int, claim: Claim)?
    var isContested = false
    var start = 0
    while start < claims.count {
      var end = start
      var voters = 0
      var nearest = claims[start]
      while end < claims.count, claims[end].isSamePrice(as: claims[start]) {
        if end == start || claims[end].voter != claims[end - 1].voter { voters += 1 }
        if claims[end].nearness < nearest.nearness { nearest = claims[end] }
        end += 1
      }
      if let known = best, known.voters > voters {
        // Outvoted.
      } else if let known = best, known.voters == voters {
        // One voter who corrects himself contests nothing.
        let isSameVoter = voters == 1 && known.claim.voter == nearest.voter
        isContested = isContested || !isSameVoter
        if nearest.nearness < known.claim.nearness { best = (voters, nearest) }
      } else {
        best = (voters, nearest)
        isContested = false
      }
      start = end
    }
    return best.map { NamingVote(vote: $0.claim.vote, isContested: isContested) }
  }

  private struct Claim {
    var currency: Currency
    var price: Int64
    var voter: Int32
    var nearness: (Int64, Int64, Int32)
    var vote: Int32

    func isSamePrice(as other: Claim) -> Bool {
      currency == other.currency && price == other.price
    }
  }

  private func reasonWithoutNaming(_ row: RowUnderDecision) -> PassReason {
    let named = ledger.naming(row.row)
    guard !named.isEmpty else { return .noReportNamesIt }
    let believed = named.count { ledger.judged[Int($0)].verdict.isBelieved }
    return believed == 0
      ? .namingReportsNotBelieved(count: named.count) : .namingReportsLackPrice(count: believed)
  }
}

extension RowPaymentMode {
  /// The mode of an offer's price.
  init(_ mode: PaymentMode) {
    switch mode {
    case .payAsYouGo: self = .payAsYouGo
    case .payUpFront: self = .payUpFront
    case .freeTrial: self = .freeTrial
    }
  }
}
