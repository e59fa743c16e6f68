internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `price_history`: the price in force, from other customers' reports or the fetched price list.
  ///
  /// The rule depends on the kind of the row:
  ///
  /// - Regular row: the price is in the list of the row's storefront. If several lists may apply
  ///   because the storefront is unknown, all lists with a known price must have the same price.
  /// - Introductory row: the price must be of the row's storefront, and its payment mode and length
  ///   must fit the row's period. If two different prices fit, the rule does not apply.
  ///
  /// Example: ten others report 9.99 USD in March: a purchase in March is 9.99.
  func priceHistory(_ row: PricingContext, _ notes: inout DecisionNotes) throws(AmountError)
    -> RuleOutcome
  {
    guard row.currency != nil else { return .passed(.currencyUnknown) }
    guard let market = row.market else { return .passed(.noPriceInForce) }
    let inForce = seriesInForce(row, market)
    for index in inForce { notes.add(candidate(interval: index, row)) }
    guard !isBetweenPrices(row), unsettledPrices(row) == nil else {
      return .passed(.betweenTwoPrices)
    }
    guard !mayKeepPriceSinceOffer(row) else { return .passed(.mayKeepPrice) }
    let fitting =
      row.kind == .intro ? inForce.filter { fits(row, prices.history.intervals[$0]) } : inForce
    guard let first = fitting.first else {
      return .passed(inForce.isEmpty ? .noPriceInForce : .paymentModeDoesNotFit)
    }
    let interval = prices.history.intervals[first]
    guard fitting.allSatisfy({ prices.history.intervals[$0].price == interval.price }) else {
      return .passed(row.kind == .intro ? .twoPricesFit : .priceListsDiffer)
    }
    let isListed = fitting.allSatisfy { prices.history.intervals[$0].isListed }
    var decision = try Decision.known(interval.price, row, isListed ? .derived : .inferred)
    decision.mode = interval.paymentMode.map(RowPaymentMode.init)
    decision.evidence = interval.firstReport
    decision.interval = first
    return .decided(decision)
  }

  /// Returns true if a regular row lies between the last report of a price and the first report of
  /// the next price, and the catalogue lacks the date of the change.
  func isBetweenPrices(_ row: PricingContext) -> Bool {
    guard row.kind == .regular || row.kind == .oneTime, let market = row.market else {
      return false
    }
    return row.lists.contains { prices.change(market, in: $0, around: row.time) != nil }
  }

  /// The intervals in force for a row, as positions in the price history.
  ///
  /// A regular price or an offer has one interval per possible price list; an introductory price
  /// has one per length.
  func seriesInForce(_ row: PricingContext, _ market: MarketIndex) -> [Int] {
    switch row.kind {
    case .trial: return []
    case .regular, .oneTime:
      return row.lists.compactMap {
        prices.history.index(of: SeriesKey(market, .regular, in: $0), at: row.time)
      }
    case .intro:
      return prices.history.introductory(market, in: row.storefront).compactMap {
        prices.history.index(of: $0, at: row.time)
      }
    case .promo, .offerCode:
      // Reports may show an offer after its end in the fetched list.
      for lists in [row.lists, prices.learnedLists(of: market, for: row.storefront)] {
        for id in row.presentOfferIDs {
          let found = lists.compactMap {
            prices.history.index(of: SeriesKey(market, .offer(id), in: $0), at: row.time)
          }
          if !found.isEmpty { return found }
        }
      }
      return []
    }
  }

  func fits(_ row: PricingContext, _ interval: PriceInterval) -> Bool {
    guard let mode = interval.paymentMode else { return false }
    return fits(row, mode: mode, length: interval.length)
  }

  /// Returns true if a row is as long as an offer.
  ///
  /// A row of a pay-as-you-go offer lasts one period, a row of an offer paid up front lasts all
  /// periods. Example: an offer of `3 × P1M` fits a row of three months if paid up front, and a row
  /// of a single month if paid as you go.
  ///
  /// If the offer's length is unknown, the row is compared with the product's usual period. The row
  /// must be as long for pay as you go, and longer for pay up front.
  func fits(_ row: PricingContext, mode: PaymentMode, length: OfferLength) -> Bool {
    guard let covered = row.coveredPeriod else { return false }
    if let period = length.period {
      switch mode {
      case .payAsYouGo: return covered.isAsLong(as: period)
      case .payUpFront:
        guard let count = length.numberOfPeriods else { return covered.isAsLong(as: period) }
        return period.multiplied(by: Int(count)).map(covered.isAsLong) ?? false
      case .freeTrial: return false
      }
    }
    guard let usual = timelines.productPeriods[book.purchases[row.row].productID] else {
      return false
    }
    switch mode {
    case .payAsYouGo: return covered.isAsLong(as: usual)
    case .payUpFront: return covered > usual && !covered.isAsLong(as: usual)
    case .freeTrial: return false
    }
  }
}

extension Period {
  /// Returns true if this period of a row equals the length of an offer.
  ///
  /// The period of a row is rounded to the nearest period on sale. So a length that rounds to this
  /// period is equal too: an offer of `P30D` fits a row of `P1M`.
  func isAsLong(as other: Period) -> Bool {
    if self == other { return true }
    let length = Milliseconds.hours(other.nominalHours)
    return self == Period.nearest(to: length, allowingMultiples: true)
  }
}

extension RuleText {
  static let priceHistory = RuleText(
    .priceHistory,
    condition:
      "The row's currency is known, and other customers' reports or the fetched price list "
      + "show the price in force in its storefront; if the storefront is not known, in every "
      + "storefront of the currency. An introductory price must be of the row's storefront, "
      + "with a payment mode and length that fit the row. The rule does not apply between the "
      + "last report of a regular price and the first report of the next price, unless the "
      + "catalogue has the date of the change, nor where a service's export, which alone has the "
      + "row, contradicts the price. A price does not begin before the day that the "
      + "catalogue gives it.",
    result:
      "Price × quantity; inferred, or derived if App Store Connect's fetched price list gives "
      + "the price.",
    why: "At any time, a storefront charges every new subscriber the same price.")
}
