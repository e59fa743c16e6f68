internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// An offer with one of its prices, and the days on which this price was in force.
struct PricedOffer {
  var offer: CatalogueText.Offer
  var days: Catalogue.OfferDays

  /// Returns the offers of a product with the days of their prices.
  ///
  /// If the price of an offer changed, the offer is listed once for each price. A price applies
  /// from its first day until the next price of the offer begins, and at most until its last day.
  ///
  /// A fetched price without a first day applies from the day on which it was listed first. If it
  /// is the offer's first price, it applies from the first day of the regular price that was in
  /// force then, because new offers often come with a new regular price. Example: the first fetch
  /// has the offer at 4.99 and a regular price of 9.99 since March 3 → 4.99 applies from March 3
  /// on.
  static func all(of product: CatalogueText.Product) -> [PricedOffer] {
    let fetched = product.offers.filter { $0.seen != nil }
    let groups = Dictionary(grouping: fetched, by: OfferLineKey.init)
    let regular = Dictionary(grouping: product.prices.filter { $0.seen != nil }) { $0.storefront }
      .mapValues { PriceListSteps.steps($0) }
    return product.offers.map { offer in
      let end = offer.to?.advanced(by: 1)
      guard offer.seen != nil, let lines = groups[OfferLineKey(offer)] else {
        return PricedOffer(offer: offer, days: Catalogue.OfferDays(from: offer.from, to: end))
      }
      let appeared = lines.map(\.firstSeen).min() ?? .beginning
      func start(_ line: CatalogueText.Offer) -> CivilDay {
        if let from = line.from { return from }
        guard line.firstSeen == appeared else { return line.firstSeen }
        return regular[line.storefront]?.last { $0.from <= appeared }?.from ?? .beginning
      }
      let from = start(offer)
      let next = lines.map(start).filter { $0 > from }.min()
      return PricedOffer(
        offer: offer,
        days: Catalogue.OfferDays(
          from: from == .beginning ? nil : from, to: [end, next].compactMap(\.self).min()))
    }
  }

  /// The paid introductory prices of a product, sorted by storefront, then first day.
  static func introductory(of product: CatalogueText.Product) -> [Catalogue.Introductory] {
    all(of: product).compactMap { priced -> Catalogue.Introductory? in
      let offer = priced.offer
      guard offer.kind == .introductory, offer.paymentMode != .freeTrial,
        let storefront = offer.storefront
      else { return nil }
      return Catalogue.Introductory(
        storefront: storefront, currency: offer.currency, price: offer.price,
        paymentMode: offer.paymentMode, numberOfPeriods: offer.numberOfPeriods,
        period: offer.period, days: priced.days)
    }.sorted { left, right in
      (left.storefront, left.days.from ?? .beginning, left.paymentMode, left.price)
        < (right.storefront, right.days.from ?? .beginning, right.paymentMode, right.price)
    }
  }
}

extension CatalogueText.Offer {
  fileprivate var firstSeen: CivilDay { seen?.first ?? .beginning }
}

/// The properties of an offer that stay equal when its price changes.
struct OfferLineKey: Hashable {
  var kind: CatalogueText.OfferKind
  var identifier: String?
  var storefront: Storefront?
  var currency: Currency
  var paymentMode: PaymentMode
  var numberOfPeriods: Int32?
  var period: Period?

  init(_ offer: CatalogueText.Offer) {
    kind = offer.kind
    identifier = offer.identifier
    storefront = offer.storefront
    currency = offer.currency
    paymentMode = offer.paymentMode
    numberOfPeriods = offer.numberOfPeriods
    period = offer.period
  }
}
