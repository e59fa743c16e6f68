internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import Purchases

extension PriceEvidence {
  /// The regular price in force at a time, from the price lists that may apply to a row.
  ///
  /// `nil` if the price is unknown, or if these lists have different prices.
  func priceInForce(_ row: PricingContext, at time: Instant) -> PriceInForce? {
    guard let market = row.market else { return nil }
    let known = row.lists.compactMap { prices.priceInForce(market, in: $0, at: time) }
    guard let first = known.first, known.allSatisfy({ $0.price == first.price }) else { return nil }
    return first
  }

  /// The highest regular price that may apply to a row; `nil` if none is known.
  ///
  /// The common price list is always included: a few voters, who may be wrong, are enough to give a
  /// storefront its own list.
  ///
  /// An instalment without a known price has the highest price of the whole period.
  func highestPrice(_ row: PricingContext) -> Milliunits? {
    let whole = row.instalment == nil ? nil : wholePeriod(row)
    for market in [row.market, whole] {
      guard let market else { continue }
      let lists = market == row.market ? row.lists : prices.lists(of: market, for: row.storefront)
      let highest = (lists + [nil]).compactMap {
        prices.highestPrice(market, in: $0, at: row.time)
      }.max()
      if let highest { return highest }
    }
    return nil
  }

  /// The market of the whole period of an instalment; `nil` without a price.
  private func wholePeriod(_ row: PricingContext) -> MarketIndex? {
    row.currency.flatMap { prices.markets.index(book.purchases[row.row].productID, $0) }
  }

  /// The lowest regular price from a moment through the row's time; `nil` if no price is known.
  ///
  /// Uses all price lists that may apply to the row.
  func cheapestPrice(_ row: PricingContext, since start: Instant) -> Milliunits? {
    guard let market = row.market else { return nil }
    return row.lists.flatMap { list in
      prices.regularPrices(market, in: list, from: start, through: row.time).map(\.price)
    }.min()
  }
}
