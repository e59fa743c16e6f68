internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// A regular price in force: of an interval of the history, else of the catalogue.
struct PriceInForce: Hashable {
  var price: Milliunits
  /// When it began; `nil` since ever.
  var from: Instant?
  /// The interval, by its position in the history; `nil` for a list price.
  var interval: Int?
}

extension PriceEvidence {
  /// The regular price of a price list in force at a moment: as reported, else as listed since the
  /// last price change.
  ///
  /// A list price older than the latest `price_changes` date is that of a stretch before, so it
  /// says nothing about this one.
  func priceInForce(_ market: MarketIndex, in list: Storefront?, at time: Instant)
    -> PriceInForce?
  {
    if let index = prices.history.index(of: SeriesKey(market, .regular, in: list), at: time) {
      let interval = prices.history.intervals[index]
      return PriceInForce(price: interval.price, from: interval.from, interval: index)
    }
    guard let listed = prices.listPrice(market, in: list, at: time),
      prices.priceChanges(market, in: list, after: listed.from, through: time).isEmpty
    else { return nil }
    return PriceInForce(price: listed.price, from: listed.from, interval: nil)
  }

  /// The regular price in force for a row: where several price lists may hold, only what all agree
  /// on.
  func priceInForce(_ row: RowUnderDecision, at time: Instant) -> PriceInForce? {
    guard let market = row.market else { return nil }
    let known = row.lists.compactMap { priceInForce(market, in: $0, at: time) }
    guard let first = known.first, known.allSatisfy({ $0.price == first.price }) else { return nil }
    return first
  }

  /// The dearest regular price that a row may fall under; `nil` where none is known.
  ///
  /// Of all price lists that may hold, and of that of all storefronts that are not apart: a
  /// storefront apart is so on the word of few. Where the price in force was last reported before
  /// the row, and another follows without a date of the catalogue, that one may be in force already.
  func dearestPrice(_ row: RowUnderDecision) -> Milliunits? {
    guard let market = row.market else { return nil }
    return (row.lists + [nil]).compactMap { dearestPrice(market, in: $0, at: row.time) }.max()
  }

  /// The dearer of the price in force and the next one, where that may be in force already.
  func dearestPrice(_ market: MarketIndex, in list: Storefront?, at time: Instant) -> Milliunits? {
    guard let now = priceInForce(market, in: list, at: time) else { return nil }
    guard let index = now.interval else { return now.price }
    let interval = prices.history.intervals[index]
    guard interval.lastReportedAt < time, let end = interval.to, !interval.endsAtCatalogueDate,
      let next = prices.history.interval(of: interval.series, at: end)
    else { return now.price }
    return max(now.price, next.price)
  }

  /// The cheapest regular price that a row may fall under since a moment; `nil` where none is known.
  func cheapestPrice(_ row: RowUnderDecision, since start: Instant) -> Milliunits? {
    guard let market = row.market else { return nil }
    return row.lists.flatMap { list in
      regularPrices(market, in: list, from: start, through: row.time).map(\.price)
    }.min()
  }

  /// The regular prices of a price list in force between two moments, oldest first.
  func regularPrices(
    _ market: MarketIndex, in list: Storefront?, from start: Instant, through end: Instant
  ) -> [PriceInForce] {
    let series = SeriesKey(market, .regular, in: list)
    var found: [PriceInForce] = []
    if let first = priceInForce(market, in: list, at: start) { found.append(first) }
    for interval in prices.history.intervals(of: series) {
      guard let from = interval.from, from > start, from <= end,
        let price = priceInForce(market, in: list, at: from)
      else { continue }
      found.append(price)
    }
    return found
  }
}
