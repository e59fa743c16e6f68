internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `unresolved`: the amount is unknown, between two bounds.
  ///
  /// The upper bound is the highest regular price that may apply. For an offer, it is multiplied by
  /// the number of billing periods that the row covers. Sometimes there is no upper bound, for
  /// example if the purchase may be from another country or if no price is known.
  ///
  /// The lower bound is usually 0, with two exceptions:
  ///
  /// - Only the storefront is unknown, and the storefronts of the currency have different prices.
  ///   The lower bound is their lowest price. Example: a month in an unknown storefront costs 10.99
  ///   EUR in France and 9.99 elsewhere: [9.99, 10.99].
  /// - The row lies between two consecutive prices. The lower bound is the lowest of these prices,
  ///   of believed prices between them, and of older prices that the subscriber may have kept.
  func unresolved(_ row: PricingContext) throws(AmountError) -> Decision {
    guard !row.isUnitDoubted, !isOfDoubtfulCountry(row), let highest = highestPrice(row) else {
      return try Decision.between(.zero, nil, row)
    }
    if let possible = unsettledPrices(row) {
      return try Decision.between(
        row.lists.count == 1 ? min(lowestKept(row), possible.low) : .zero,
        max(possible.high, highest), row)
    }
    if isBetweenPrices(row), row.lists.count == 1 {
      return try Decision.between(lowestKept(row), highest, row)
    }
    guard row.kind.isOffer else { return try Decision.between(lowest(row), highest, row) }
    let purchase = book.purchases[row.row]
    guard row.coveredPeriod != nil, let usual = timelines.productPeriods[purchase.productID]
    else { return try Decision.between(.zero, nil, row) }
    let periods = usual.count(in: purchase.endsAt.since(purchase.purchasedAt))
    return try Decision.between(.zero, try highest.multiplied(by: periods), row)
  }

  /// Whether a row may be of another country, and so in another currency.
  ///
  /// True if the household was in two countries around the time of the row, and no record of the
  /// chain near the purchase shows the country.
  private func isOfDoubtfulCountry(_ row: PricingContext) -> Bool {
    row.storefrontSource != .signed && isOfTwoCountries(row)
      && places.ownRecord(of: row.chain, near: row.time) != row.storefront
  }

  /// The lowest price that the subscriber may have kept since the chain's first row.
  ///
  /// The next price in force is included, and believed prices between the two. 0 if the exports
  /// lack the chain's first rows.
  private func lowestKept(_ row: PricingContext) -> Milliunits {
    let chain = book.chains[row.chain.index]
    guard let market = row.market, !hasTruncatedHistory(chain, book: book, timelines: timelines)
    else {
      return .zero
    }
    let first = book.purchases[chain.rows.lowerBound].purchasedAt
    let next = prices.change(market, in: row.lists[0], around: row.time)?.after
    let stray = prices.lowestStray(market, in: row.lists[0], at: row.time)
    return [cheapestPrice(row, since: min(first, row.time)), next, stray].compactMap(\.self).min()
      ?? .zero
  }

  /// The lowest price, in the price lists that may apply, since the time of the chain's first row.
  ///
  /// A subscriber may have kept a price since that time. The result is 0 unless several lists may
  /// apply, their prices differ, and each list has a known price.
  private func lowest(_ row: PricingContext) -> Milliunits {
    guard row.lists.count > 1, priceInForce(row, at: row.time) == nil, let market = row.market,
      row.lists.allSatisfy({ prices.priceInForce(market, in: $0, at: row.time) != nil })
    else { return .zero }
    let first = book.purchases[book.chains[row.chain.index].rows.lowerBound].purchasedAt
    return cheapestPrice(row, since: min(first, row.time)) ?? .zero
  }
}

extension RuleText {
  static let unresolved = RuleText(
    .unresolved,
    condition: "No other rule decides.",
    result:
      "NULL; unresolved. Bounds [0, list price × quantity], for an instalment without a known "
      + "price that of the whole period; for offers, also × the number of "
      + "billing periods that the row covers, if that number is known. If the storefront is "
      + "not known and the prices of the currency's storefronts differ: [lowest, highest]. "
      + "If either of two consecutive prices may apply: from the lowest to the highest of them and "
      + "of the believed prices between them. No upper bound if the household was in another "
      + "country within half a year and no record near the purchase shows its country.",
    why: "The amount stays empty: it is neither 0 nor a guess. An offer never costs more than "
      + "the list price, so the list price limits the amount.")
}
