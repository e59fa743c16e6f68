internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel

extension PriceEvidence {
  /// The regular price in force for a row: where several price lists may hold, only what all agree
  /// on.
  func priceInForce(_ row: RowUnderDecision, at time: Instant) -> PriceInForce? {
    guard let market = row.market else { return nil }
    let known = row.lists.compactMap { prices.priceInForce(market, in: $0, at: time) }
    guard let first = known.first, known.allSatisfy({ $0.price == first.price }) else { return nil }
    return first
  }

  /// The dearest regular price that a row may fall under; `nil` where none is known.
  ///
  /// Of all price lists that may hold, and of that of all storefronts that are not apart: a
  /// storefront apart is so on the word of few.
  func dearestPrice(_ row: RowUnderDecision) -> Milliunits? {
    guard let market = row.market else { return nil }
    return (row.lists + [nil]).compactMap {
      prices.dearestPrice(market, in: $0, at: row.time)
    }.max()
  }

  /// The cheapest regular price that a row may fall under since a moment; `nil` where none is known.
  func cheapestPrice(_ row: RowUnderDecision, since start: Instant) -> Milliunits? {
    guard let market = row.market else { return nil }
    return row.lists.flatMap { list in
      prices.regularPrices(market, in: list, from: start, through: row.time).map(\.price)
    }.min()
  }
}
