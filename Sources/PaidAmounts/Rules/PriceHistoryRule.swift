internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `price_history`: the price in force that others reported.
  ///
  /// An introductory row takes only a price of its own storefront whose payment mode fits the time
  /// it covers; where two fit and differ, none.
  func priceHistory(_ row: RowUnderDecision) throws(AmountError) -> RuleOutcome {
    guard row.currency != nil else { return .passed(.currencyUnknown) }
    guard let group = row.group else { return .passed(.noPriceInForce) }
    let found: Int
    switch row.kind {
    case .trial: return .passed(.noPriceInForce)
    case .regular, .oneTime:
      guard let index = history.interval(of: .regular(group), at: row.time) else {
        return .passed(.noPriceInForce)
      }
      found = index
    case .intro:
      switch introductoryInterval(row, group) {
      case .success(let index): found = index
      case .failure(let reason): return .passed(reason)
      }
    case .promo, .offerCode:
      guard let index = offerInterval(row, group) else { return .passed(.noPriceInForce) }
      found = index
    }
    let interval = history.intervals[found]
    var decision = try Decision.known(interval.price, row, .inferred)
    decision.mode = interval.paymentMode.map(RowPaymentMode.init)
    decision.evidence = interval.firstReport
    decision.evidenceCount = interval.voters
    return .decided(decision)
  }

  /// The introductory intervals in force for a row's storefront, one for each payment mode.
  func introductoryIntervals(_ row: RowUnderDecision, _ group: Int32) -> [Int] {
    [PaymentMode.payAsYouGo, .payUpFront].compactMap { mode in
      history.interval(of: .introductory(group, row.storefront, mode), at: row.time)
    }
  }

  private func introductoryInterval(_ row: RowUnderDecision, _ group: Int32)
    -> Result<Int, PassReason>
  {
    let inForce = introductoryIntervals(row, group)
    let fitting = inForce.filter { fits(row, history.intervals[$0]) }
    guard let first = fitting.first else {
      return .failure(inForce.isEmpty ? .noPriceInForce : .paymentModeDoesNotFit)
    }
    let isAgreed = fitting.allSatisfy {
      history.intervals[$0].price == history.intervals[first].price
    }
    return isAgreed ? .success(first) : .failure(.twoPricesFit)
  }

  private func offerInterval(_ row: RowUnderDecision, _ group: Int32) -> Int? {
    for id in [row.offerIDs.0, row.offerIDs.1].compactMap(\.self) {
      if let found = history.interval(of: .offer(group, id), at: row.time) { return found }
    }
    return nil
  }

  private func fits(_ row: RowUnderDecision, _ interval: PriceInterval) -> Bool {
    guard let mode = interval.paymentMode else { return false }
    return fits(
      row, mode: mode, numberOfPeriods: interval.numberOfPeriods, period: interval.period)
  }

  /// Whether a row covers what an offer pays for: one period as you go, all of them up front.
  ///
  /// Where the offer's length is not told: exactly, or more than, the product's period.
  func fits(
    _ row: RowUnderDecision, mode: PaymentMode, numberOfPeriods: Int32?, period: Period?
  ) -> Bool {
    guard let covered = row.coveredPeriod else { return false }
    if let period {
      switch mode {
      case .payAsYouGo: return covered.isAsLong(as: period)
      case .payUpFront:
        guard let count = numberOfPeriods else { return covered.isAsLong(as: period) }
        return period.multiplied(by: Int(count)).map(covered.isAsLong) ?? false
      case .freeTrial: return false
      }
    }
    guard let usual = courses.productPeriods[book.purchases[row.row].productID] else {
      return false
    }
    switch mode {
    case .payAsYouGo: return covered.isAsLong(as: usual)
    case .payUpFront: return covered > usual && !covered.isAsLong(as: usual)
    case .freeTrial: return false
    }
  }
}

extension PassReason: Error {}

extension Period {
  /// Whether a measured period is this long: equal, or the period on sale nearest to it.
  ///
  /// Rows are measured to the nearest period on sale, so an offer of `P30D` covers a `P1M` row.
  func isAsLong(as told: Period) -> Bool {
    if self == told { return true }
    let length = Milliseconds.hours(told.nominalHours)
    return self == Period.nearest(to: length, allowingMultiples: true)
  }
}
