internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// What the renewal policy makes of an earlier row's price, in one price list.
enum RenewalPricing {
  /// The earlier row's price still holds.
  case asBefore
  /// A price that was in force later holds, by the interval that tells it.
  case kept(Milliunits, interval: Int)
  /// A price that only the catalogue lists holds.
  case listed(Milliunits)
  /// Nothing tells which price holds; `rise` is what the catalogue could answer.
  case open(low: Milliunits, high: Milliunits?, rise: Rise?)

  /// A price rise that nothing explains.
  struct Rise {
    var price: Milliunits
    var from: Instant
  }

  /// What the price may be after one of `before`.
  func bounds(_ before: Milliunits) -> (low: Milliunits, high: Milliunits?) {
    switch self {
    case .asBefore: (before, before)
    case .kept(let price, _), .listed(let price): (price, price)
    case .open(let low, let high, _): (low, high)
    }
  }

  /// Whether another price list leads to the same.
  func agrees(with other: RenewalPricing) -> Bool {
    switch (self, other) {
    case (.asBefore, .asBefore): true
    case (.kept(let left, _), .kept(let right, _)): left == right
    case (.listed(let left), .listed(let right)): left == right
    case (.open(let low, let high, _), .open(let otherLow, let otherHigh, _)):
      low == otherLow && high == otherHigh
    default: false
    }
  }
}

extension PriceEvidence {
  /// Applies the renewal policy (RULES section 3, "Renewal policy").
  func pricing(
    _ row: RowUnderDecision, _ market: MarketIndex, in list: Storefront?, after earlier: PricedRow,
    _ policy: RenewalPolicy
  ) -> RenewalPricing {
    switch policy {
    case .asPurchased: return .asBefore
    case .asCurrent:
      let newest = prices.history.newestIndex(of: SeriesKey(market, .regular, in: list))
      return newest.map { .kept(prices.history.intervals[$0].price, interval: $0) } ?? .asBefore
    case .history: break
    }
    let before = earlier.unitPrice
    let changes = prices.priceChanges(market, in: list, after: earlier.time, through: row.time)
    guard let now = prices.priceInForce(market, in: list, at: row.time) else {
      let isMoved = changes.contains { $0.existingSubscribers == .moved }
      return isMoved ? .open(low: .zero, high: nil, rise: nil) : .asBefore
    }
    if prices.priceInForce(market, in: list, at: earlier.time)?.price == now.price {
      return .asBefore
    }
    if now.price == before { return .asBefore }
    if now.price < before {
      return hasReturned(to: before, after: now, by: row.time) ? .asBefore : pricing(now)
    }
    let walked = walk(changes, market, in: list, from: before)
    if walked.hasReached(now.price) { return walked.pricing.map(pricing) ?? .asBefore }
    if now.price <= walked.price { return pricing(now) }
    let isConsented = consents.isShown(
      chain: row.chain,
      from: consentSince(market, in: list, earlier: earlier), through: row.time)
    if isConsented { return pricing(now) }
    let high = prices.dearestPrice(market, in: list, at: row.time) ?? now.price
    return .open(
      low: walked.price, high: max(now.price, high),
      rise: now.from.map { RenewalPricing.Rise(price: now.price, from: $0) })
  }

  /// Whether a lower price was last reported before a row, and a subscriber's own price follows it
  /// without a date of the catalogue.
  ///
  /// Then it may be back already, and nothing tells that the subscriber ever paid less. For example
  /// 9.99 falls to 7.99 for a fortnight. The last report of 7.99 is of 12 May, and 16 May reports
  /// 9.99 again: the renewal of 15 May keeps 9.99.
  private func hasReturned(to before: Milliunits, after now: PriceInForce, by time: Instant) -> Bool
  {
    guard let index = now.interval else { return false }
    let interval = prices.history.intervals[index]
    guard interval.lastReportedAt < time, let end = interval.to, !interval.endsAtCatalogueDate
    else { return false }
    return prices.history.interval(of: interval.series, at: end)?.price == before
  }

  /// The price a subscriber pays after the catalogue's changes, and what was in force last.
  private struct Walk {
    var price: Milliunits
    /// The price in force that the subscriber pays; `nil` where the price is the one before.
    var pricing: PriceInForce?
    /// The price in force after the last change; `nil` where no change is listed.
    var inForce: Milliunits?

    /// Whether the listed changes explain the price that is in force now.
    func hasReached(_ now: Milliunits) -> Bool { inForce == now }
  }

  /// Walks along the listed price changes: at each the price then in force is taken if subscribers
  /// are moved, or if it is lower than the price so far.
  private func walk(
    _ changes: [(at: Instant, existingSubscribers: ExistingSubscribers)], _ market: MarketIndex,
    in list: Storefront?, from before: Milliunits
  ) -> Walk {
    var walk = Walk(price: before)
    for change in changes {
      guard let there = prices.priceInForce(market, in: list, at: change.at) else { continue }
      walk.inForce = there.price
      if change.existingSubscribers == .moved || there.price < walk.price {
        walk.price = there.price
        walk.pricing = there
      }
    }
    return walk
  }

  /// A price in force as the answer.
  private func pricing(_ price: PriceInForce?) -> RenewalPricing {
    guard let price else { return .asBefore }
    return price.interval.map { .kept(price.price, interval: $0) } ?? .listed(price.price)
  }

  /// Since when a shown consent can be to the price that follows the earlier row's: since that row's
  /// price came into force, at the latest since the row.
  private func consentSince(
    _ market: MarketIndex, in list: Storefront?, earlier: PricedRow
  ) -> Instant {
    let until = prices.regularPrices(market, in: list, from: .distantPast, through: earlier.time)
    guard let inForce = until.last(where: { $0.price == earlier.unitPrice }) else {
      return earlier.time
    }
    return inForce.from ?? .distantPast
  }
}
