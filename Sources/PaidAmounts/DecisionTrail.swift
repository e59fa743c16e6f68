public import Amounts
public import CivilTime
public import PurchaseModel
public import Purchases

/// A price that a rule could have taken.
public struct PriceCandidate: Hashable, Sendable {
  /// Where a candidate comes from.
  public enum Origin: Hashable, Sendable {
    /// A report, by its position in ``SightingSet/reports``.
    case report(Int32)
    /// An earlier row, by its position in the purchase book.
    case row(Int32)
    /// An interval of the price history, by its position in ``PaidAmountBook/intervals``.
    case interval(Int)
    /// The catalogue.
    case catalogue
  }

  /// Where it comes from.
  public var origin: Origin
  /// The price of one unit; `nil` where a report has no price of the row's kind.
  public var price: Milliunits?
  /// The price's currency.
  public var currency: Currency?
  /// How the offer is paid; `nil` for a regular price.
  public var paymentMode: PaymentMode?
  /// What is thought of the report; `nil` for other origins.
  public var verdict: Verdict?
  /// The regular price that the report was judged against; `nil` where nothing was at hand.
  public var reference: Milliunits?
  /// How much later than the purchase it was reported, or in force; `nil` for the catalogue.
  public var distance: Milliseconds?
}

/// How the amount of one row was decided: every rule in order, with what it had to choose from.
public struct DecisionTrail: Sendable {
  /// What came of asking a rule.
  public enum Outcome: Hashable, Sendable {
    /// It decided.
    case decided
    /// It did not apply.
    case passed(PassReason)
    /// It was not asked, because an earlier rule decided.
    case notAsked
  }

  /// One rule.
  public struct Step: Hashable, Sendable {
    /// The rule.
    public var rule: PriceRule
    /// What came of it.
    public var outcome: Outcome
    /// The prices it could choose from, in the order of reports, rows or intervals.
    public var candidates: [PriceCandidate]
  }

  /// The row's position in the purchase book.
  public var row: Int
  /// The amount.
  public var amount: PaidAmount
  /// Every rule, in the order of ``PriceRule``.
  public var steps: [Step]
}

/// Explains the amount of one revenue row by the same code that decided it.
///
/// - Throws: ``AmountError/overflow``; see ``paidAmounts(book:courses:set:catalogue:policy:workers:)``.
public func trail(
  of row: Int, book: PurchaseBook, courses: PurchaseCourses, set: SightingSet,
  catalogue: Catalogue, policy: RenewalPolicy
) throws(AmountError) -> DecisionTrail {
  let evidence = PriceEvidence(book: book, courses: courses, set: set, catalogue: catalogue)
  return try evidence.trail(of: row, policy: policy)
}

extension PriceEvidence {
  /// Explains the amount of one revenue row.
  ///
  /// Decides the chain's rows up to this one, as the rules may look back.
  ///
  /// - Precondition: the row is a revenue row.
  /// - Throws: ``AmountError/overflow``; see ``paidAmounts(book:courses:set:catalogue:policy:workers:)``.
  public func trail(of row: Int, policy: RenewalPolicy) throws(AmountError) -> DecisionTrail {
    let chain = book.chain(ofRow: row)
    var memory = ChainMemory(groups: groups.count)
    memory.beginChain()
    for earlier in book.chains[chain].rows where earlier < row {
      _ = try decide(row: earlier, chain: Int32(chain), policy: policy, memory: &memory)
    }
    if courses.rows[row].followsLapse { memory.noteLapse() }
    let view = look(at: row, chain: Int32(chain))
    let list = listPrice(view)
    var steps: [DecisionTrail.Step] = []
    var decided: (rule: PriceRule, decision: Decision)?
    for rule in Self.rules {
      let candidates = candidates(for: rule, view, memory)
      var outcome = DecisionTrail.Outcome.notAsked
      if decided == nil {
        switch try apply(rule, view, list, &memory, policy) {
        case .passed(let reason): outcome = .passed(reason)
        case .decided(let decision):
          outcome = .decided
          decided = (rule, decision)
        }
      }
      steps.append(DecisionTrail.Step(rule: rule, outcome: outcome, candidates: candidates))
    }
    guard let decided else { preconditionFailure("the last rule decides every row") }
    return DecisionTrail(
      row: row, amount: amount(view, list, decided.rule, decided.decision), steps: steps)
  }

