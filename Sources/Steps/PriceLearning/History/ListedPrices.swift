internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// The fetched price list of App Store Connect, as intervals.
///
/// From the first listed price of a product in a storefront on, the product's prices there are not
/// inferred from reports. Instead, reports are compared with the listed prices.
struct ListedPrices: Sendable {
  /// The storefronts with a regular price in the list, ascending, keyed by market.
  private var storefronts: [[Storefront]]
  /// The intervals of each series, ascending in time.
  private(set) var intervals: [SeriesKey: [PriceInterval]] = [:]
  /// The moments from which listed prices of offers replace learned prices.
  ///
  /// One moment applies to all introductory prices of a market and storefront.
  private var starts: [SeriesKey: Instant] = [:]

  init(_ catalogue: Catalogue, markets: Markets) {
    storefronts = Array(repeating: [], count: markets.count)
    for number in 0..<Int32(markets.count) {
      let market = MarketIndex(number)
      guard let product = catalogue.product(of: market, in: markets) else { continue }
      add(product, market, markets.currency(market))
    }
    for series in intervals.keys where series.kind != .regular {
      intervals[series] = intervals[series].flatMap(Self.unambiguous)
      guard let start = intervals[series]?.first?.start else { continue }
      let place = series.ofAnyLength
      starts[place] = min(starts[place] ?? start, start)
    }
  }

  var isEmpty: Bool { intervals.isEmpty }

  /// The storefronts of a market with a regular price in the list, ascending.
  func storefronts(of market: MarketIndex) -> [Storefront] { storefronts[Int(market.rawValue)] }

  /// The listed regular price at a moment; `nil` if the list has none for that moment.
  func price(_ market: MarketIndex, in place: Storefront, at time: Instant) -> Milliunits? {
    intervals[SeriesKey(market, .regular, in: place)]?.last { $0.holds(at: time) }?.price
  }

  /// Returns true if a reported price agrees with the list; `nil` if the list has no price to
  /// compare.
  ///
  /// A day of App Store Connect has no time zone. So a price is also accepted in the day before its
  /// first day and in the day after its last day.
  func agrees(
    _ price: Milliunits, _ market: MarketIndex, in place: Storefront?, at time: Instant
  ) -> Bool? {
    guard !isEmpty, let place, self.price(market, in: place, at: time) != nil else { return nil }
    return [-1, 0, 1].contains { day in
      self.price(market, in: place, at: time.advanced(by: .days(day))) == price
    }
  }

  private mutating func add(
    _ product: Catalogue.Product, _ market: MarketIndex, _ currency: Currency
  ) {
    // A price that the owner entered ends the fetched price before it. The owner's price is only in
    // the catalogue.
    let lists = Dictionary(grouping: product.prices) { $0.storefront }
    for case (let storefront?, let lines) in lists {
      let steps = lines.sorted { $0.from < $1.from }
      let series = SeriesKey(market, .regular, in: storefront)
      for (index, step) in steps.enumerated() where step.isFetched && step.currency == currency {
        let from = step.from.start
        let to = index + 1 < steps.count ? steps[index + 1].from.start : nil
        let isFirst = from < Self.beginning
        intervals[series, default: []].append(
          interval(product.productID, currency, series, step.price, isFirst ? nil : from, to))
      }
      if intervals[series] != nil { storefronts[Int(market.rawValue)].append(storefront) }
    }
    storefronts[Int(market.rawValue)].sort()
    for offer in product.offers where offer.isFetched && offer.currency == currency {
      guard let storefront = offer.storefront, offer.paymentMode != .freeTrial else { continue }
      let series = SeriesKey(market, .offer(offer.identifier), in: storefront)
      add(
        offer.price, offer.paymentMode,
        OfferLength(numberOfPeriods: offer.numberOfPeriods, period: offer.period), offer.days,
        product.productID, currency, series)
    }
    for offer in product.introductory where offer.currency == currency {
      let length = OfferLength(numberOfPeriods: offer.numberOfPeriods, period: offer.period)
      let series = SeriesKey(
        market, .introductory(offer.paymentMode, length), in: offer.storefront)
      add(
        offer.price, offer.paymentMode, length, offer.days, product.productID, currency, series)
    }
  }

  /// Returns the intervals of an offer, oldest first; `nil` if none is left.
  ///
  /// Leaves out intervals that overlap in time but differ in price, payment mode or length. Only
  /// the rules for single rows can decide between these intervals.
  private static func unambiguous(_ intervals: [PriceInterval]) -> [PriceInterval]? {
    let sorted = intervals.sorted { $0.start < $1.start }
    var known: [PriceInterval] = []
    for (position, interval) in sorted.enumerated() {
      let others = sorted.indices.filter { $0 != position && sorted[$0].overlaps(interval) }
      guard others.allSatisfy({ sorted[$0].isSamePrice(as: interval) }) else { continue }
      if let last = known.last, last.overlaps(interval) {
        known[known.count - 1].to = last.end < interval.end ? interval.to : last.to
      } else {
        known.append(interval)
      }
    }
    return known.isEmpty ? nil : known
  }

