internal import Amounts
internal import CivilTime
public import PriceLearning
internal import PurchaseModel
public import Purchases

/// The first rows of a chain, at one price, in the export of a service that does not mark paid
/// introductory rows.
struct UnmarkedOpening {
  /// The positions of the rows in the purchase history.
  var rows: Range<Int>
  /// The amount that the service states for each row.
  var charged: SignedPrice
  /// The amount that it states for the next row of the product; `nil` if there is none.
  var next: Milliunits?

  /// Whether the price is far below another one: by more than a third for one row, by more than
  /// half for several.
  ///
  /// A rise of the price by so much needs the consent of each subscriber.
  func isFarBelow(_ price: Milliunits) -> Bool {
    rows.count == 1
      ? charged.amount.rawValue < price.rawValue - price.rawValue / 3
      : charged.amount.rawValue < price.rawValue / 2
  }

  /// Whether the next row costs so much more that the opening is introductory.
  var endsAtHigherPrice: Bool { next.map(isFarBelow) ?? false }
}

extension PurchaseHistory {
  /// Marks the introductory rows that their service does not mark.
  ///
  /// A new subscriber pays the list price, or less with an introductory offer. So the first rows of
  /// a chain are introductory if they cost less than the list price of their day, and the rows
  /// after them cost at least as much. A single row without another one after it must cost less
  /// than two thirds of the list price, and so must one before the first report of that price,
  /// which may have been lower then. Example: 1.99 in May and 9.99 from June on, with a list price
  /// of 9.99 → May is introductory. Without a list price, the next row or the last price decides.
  public mutating func markIntroductoryRows(_ prices: PriceBook) {
    for chain in chains {
      guard let opening = unmarkedOpening(of: chain) else { continue }
      let first = purchases[opening.rows.lowerBound]
      let lists = prices.possiblePrices(
        first.productID, opening.charged.currency, at: first.purchasedAt)
      let isIntroductory: Bool
      if let lowest = lists.min() {
        isIntroductory =
          opening.charged.amount < lowest
          && (opening.isFarBelow(lowest)
            || opening.rows.count == 1 && opening.next.map { $0 >= lowest } ?? false
              && prices.isShown(
                first.productID, opening.charged.currency, by: first.purchasedAt))
      } else {
        let before = prices.latestPrice(
          first.productID, opening.charged.currency, before: first.purchasedAt)
        isIntroductory =
          opening.endsAtHigherPrice || before.map(opening.isFarBelow) ?? false
      }
      guard isIntroductory else { continue }
      for row in opening.rows { purchases[row].isIntroductoryByAmount = true }
    }
  }

  /// The opening of a chain that only the export of such a service has; `nil` for any other chain.
  ///
  /// An introductory offer has at most twelve periods.
  func unmarkedOpening(of chain: Chain) -> UnmarkedOpening? {
    guard let first = chain.rows.first, purchases[first].service?.isFirst == true,
      let charged = unmarkedCharge(first)
    else { return nil }
    let product = purchases[first].productID
    let end =
      chain.rows.first {
        purchases[$0].productID != product || unmarkedCharge($0) != charged
      } ?? chain.rows.upperBound
    guard end - first <= 12 else { return nil }
    let next = nextRow(of: end - 1, in: chain, of: self).flatMap { purchases[$0].service?.charged }
    return UnmarkedOpening(
      rows: first..<end, charged: charged,
      next: next.flatMap { $0.currency == charged.currency ? $0.amount : nil })
  }

  /// The amount of a regular row that only such a service has; `nil` for any other row.
  private func unmarkedCharge(_ row: Int) -> SignedPrice? {
    let purchase = purchases[row]
    guard purchase.isOfServiceOnly, purchase.isSubscription, let terms = purchase.service,
      !terms.marksOffers, let charged = terms.charged, charged.amount > .zero,
      purchase.isTrialPeriod != true, purchase.isInIntroOfferPeriod != true,
      purchase.offerCodeRefName == nil, purchase.promotionalOfferID == nil
    else { return nil }
    return charged
  }
}

extension PriceBook {
  /// The regular prices of a product that may be in force at a moment, over all price lists: the
  /// catalogue's, else those of the price history, which unmarked offers may have lowered.
  fileprivate func possiblePrices(
    _ product: ProductID, _ currency: Currency, at time: Instant
  ) -> [Milliunits] {
    guard let market = markets.index(product, currency) else { return [] }
    return lists(of: market, for: nil).flatMap { list -> [Milliunits] in
      if let listed = listPrice(market, in: list, at: time) { return [listed.price] }
      let change = change(market, in: list, around: time)
      return [priceInForce(market, in: list, at: time)?.price, change?.after].compactMap(\.self)
    }
  }

  /// The lowest of the last known prices before a moment, over all price lists.
  fileprivate func latestPrice(
    _ product: ProductID, _ currency: Currency, before time: Instant
  ) -> Milliunits? {
    guard let market = markets.index(product, currency) else { return nil }
    return lists(of: market, for: nil).compactMap { list in
      history.intervals(of: SeriesKey(market, .regular, in: list)).last {
        $0.to ?? .distantFuture <= time
      }?.price
    }.min()
  }

  /// Whether the price in force at a moment is dated, or was reported by then.
  fileprivate func isShown(_ product: ProductID, _ currency: Currency, by time: Instant) -> Bool {
    guard let market = markets.index(product, currency) else { return false }
    return lists(of: market, for: nil).allSatisfy { list in
      let interval = history.interval(of: SeriesKey(market, .regular, in: list), at: time)
      return interval?.from != nil || interval?.firstReportedAt ?? time <= time
    }
  }
}

/// Whether a first purchase may be at an introductory price that the service does not mark.
func mayBeIntroductoryRow(_ row: Int, in chain: Chain, of book: PurchaseHistory) -> Bool {
  let purchase = book.purchases[row]
  guard purchase.isOfServiceOnly, purchase.isSubscription, let terms = purchase.service,
    !terms.marksOffers, terms.isFirst
  else { return false }
  guard let next = nextRow(of: row, in: chain, of: book) else { return false }
  return book.purchases[next].service?.charged != terms.charged
}

/// The next row of a chain with the same product; `nil` if there is none.
func nextRow(of row: Int, in chain: Chain, of book: PurchaseHistory) -> Int? {
  chain.rows.first { $0 > row && book.purchases[$0].productID == book.purchases[row].productID }
}