  /// The prices a rule could choose from.
  private func candidates(
    for rule: PriceRule, _ row: RowUnderDecision, _ memory: ChainMemory
  ) -> [PriceCandidate] {
    switch rule {
    case .conflict, .freeTrial, .freeOffer, .unresolved: []
    case .reportedWithPurchase: namingCandidates(row)
    case .sameOffer:
      if let group = row.group, let period = courses.rows[row.row].offerPeriod, row.kind.isOffer,
        let earlier = memory.offerRow(group: group, period: period)
      {
        [candidate(earlier, row)]
      } else {
        []
      }
    case .previousRenewal: renewalCandidates(row, memory)
    case .customerReport: customerCandidates(row)
    case .priceHistory: historyCandidates(row)
    case .catalogueOffer:
      catalogueOffers(row).map {
        PriceCandidate(
          origin: .catalogue, price: $0.price, currency: $0.currency, paymentMode: $0.paymentMode)
      }
    case .cataloguePrice:
      if row.kind == .regular || row.kind == .oneTime, let group = row.group,
        let listed = groups.listPrice(group, at: row.time)
      {
        [
          PriceCandidate(
            origin: .catalogue, price: listed.price, currency: row.currency,
            distance: Milliseconds(listed.from - row.time))
        ]
      } else {
        []
      }
    }
  }

  /// Every report that names the row, believed or not, with the price of the row's kind.
  private func namingCandidates(_ row: RowUnderDecision) -> [PriceCandidate] {
    ledger.naming(row.row).map { position in
      let judgement = ledger.judged[Int(position)]
      let report = set.reports[Int(judgement.report)]
      let vote = vote(of: position, kind: row.kind, offerIDs: row.offerIDs)
        .map { history.votes[Int($0)] }
      return PriceCandidate(
        origin: .report(judgement.report), price: vote.map { Milliunits($0.price) },
        currency: report.currency,
        paymentMode: vote.flatMap { $0.offer < 0 ? nil : set.offers[Int($0.offer)].paymentMode },
        verdict: judgement.verdict, reference: judgement.reference,
        distance: report.reportedAt.since(instant(of: row)))
    }
  }

  /// The earlier renewal and the prices in force then and now.
  private func renewalCandidates(_ row: RowUnderDecision, _ memory: ChainMemory)
    -> [PriceCandidate]
  {
    guard row.kind == .regular, let group = row.group,
      let earlier = memory.regularRow(group: group)
    else { return [] }
    let series = SeriesKey.regular(group)
    let then = history.interval(of: series, at: earlier.time)
    let now = history.interval(of: series, at: row.time)
    return [candidate(earlier, row)]
      + [then, now == then ? nil : now].compactMap(\.self).map { candidate($0, row) }
  }

  /// The prices the customer, else the chain, reported.
  private func customerCandidates(_ row: RowUnderDecision) -> [PriceCandidate] {
    guard let group = row.group else { return [] }
    return families(of: row, group: group).flatMap { family in
      customerPrices.votes(family: family, chain: row.chain, customer: row.customer).map {
        let vote = history.votes[Int($0)]
        let judgement = ledger.judged[Int(vote.report)]
        return PriceCandidate(
          origin: .report(judgement.report), price: Milliunits(vote.price),
          currency: row.currency,
          paymentMode: vote.offer < 0 ? nil : set.offers[Int(vote.offer)].paymentMode,
          verdict: judgement.verdict, distance: Milliseconds(vote.time - row.time))
      }
    }
  }

  /// The prices in force for the row.
  private func historyCandidates(_ row: RowUnderDecision) -> [PriceCandidate] {
    guard let group = row.group else { return [] }
    let found: [Int]
    switch row.kind {
    case .trial: found = []
    case .regular, .oneTime:
      found = [history.interval(of: .regular(group), at: row.time)].compactMap(\.self)
    case .intro: found = introductoryIntervals(row, group)
    case .promo, .offerCode:
      found = [row.offerIDs.0, row.offerIDs.1].compactMap(\.self).compactMap {
        history.interval(of: .offer(group, $0), at: row.time)
      }
    }
    return found.map { candidate($0, row) }
  }

  private func candidate(_ earlier: PricedRow, _ row: RowUnderDecision) -> PriceCandidate {
    PriceCandidate(
      origin: .row(Int32(earlier.row)), price: earlier.unitPrice, currency: row.currency,
      distance: Milliseconds(earlier.time - row.time))
  }

  private func candidate(_ index: Int, _ row: RowUnderDecision) -> PriceCandidate {
    let interval = history.intervals[index]
    return PriceCandidate(
      origin: .interval(index), price: interval.price, currency: interval.series.currency,
      paymentMode: interval.paymentMode, distance: interval.from?.since(instant(of: row)))
  }

  private func instant(of row: RowUnderDecision) -> Instant {
    book.purchases[row.row].purchasedAt
  }
}
