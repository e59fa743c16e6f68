internal import Amounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

extension PriceBook {
  /// The series of an offer's price in a storefront, or of the regular price if `offer` is `nil`.
  ///
  /// `nil` if the price list is unknown.
  func series(of offer: OfferPrice?, in market: MarketIndex, place: Storefront?) -> SeriesKey? {
    let lists = lists(of: market, for: place)
    guard let offer else {
      return lists.count == 1 ? SeriesKey(market, .regular, in: lists[0]) : nil
    }
    if let offerID = offer.offerID {
      return lists.count == 1 ? SeriesKey(market, .offer(offerID), in: lists[0]) : nil
    }
    let length = OfferLength(numberOfPeriods: offer.numberOfPeriods, period: offer.period)
    return SeriesKey(market, .introductory(offer.paymentMode, length), in: place)
  }
}

/// The reported and learned prices that can apply to a row.
extension PriceEvidence {
  /// The families of prices that can apply to a row; empty for a trial.
  ///
  /// A promotional offer or an offer code has one family per offer id.
  func families(of row: PricingContext, in market: MarketIndex) -> [PriceFamily] {
    switch row.kind {
    case .regular, .oneTime: [.regular(market)]
    case .trial: []
    case .intro: [.introductory(market)]
    case .promo, .offerCode: row.presentOfferIDs.map { .offer(market, $0) }
    }
  }

  /// The series of a reported price; `nil` if its price list is unknown.
  func series(of price: ReportedPrice, in market: MarketIndex) -> SeriesKey? {
    let place = reportVerdict(price.position).place
    let lists = prices.lists(of: market, for: place)
    guard let position = price.offer else {
      return lists.count == 1 ? SeriesKey(market, .regular, in: lists[0]) : nil
    }
    let offer = offers[position]
    if let offerID = offer.offerID {
      // Learned prices apply only where and while the fetched list lacks the offer.
      let time = reports[price.position.index].time
      return [lists, prices.learnedLists(of: market, for: place)].lazy
        .filter { $0.count == 1 }.map { SeriesKey(market, .offer(offerID), in: $0[0]) }
        .first { prices.history.index(of: $0, at: time) != nil }
    }
    let length = OfferLength(numberOfPeriods: offer.numberOfPeriods, period: offer.period)
    return SeriesKey(market, .introductory(offer.paymentMode, length), in: place)
  }

  /// The reported amount: the price of one unit, for one period or for the whole offer.
  func amount(of price: ReportedPrice) -> Milliunits {
    price.offer.map { offers[$0].price } ?? report(price.position).price
  }

  /// The payment mode of a price; `nil` for a regular price.
  func mode(of price: ReportedPrice) -> PaymentMode? {
    price.offer.map { offers[$0].paymentMode }
  }

  /// The price in a report that applies to a kind of row; `nil` if there is none.
  ///
  /// A charged amount above 0 applies to every kind of row except a trial. A trial row has no
  /// price, and the free trials among the report's offers are ignored.
  func price(in position: ReportPosition, kind: PeriodKind, offerIDs: (OfferID?, OfferID?))
    -> ReportedPrice?
  {
    let isCharged = report(position).meaning == .charged && report(position).price > .zero
    switch kind {
    case .regular, .oneTime: return ReportedPrice(position: position, offer: nil)
    case .intro where isCharged, .promo where isCharged, .offerCode where isCharged:
      // A charge is the price of the row itself, whatever its kind.
      return ReportedPrice(position: position, offer: nil)
    case .trial: return nil
    case .intro: return offerPrice(in: position) { $0 == nil }
    case .promo, .offerCode:
      for id in [offerIDs.0, offerIDs.1] {
        if let id, let price = offerPrice(in: position, where: { $0 == id }) { return price }
      }
      return nil
    }
  }

  private func offerPrice(in position: ReportPosition, where matches: (OfferID?) -> Bool)
    -> ReportedPrice?
  {
    let regular = report(position).price.rawValue
    let offer = report(position).offers.lazy.map(OfferPosition.init).first {
      matches(offers[$0].offerID) && offers[$0].paymentMode != .freeTrial
        && !prices.discounted.refutes(
          offers[$0], beside: regular, of: report(position).productID)
    }
    return offer.map { ReportedPrice(position: position, offer: $0) }
  }
}
