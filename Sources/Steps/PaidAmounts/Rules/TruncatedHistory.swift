internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// The longest time from a chain's beginning to its first known row: 40 days.
///
/// If the time is longer, rows are missing from the exports.
private let longestTruncatedHistory = Milliseconds.days(40)
/// The longest gap between the rows of a chain up to its first regular row: 60 days.
///
/// If a gap is longer, rows are missing from the exports.
private let longestGap = Milliseconds.days(60)

extension PriceEvidence {
  /// Decides a row in a chain whose first rows are missing from the exports.
  ///
  /// Rows are missing if the first known regular row begins more than 40 days after the chain, and
  /// other known rows do not fill that time. The subscriber may keep a price from the time without
  /// rows. The row is unresolved, between the lowest and the highest possible price, if the price
  /// rose since the chain began and subscribers may have kept the older price. Example: a chain
  /// began in 2020, and its first known row is of 2022. In 2021 the price rose from 9.99 to 12.99,
  /// and the catalogue does not state for whom: [9.99, 12.99].
  ///
  /// - Returns: The decision; `nil` if no rows are missing, or if the price is not in doubt.
  func truncatedHistory(
    _ row: PricingContext, _ chainState: ChainPricingState, _ notes: inout DecisionNotes
  ) throws(AmountError) -> Decision? {
    guard let market = row.market, chainState.isFirstSpell, hasTruncatedHistory(row) else {
      return nil
    }
    let chain = book.chains[row.chain.index]
    let chainBegan = chain.lacksBeginning ? .distantPast : chain.beganAt
    let began = rebasings(after: chainBegan, row).last?.from.start ?? chainBegan
    return try betweenPricesKept(market, since: began, row, &notes) { _ in false }
  }

  /// Decides a renewal after regular rows whose price is not known.
  ///
  /// The subscriber may keep the price of the first of these rows. The renewal is unresolved,
  /// between the lowest and the highest possible price, if the price rose since that row and the
  /// change did not apply to subscribers. Example: the first row lies between the last report of
  /// 9.99 and the first of 12.99. Its renewals are [9.99, 12.99], too.
  ///
  /// - Returns: The decision; `nil` without such a row, or if the price is not in doubt.
  func keptSinceUnknownPrice(_ row: PricingContext, _ notes: inout DecisionNotes)
    throws(AmountError) -> Decision?
  {
    guard let market = row.market, let first = firstRegularRow(before: row) else { return nil }
    let began = book.purchases[first].purchasedAt
    return try betweenPricesKept(market, since: began, row, &notes) { list in
      let isUnknown = prices.priceInForce(market, in: list, at: began) == nil
      let changes = prices.priceChanges(market, in: list, after: began, through: row.time)
      return isUnknown && changes.last?.existingSubscribers == .preserved
    }
  }

  /// Decides a row between the prices that a subscriber since `began` may pay; `nil` if the price
  /// is not in doubt.
  ///
  /// - Parameter keepsUnknown: Whether nothing shows the price of then in a storefront, and the
  ///   catalogue lets subscribers keep it.
  private func betweenPricesKept(
    _ market: MarketIndex, since began: Instant, _ row: PricingContext,
    _ notes: inout DecisionNotes, keepsUnknown: (Storefront?) -> Bool
  ) throws(AmountError) -> Decision? {
    var isOpen = false
    var possible: [Milliunits] = []
    for list in row.lists {
      let kept = pricesKept(market, in: list, since: began, row, &notes)
      isOpen = isOpen || kept.isOpen
      possible += kept.possible
      if keepsUnknown(list) {
        isOpen = true
        possible.append(.zero)
      }
    }
    guard isOpen, let low = possible.min(), let high = possible.max(), low < high else {
      return nil
    }
    return try Decision.between(low, high, row)
  }

  /// The first regular row of the row's product since the last lapse or change of product; `nil`
  /// if the row itself is the first.
  private func firstRegularRow(before row: PricingContext) -> Int? {
    guard !timelines.rows[row.row].followsLapse else { return nil }
    var first: Int?
    let earlier = book.chains[row.chain.index].rows.prefix { $0 < row.row }
    for other in earlier.reversed() {
      if timelines.rows[other].kind == .regular {
        guard book.purchases[other].productID == book.purchases[row.row].productID else { break }
        first = other
      }
      if timelines.rows[other].followsLapse { break }
    }
    return first
  }

  /// The prices that a subscriber since `began` may pay at the time of a row.
  ///
  /// `isOpen` is true if the price rose and subscribers may have kept an older price. After a
  /// change that applied to subscribers, older prices are no longer possible.
  private func pricesKept(
    _ market: MarketIndex, in list: Storefront?, since began: Instant, _ row: PricingContext,
    _ notes: inout DecisionNotes
  ) -> (possible: [Milliunits], isOpen: Bool) {
    let changes = prices.priceSteps(market, in: list, after: began, through: row.time)
    var possible: [Milliunits] = []
    var isOpen = false
    for price in prices.regularPrices(market, in: list, from: began, through: row.time) {
      if let interval = price.interval { notes.add(candidate(interval: interval, row)) }
      if changes.contains(where: { $0.at == price.from && $0.existingSubscribers == .moved }) {
        (possible, isOpen) = ([], false)
      } else if let last = possible.last, last < price.price {
        isOpen = true
      }
      possible.append(price.price)
    }
    noteChanges(row, market, in: list, since: began, &notes)
    if let highest = prices.highestPrice(market, in: list, at: row.time) {
      possible.append(highest)
    }
    return (possible, isOpen)
  }

  private func hasTruncatedHistory(_ row: PricingContext) -> Bool {
    PaidAmounts.hasTruncatedHistory(book.chains[row.chain.index], book: book, timelines: timelines)
  }
}

/// Returns true if the exports may lack regular rows before a chain's first known regular row.
func hasTruncatedHistory(
  _ chain: Chain, book: PurchaseHistory, timelines: BillingTimelines
) -> Bool {
  hasTruncatedHistory(chain, book: book) { timelines.rows[$0].kind == .regular }
}

/// Returns true if the exports may lack regular rows before a chain's first known regular row.
///
/// - Parameters:
///   - isRegular: Whether the row at a position of the purchase history is at the regular price.
func hasTruncatedHistory(
  _ chain: Chain, book: PurchaseHistory, isRegular: (Int) -> Bool
) -> Bool {
  var coveredUntil = chain.beganAt.advanced(by: longestTruncatedHistory)
  for position in chain.rows where book.purchases[position].isSubscription {
    let purchase = book.purchases[position]
    if isRegular(position) {
      return chain.lacksBeginning || purchase.purchasedAt > coveredUntil
    }
    guard purchase.purchasedAt <= coveredUntil else { return true }
    coveredUntil = max(coveredUntil, purchase.endsAt.advanced(by: longestGap))
  }
  return false
}