  /// The moment from which listed prices replace the learned prices of an offer; `nil` if the list
  /// never has a price of the offer.
  fileprivate func start(replacing series: SeriesKey) -> Instant? { starts[series.ofAnyLength] }

  /// Whether the list has a given price within a day of a moment, in any storefront of a market.
  func isAnywhere(_ price: Milliunits, _ market: MarketIndex, at time: Instant) -> Bool {
    storefronts(of: market).contains { agrees(price, market, in: $0, at: time) == true }
  }

  private mutating func add(
    _ price: Milliunits, _ mode: PaymentMode, _ length: OfferLength, _ days: Catalogue.OfferDays,
    _ product: ProductID, _ currency: Currency, _ series: SeriesKey
  ) {
    var listed = interval(
      product, currency, series, price, days.from?.start, days.to?.start)
    (listed.paymentMode, listed.length) = (mode, length)
    intervals[series, default: []].append(listed)
  }

  /// The opening of the App Store, July 10, 2008.
  ///
  /// If a listed price has an earlier first day, its start is unknown.
  private static let beginning = Instant(milliseconds: 1_215_648_000_000)

  private func interval(
    _ product: ProductID, _ currency: Currency, _ series: SeriesKey, _ price: Milliunits,
    _ from: Instant?, _ to: Instant?
  ) -> PriceInterval {
    var interval = PriceInterval(
      productID: product, currency: currency, kind: series.kind, storefront: series.storefront,
      price: price, lastReportedAt: from ?? .epoch)
    interval.series = series
    (interval.from, interval.to) = (from, to)
    (interval.endsAtCatalogueDate, interval.isListed) = (to != nil, true)
    return interval
  }
}

extension PriceInterval {
  /// Whether the price is in force at a moment.
  fileprivate func holds(at time: Instant) -> Bool { start <= time && time < end }

  fileprivate var start: Instant { from ?? .distantPast }

  fileprivate var end: Instant { to ?? .distantFuture }

  fileprivate func overlaps(_ other: PriceInterval) -> Bool {
    start < other.end && other.start < end
  }

  fileprivate func isSamePrice(as other: PriceInterval) -> Bool {
    price == other.price && paymentMode == other.paymentMode && length == other.length
  }

  /// The part of the interval before a moment; `nil` if there is none.
  fileprivate func before(_ moment: Instant) -> PriceInterval? {
    guard start < moment else { return nil }
    guard end > moment else { return self }
    var part = self
    (part.to, part.endsAtCatalogueDate) = (moment, true)
    return part
  }
}

extension PriceHistory {
  /// Replaces learned prices by fetched prices in the history.
  ///
  /// In each storefront of the list, learned prices apply until the list begins, and the list
  /// applies from then on. A history that already contains the list is returned unchanged.
  func listing(_ listed: ListedPrices, apart: StorefrontPriceLists, markets: Markets)
    -> PriceHistory
  {
    guard !listed.isEmpty else { return self }
    var kept: [PriceInterval] = []
    for interval in intervals where !interval.isListed {
      let series = interval.series
      if series.kind == .regular {
        let isCovered = series.storefront.map(listed.storefronts(of: series.market).contains)
        if isCovered != true { kept.append(interval) }
      } else if let start = listed.start(replacing: series) {
        if let part = interval.before(start) { kept.append(part) }
      } else {
        kept.append(interval)
      }
    }
    for (series, list) in listed.intervals {
      kept += list
      guard series.kind == .regular, let start = list.first?.from else { continue }
      let currency = markets.currency(series.market)
      let isApart = series.storefront.map(apart[currency].contains) ?? false
      let learned = SeriesKey(series.market, .regular, in: isApart ? series.storefront : nil)
      for interval in intervals(of: learned) where !interval.isListed {
        guard var part = interval.before(start) else { continue }
        part.series = series
        kept.append(part)
      }
    }
    return PriceHistory(kept, markets: markets.count)
  }
}

extension SeriesKey {
  /// The common key of all introductory prices of a market in a storefront.
  fileprivate var ofAnyLength: SeriesKey {
    guard case .introductory = kind else { return self }
    let length = OfferLength(numberOfPeriods: nil, period: nil)
    return SeriesKey(market, .introductory(.payAsYouGo, length), in: storefront)
  }
}
