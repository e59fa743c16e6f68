public import Amounts
public import CivilTime
public import PurchaseModel

/// The regular price in force at a moment: from an interval of the history, else from the
/// catalogue.
public struct PriceInForce: Hashable, Sendable {
  /// The price of one unit.
  public var price: Milliunits
  /// The start of the price's interval, or the first moment of a list price of the catalogue.
  ///
  /// `nil` if the interval has no start.
  public var from: Instant?
  /// The position of the interval in the history; `nil` for a list price of the catalogue.
  public var interval: Int?
}

/// A price change of the catalogue, and the moment at which reports show it.
public struct PriceStep: Hashable, Sendable {
  /// The moment at which the price steps.
  public var at: Instant
  /// The beginning of the catalogue's day; earlier than ``at`` if reports show the rise late.
  ///
  /// Between the two, a new subscriber may have paid either price.
  public var day: Instant
  /// What the change did to the prices of existing subscribers.
  public var existingSubscribers: ExistingSubscribers
}

extension PriceBook {
  /// The regular price in force in a price list at a moment: from reports, else from the catalogue.
  ///
  /// A list price is not used if the catalogue has a price change after the start of the list
  /// price, up to the moment.
  public func priceInForce(_ market: MarketIndex, in list: Storefront?, at time: Instant)
    -> PriceInForce?
  {
    if let index = history.index(of: SeriesKey(market, .regular, in: list), at: time) {
      let interval = history.intervals[index]
      return PriceInForce(price: interval.price, from: interval.from, interval: index)
    }
    guard let listed = listPrice(market, in: list, at: time),
      priceChanges(market, in: list, after: listed.from, through: time).isEmpty
    else { return nil }
    return PriceInForce(price: listed.price, from: listed.from, interval: nil)
  }

  /// The highest regular price that may be in force in a price list at a moment.
  ///
  /// This is the highest of the price in force, the next price, and the prices that are believed
  /// between them. The others are possible after the last report of the price in force, unless the
  /// catalogue has the date of the change.
  public func highestPrice(_ market: MarketIndex, in list: Storefront?, at time: Instant)
    -> Milliunits?
  {
    guard let now = priceInForce(market, in: list, at: time) else { return nil }
    guard let index = now.interval else { return now.price }
    let interval = history.intervals[index]
    guard interval.lastReportedAt < time, let end = interval.to, !interval.endsAtCatalogueDate,
      let next = history.interval(of: interval.series, at: end)
    else { return now.price }
    return max(now.price, next.price, interval.highestStray ?? .zero)
  }

  /// The lowest believed price between the last report of the price in force at a moment and the
  /// first report of the next price; `nil` if there is none.
  public func lowestStray(_ market: MarketIndex, in list: Storefront?, at time: Instant)
    -> Milliunits?
  {
    history.interval(of: SeriesKey(market, .regular, in: list), at: time)?.lowestStray
  }

  /// Two consecutive prices, if either of them may be in force at a moment; else `nil`.
  ///
  /// Both are possible between the last report of a price and the first report of the next price,
  /// unless the catalogue has the date of the change.
  public func change(_ market: MarketIndex, in list: Storefront?, around time: Instant)
    -> (before: Milliunits, after: Milliunits)?
  {
    let series = SeriesKey(market, .regular, in: list)
    guard let interval = history.interval(of: series, at: time), interval.lastReportedAt < time,
      let end = interval.to, !interval.endsAtCatalogueDate,
      let next = history.interval(of: series, at: end)
    else { return nil }
    return (interval.price, next.price)
  }

  /// The believed prices that contradict the price in force at a moment, for a subscription that
  /// began in its interval; empty if none does.
  ///
  /// Too few reports show such a price for a step of the history. It may be in force after the last
  /// report of the price in force, or may have been before the first one, for a subscription that
  /// began then. Example: three customers pay 9.99 until June, and one pays 12.99 in August: 12.99
  /// from June on.
  public func contradictions(
    _ market: MarketIndex, in list: Storefront?, since start: Instant, at time: Instant
  ) -> [Milliunits] {
    guard let interval = ownInterval(market, in: list, since: start, at: time) else { return [] }
    var found: [Milliunits?] = []
    if interval.lastReportedAt < time, !interval.endsAtCatalogueDate {
      found += [interval.lowestStray, interval.highestStray]
    }
    if let first = interval.firstReportedAt, start < first {
      found += [interval.lowestEarlyStray, interval.highestEarlyStray]
    }
    return found.compactMap(\.self)
  }

  /// The interval in force at a moment, if a subscription began in it; else `nil`.
  public func ownInterval(
    _ market: MarketIndex, in list: Storefront?, since start: Instant, at time: Instant
  ) -> PriceInterval? {
    history.interval(of: SeriesKey(market, .regular, in: list), at: time).flatMap {
      $0.from ?? .distantPast <= start ? $0 : nil
    }
  }

  /// The regular prices of a price list in force between two moments, oldest first.
  public func regularPrices(
    _ market: MarketIndex, in list: Storefront?, from start: Instant, through end: Instant
  ) -> [PriceInForce] {
    let series = SeriesKey(market, .regular, in: list)
    var found: [PriceInForce] = []
    if let first = priceInForce(market, in: list, at: start) { found.append(first) }
    for interval in history.intervals(of: series) {
      guard let from = interval.from, from > start, from <= end,
        let price = priceInForce(market, in: list, at: from)
      else { continue }
      found.append(price)
    }
    return found
  }

  /// The catalogue's price changes whose steps are after `after` and up to `through`, oldest first.
  ///
  /// The phones of subscribers who keep the old price go on showing it, so reports may show it for
  /// months after the day of a change. If the price stays on that day, the change is the next rise
  /// within 120 days and before another change: the owner's day explains the inferred step.
  public func priceSteps(
    _ market: MarketIndex, in list: Storefront?, after: Instant, through: Instant
  ) -> [PriceStep] {
    let changes = priceChanges(market, in: list, after: .distantPast, through: through)
    var steps: [PriceStep] = []
    for (number, change) in changes.enumerated() {
      let next = number + 1 < changes.count ? changes[number + 1].at : .distantFuture
      let rise = lateRise(after: change.at, before: next, market, in: list)
      steps.append(
        PriceStep(
          at: rise ?? change.at, day: change.at, existingSubscribers: change.existingSubscribers))
    }
    return steps.filter { after < $0.at && $0.at <= through }
  }

  /// The moment of the first step after a change at which the price stays, if it is a rise.
  private func lateRise(
    after change: Instant, before next: Instant, _ market: MarketIndex, in list: Storefront?
  ) -> Instant? {
    let former = priceInForce(market, in: list, at: change.advanced(by: Milliseconds(-1)))
    guard let there = priceInForce(market, in: list, at: change), former?.price == there.price
    else { return nil }
    let end = min(next.advanced(by: Milliseconds(-1)), change.advanced(by: .days(120)))
    let step = regularPrices(market, in: list, from: change, through: end)
      .first { $0.price != there.price }
    return step.flatMap { $0.price > there.price ? $0.from : nil }
  }
}
