internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// Prices that a hosted service's export contradicts.
///
/// In a small shop a price may have one buyer before or after a change, or none: too few for a step
/// of the price history. Where only the export shows a row, no other evidence tells its price.
extension PriceEvidence {
  /// The lowest and the highest regular price that may apply to a row that only a service's export
  /// shows; `nil` if nothing contradicts the price in force.
  ///
  /// The contradiction is a lone charge of another customer, the service's amount for the row
  /// itself, or its amount for an earlier row of the subscription, before any customer was charged
  /// the price. Example: three customers paid 9.99 in March, nobody came since, and the service
  /// states 12.99 for the renewals of August: 9.99 to 12.99.
  func unsettledPrices(_ row: PricingContext) -> (low: Milliunits, high: Milliunits)? {
    guard book.purchases[row.row].isOfServiceOnly, row.kind == .regular || row.kind == .oneTime,
      row.instalment == nil, let market = row.market
    else { return nil }
    let start = beganAt(row)
    var possible: [Milliunits] = []
    for list in row.lists {
      guard let interval = prices.ownInterval(market, in: list, since: start, at: row.time) else {
        continue
      }
      let others =
        prices.contradictions(market, in: list, since: start, at: row.time)
        + contradictingAmounts(row, interval)
      if !others.isEmpty { possible += others + [interval.price] }
    }
    guard let low = possible.min(), let high = possible.max() else { return nil }
    return (low, high)
  }

  /// The service's amounts for the row, and for the rows of its subscription before a price was
  /// reported first, that are not this price.
  private func contradictingAmounts(_ row: PricingContext, _ interval: PriceInterval)
    -> [Milliunits]
  {
    rows(ofSpell: row).compactMap { other in
      let purchase = book.purchases[other]
      guard other == row.row || purchase.purchasedAt < interval.firstReportedAt ?? .distantPast,
        timelines.rows[other].kind == row.kind, purchase.quantity <= 1,
        let charged = purchase.service?.charged, charged.currency == row.currency,
        charged.amount > .zero, charged.amount != interval.price
      else { return nil }
      return charged.amount
    }
  }

  /// The time at which the subscription to the row's product began or returned after a lapse; for
  /// a one-time purchase, its own time.
  func beganAt(_ row: PricingContext) -> Instant {
    rows(ofSpell: row).first.map { book.purchases[$0].purchasedAt } ?? row.time
  }

  /// The rows of the subscription to the row's product since it began or returned, up to the row.
  private func rows(ofSpell row: PricingContext) -> [Int] {
    let spell = timelines.rows[row.row].spellNumber
    let product = book.purchases[row.row].productID
    return book.chains[row.chain.index].rows.filter {
      $0 <= row.row && timelines.rows[$0].spellNumber == spell
        && book.purchases[$0].productID == product
    }
  }
}
