internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `reported_charge`: what was paid for the row, according to a charge with its transaction id.
  ///
  /// The charge is not compared with what others were shown: a subscriber may keep an old price.
  /// Example: new subscribers pay 12.99 USD, and the decoded transaction of a renewal has the price
  /// 8.99 USD → 8.99 USD, derived.
  func reportedCharge(_ row: PricingContext, _ notes: inout DecisionNotes)
    throws(AmountError) -> RuleOutcome
  {
    noteCharges(row, &notes)
    let charge: DecidingCharge
    switch row.charge {
    case .none: return .passed(.noCharge)
    case .contested: return .passed(.chargesDiffer)
    case .otherUnit: return .passed(.chargeTooFar)
    case .stated(let stated): charge = stated
    }
    let inForce = pricesInForce(row)
    let total = try Self.total(of: charge, row, inForce)
    guard try !Self.isFar(total, row, from: inForce) else { return .passed(.chargeTooFar) }
    if report(charge.position).sender == .service, !charge.isProven,
      try isListPrice(total, row, inForce)
    {
      return .passed(.serviceInfersOffers)
    }
    let isCertain =
      charge.isProven && (charge.isOfApple || !mayBePromoCode(row))
      || isConfirmed(charge, total, row)
    var decision = Decision(
      paid: total, low: total, high: total, status: isCertain ? .exact : .derived)
    decision.evidence = report(charge.position).evidenceID
    decision.currency = charge.currency
    if row.kind == .regular || row.kind == .oneTime { decision.interval = interval(total, row) }
    return .decided(decision)
  }

  /// The regular prices of one unit that may be in force at the time of a row.
  private func pricesInForce(_ row: PricingContext) -> [Milliunits] {
    guard let market = row.market else { return [] }
    return row.lists.compactMap { prices.priceInForce(market, in: $0, at: row.time)?.price }
  }

  /// The amount of the whole quantity.
  ///
  /// A charge is the whole transaction's amount, but some tables state the price of one unit: this
  /// is the case if the charge equals the price in force of one unit. Example: three packs of coins
  /// at 0.99 each. Both a charge of 2.97 and a charge of 0.99 mean 2.97.
  private static func total(
    of charge: DecidingCharge, _ row: PricingContext, _ inForce: [Milliunits]
  ) throws(AmountError) -> Milliunits {
    guard row.quantity > 1, inForce.contains(charge.amount) else { return charge.amount }
    let whole = try charge.amount.multiplied(by: row.quantity)
    for price in inForce where try price.multiplied(by: row.quantity) == charge.amount {
      return charge.amount
    }
    return whole
  }

  /// Whether an amount is 50 times away from every price in force.
  ///
  /// Such an amount is in another unit or currency. An offer may cost much less than the regular
  /// price, so a low price of an offer is not far.
  private static func isFar(
    _ total: Milliunits, _ row: PricingContext, from inForce: [Milliunits]
  ) throws(AmountError) -> Bool {
    guard !inForce.isEmpty else { return false }
    for price in inForce {
      let usual = try price.multiplied(by: row.quantity).rawValue
      let isHigh = total.rawValue / farthest >= usual
      let isLow = !row.kind.isOffer && usual / farthest >= total.rawValue
      guard isHigh || isLow else { return false }
    }
    return true
  }

  /// Whether the charge of an offer's row is the list price of the period that the row pays for.
  ///
  /// A service that does not know the offer's price states the product's. Example: RevenueCat
  /// states 9.99 for a month by an offer code, and 9.99 is the list price.
  private func isListPrice(
    _ total: Milliunits, _ row: PricingContext, _ inForce: [Milliunits]
  ) throws(AmountError) -> Bool {
    guard row.kind == .promo || row.kind == .offerCode else { return false }
    let usual = timelines.productPeriods[book.purchases[row.row].productID]
    guard row.coveredPeriod == nil || usual == nil || row.coveredPeriod == usual else {
      return false
    }
    for price in inForce where try price.multiplied(by: row.quantity) == total { return true }
    return false
  }

  /// The factor from which on an amount is too far from the price in force.
  private static let farthest: Int64 = 50

  /// Whether the charge has a vote, and other customers confirm its price as they would confirm a
  /// price report.
  private func isConfirmed(_ charge: DecidingCharge, _ total: Milliunits, _ row: PricingContext)
    -> Bool
  {
    let verdict = reportVerdict(charge.position)
    guard verdict.verdict == .believed, verdict.isConfirmed,
      report(charge.position).price == total
    else { return false }
    return isSettled(
      DecidingReport(
        position: charge.position, price: ReportedPrice(position: charge.position, offer: nil),
        isContested: false, isElsewhere: false), row)
  }

  /// The interval of the price in force, if the row paid this price.
  private func interval(_ total: Milliunits, _ row: PricingContext) -> Int? {
    guard let market = row.market, row.lists.count == 1,
      let index = prices.history.index(
        of: SeriesKey(market, .regular, in: row.lists[0]), at: row.time),
      prices.history.intervals[index].price.rawValue * row.quantity == total.rawValue
    else { return nil }
    return index
  }

  /// Records every charge with the row's transaction id, for the command `explain`.
  private func noteCharges(_ row: PricingContext, _ notes: inout DecisionNotes) {
    guard notes.areKept else { return }
    for position in named.reports(naming: row.row) where report(position).isCharge {
      notes.add(
        candidate(
          position, ReportedPrice(position: position, offer: nil),
          distance: report(position).reportedAt.since(row.time)))
    }
  }
}

extension RuleText {
  static let reportedCharge = RuleText(
    .reportedCharge,
    condition:
      "A charge has one of the purchase's transaction ids and its product: the decoded transaction "
      + "of Apple, the first purchase in a subscription service's export, or a row of a table with "
      + "`price_is: charged`. All charges of the purchase state one amount. The amount is not 50 "
      + "times away from the price in force, nor 0 for a paid row, nor a service's list price for a "
      + "promotional offer or an offer code.",
    result:
      "The charge, which covers the whole quantity; of several units, the charge × quantity if it "
      + "equals the price in force of one unit. The status is derived. It is exact if charges of two "
      + "senders agree (Apple, a service, the owner), if the pipeline's entry has `trusted: true` or "
      + "`signatures: trust`, or if a charge at the list price meets the conditions of "
      + "reported_with_purchase for exact.",
    why:
      "A charge is what was paid, not what a phone was shown. So it is not compared with other "
      + "customers' prices: a subscriber may keep an old price.")
}
