internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// Converts prices of earlier rows into the unit of the currency at a later row.
extension PriceEvidence {
  /// Finds the earlier regular row with the price that a renewal repeats.
  ///
  /// Usually this is the chain's latest regular row with a known price. There is one exception:
  /// only Apple's reports show the price of that row, and they also show that no customer paid this
  /// price at the time of `row`, for example after a sale. Then the latest regular row whose price
  /// is known without Apple's reports is used.
  ///
  /// - Returns: The earlier row, with its price in the unit of the currency at `row`; `nil` if
  ///   there is no such row, or if its price in this unit is unknown.
  func earlierRegularRow(
    _ row: PricingContext, _ chainState: ChainPricingState, _ policy: RenewalPolicy
  ) -> PricedRow? {
    guard let latest = chainState.regularRow(market: row.market), hasMarket(of: row, latest)
    else { return nil }
    let earlier = rebased(latest, row)
    guard policy == .history, latest.isFromAppleReports, let price = earlier?.unitPrice,
      isPaidByNobody(price, row, chainState)
    else { return earlier }
    return otherRegularRow(row, chainState)
  }

  /// The latest regular row whose price is known without Apple's reports.
  ///
  /// The price is converted to the unit of the given row.
  func otherRegularRow(_ row: PricingContext, _ chainState: ChainPricingState) -> PricedRow? {
    chainState.otherRegularRow(market: row.market).flatMap {
      hasMarket(of: row, $0) ? rebased($0, row) : nil
    }
  }

  /// The rows before and after a price drop that only Apple's reports show, if the current row may
  /// have either price.
  ///
  /// A sale applies to all subscribers while it runs, and the reports do not show its end. Example:
  /// a subscriber pays 9.99 EUR, and Apple's reports prove 6.99 on May 10. If there is no report
  /// from June 9 to 11, the renewal of June 10 may cost 6.99 or 9.99.
  ///
  /// - Returns: The two rows; `nil` if there is no drop, or the reports show that no customer paid
  ///   one of the prices at the time of the current row.
  func unlistedDrop(_ row: PricingContext, _ chainState: ChainPricingState)
    -> (before: PricedRow, after: PricedRow)?
  {
    guard let latest = chainState.regularRow(market: row.market), hasMarket(of: row, latest),
      latest.isFromAppleReports, let after = rebased(latest, row),
      let before = otherRegularRow(row, chainState), after.unitPrice < before.unitPrice,
      !isPaidByNobody(before.unitPrice, row, chainState),
      !isPaidByNobody(after.unitPrice, row, chainState)
    else { return nil }
    return (before, after)
  }

  /// Converts an earlier regular row's price to the unit of the current row.
  ///
  /// If the currency was rebased between the two rows, a subscriber at the list price pays the new
  /// list price. A subscriber at another price keeps it, converted into the new unit. Example:
  /// 1,290 HUF in May at a list price of 1,490; in June 100 old HUF become 1 new HUF → 12.90.
  ///
  /// - Returns: The row; `nil` if its price in the new unit is unknown.
  private func rebased(_ priced: PricedRow, _ row: PricingContext) -> PricedRow? {
    var earlier = priced
    for rebasing in rebasings(after: earlier.time, row) {
      let start = rebasing.from.start
      if let listed = listPrice(from: start, whereBefore: earlier.unitPrice, row) {
        (earlier.unitPrice, earlier.interval) = (listed.price, listed.interval)
      } else if let scaled = rebasing.factor.rebased(earlier.unitPrice),
        isPlausible(scaled, row, at: start)
      {
        (earlier.unitPrice, earlier.interval) = (scaled, nil)
      } else {
        return nil
      }
      earlier.time = start
    }
    return earlier
  }

  /// Returns true if the given earlier row of the chain has the product, currency and instalment of
  /// the current row.
  ///
  /// This is always so for rows with a market. Earlier rows without a market are stored together,
  /// whatever their product and currency, so they must be compared.
  func hasMarket(of row: PricingContext, _ earlier: PricedRow) -> Bool {
    book.purchases[earlier.row].productID == book.purchases[row.row].productID
      && earlier.amount.currency == row.currency
      && timelines.rows[earlier.row].instalment == row.instalment
  }

  /// Finds the first of the row's price lists that had a given price just before a moment, and
  /// returns the price of that list at the moment.
  ///
  /// `nil` if no list had the price.
  private func listPrice(
    from start: Instant, whereBefore price: Milliunits, _ row: PricingContext
  ) -> PriceInForce? {
    guard let market = row.market else { return nil }
    let last = start.advanced(by: Milliseconds(-1))
    for list in row.lists where prices.priceInForce(market, in: list, at: last)?.price == price {
      if let listed = prices.priceInForce(market, in: list, at: start) { return listed }
    }
    return nil
  }

  /// Converts the price of an earlier offer row into the unit of the current row.
  ///
  /// `nil` if the result is not a whole number of milliunits.
  func rebasedPrice(ofOffer earlier: PricedRow, _ row: PricingContext) -> Milliunits? {
    var price = earlier.unitPrice
    for rebasing in rebasings(after: earlier.time, row) {
      guard let scaled = rebasing.factor.rebased(price) else { return nil }
      price = scaled
    }
    return price
  }

  /// The rebasings of the row's currency after `time` and up to `end`, inclusive.
  ///
  /// If `end` is `nil`, the time of the row is the end.
  func rebasings(after time: Instant, until end: Instant? = nil, _ row: PricingContext)
    -> [RebasedCurrency]
  {
    guard let currency = row.currency else { return [] }
    return prices.rebasings(of: currency, after: time, through: end ?? row.time)
  }

  /// Returns true if a price is between a third and three times a regular price in force.
  ///
  /// Also returns true if no regular price is known. A price outside of this range shows that the
  /// owner entered the inverse of the rebasing factor.
  private func isPlausible(
    _ price: Milliunits, _ row: PricingContext, at time: Instant
  ) -> Bool {
    guard let market = row.market else { return true }
    let known = row.lists.compactMap {
      prices.priceInForce(market, in: $0, at: time)?.price.rawValue
    }
    return known.isEmpty
      || known.contains { 3 * price.rawValue >= $0 && price.rawValue <= 3 * $0 }
  }
}
