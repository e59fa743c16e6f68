internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel

/// The price of a renewal in one price list, found from the price of an earlier row.
enum RenewalPricing {
  /// The earlier row's price still applies.
  case asBefore
  /// The price of an interval applies; `interval` is the interval's position in the price history.
  case kept(Milliunits, interval: Int)
  /// A list price of the catalogue replaces the earlier row's price.
  ///
  /// The price history has no interval with this price.
  case listed(Milliunits)
  /// The price is unresolved.
  ///
  /// `rise` is the price rise whose effect on subscribers the catalogue must state; `nil` if the
  /// price is unresolved for another reason.
  case open(low: Milliunits, high: Milliunits?, rise: Rise?)

  /// A price rise that the catalogue does not explain.
  struct Rise {
    var price: Milliunits
    var from: Instant
  }

  /// The lowest and highest possible price, given the earlier price `before`.
  ///
  /// The highest is `nil` if there is no upper bound.
  func bounds(_ before: Milliunits) -> (low: Milliunits, high: Milliunits?) {
    switch self {
    case .asBefore: (before, before)
    case .kept(let price, _), .listed(let price): (price, price)
    case .open(let low, let high, _): (low, high)
    }
  }

  /// Returns true if this result and the result in another price list have the same price or
  /// bounds.
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
  /// Finds the price of a renewal: applies the renewal policy to the price of an earlier row.
  ///
  /// Example with the policy `history`: the earlier row paid 9.99 USD in May. In June the price
  /// rises to 12.99, but the catalogue preserves the price of subscribers → 9.99 in July.
  func pricing(
    _ row: PricingContext, _ market: MarketIndex, in list: Storefront?, after earlier: PricedRow,
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
    let changes = prices.priceSteps(market, in: list, after: earlier.time, through: row.time)
    guard let now = prices.priceInForce(market, in: list, at: row.time) else {
      let isMoved = changes.contains { $0.existingSubscribers == .moved }
      return isMoved ? .open(low: .zero, high: nil, rise: nil) : .asBefore
    }
    if changes.contains(where: { isDoubtful(earlier, by: $0) }) {
      return .open(low: min(before, now.price), high: max(before, now.price), rise: nil)
    }
    let applied = apply(changes, market, in: list, from: before)
    if applied.isUnknown {
      return .open(low: .zero, high: max(applied.price, now.price), rise: nil)
    }
    let then = prices.priceInForce(market, in: list, at: earlier.time)?.price
    if then == now.price || now.price == before {
      // A listed price cut between the rows applied to all subscribers, but the later rise did not.
      let isLower = applied.hasReached(now.price) && applied.price < before
      return isLower ? pricing(applied.pricing) : .asBefore
    }
    if now.price < before {
      return hasReturned(to: before, after: now, by: row.time) ? .asBefore : pricing(now)
    }
    if applied.hasReached(now.price) { return applied.pricing.map(pricing) ?? .asBefore }
    if now.price <= applied.price { return pricing(now) }
    let isConsented = consents.isShown(
      chain: row.chain,
      from: consentSince(market, in: list, earlier: earlier), through: row.time)
    if isConsented { return pricing(now) }
    let high = prices.highestPrice(market, in: list, at: row.time) ?? now.price
    return .open(
      low: applied.price, high: max(now.price, high),
      rise: now.from.map { RenewalPricing.Rise(price: now.price, from: $0) })
  }

  /// Whether an inferred price that a subscriber keeps may have been the new one: it comes from
  /// between the day of a change and the reports that first show the rise.
  private func isDoubtful(_ earlier: PricedRow, by step: PriceStep) -> Bool {
    guard step.at != step.day, step.existingSubscribers == .preserved,
      earlier.amount.status == .inferred, let interval = earlier.interval
    else { return false }
    return prices.history.intervals[interval].from == step.day
  }

  /// Returns true if a price drop may have ended before a renewal at `time`.
  ///
  /// A lower price applies to all subscribers. But if the last report of the lower price is older
  /// than the renewal, the price may have risen again before the renewal. Then the subscriber may
  /// never have paid the lower price. Example: 9.99 falls to 7.99 for two weeks. The last report of
  /// 7.99 is from May 12, and 9.99 is reported again on May 16: the renewal of May 15 stays at
  /// 9.99.
  private func hasReturned(to before: Milliunits, after now: PriceInForce, by time: Instant) -> Bool
  {
    guard let index = now.interval else { return false }
    let interval = prices.history.intervals[index]
    guard interval.lastReportedAt < time, let end = interval.to, !interval.endsAtCatalogueDate
    else { return false }
    return prices.history.interval(of: interval.series, at: end)?.price == before
  }

  /// The result of applying the catalogue's price changes: the subscriber's price and the list
  /// price.
  private struct AppliedChanges {
    var price: Milliunits
    /// The price that came into force for the subscriber; `nil` if the earlier price still applies.
    var pricing: PriceInForce?
    /// The list price after the last change; `nil` if the catalogue has no change.
    var inForce: Milliunits?
    /// Whether the catalogue moved subscribers to a price that is unknown.
    ///
    /// If true, ``price`` is the highest possible price.
    var isUnknown = false

    /// Returns true if the list price after the last change in the catalogue is the price in force
    /// now.
    func hasReached(_ now: Milliunits) -> Bool { inForce == now }
  }

  /// Applies the catalogue's price changes in order.
  ///
  /// The subscriber gets the new price if the change applies to existing subscribers, or if the new
  /// price is lower.
  ///
  /// Example: a subscription costs 9.99. The catalogue lists a sale in May, but nothing shows its
  /// price; at the end of the sale existing subscribers keep their price. The subscriber pays the
  /// price of the sale if it is lower, else 9.99: at most 9.99.
  private func apply(
    _ changes: [PriceStep], _ market: MarketIndex, in list: Storefront?, from before: Milliunits
  ) -> AppliedChanges {
    var applied = AppliedChanges(price: before)
    for change in changes {
      guard let there = prices.priceInForce(market, in: list, at: change.at) else {
        applied.isUnknown = applied.isUnknown || change.existingSubscribers == .moved
        continue
      }
      applied.inForce = there.price
      if applied.isUnknown || change.existingSubscribers == .moved || there.price < applied.price {
        applied.isUnknown = applied.isUnknown && change.existingSubscribers == .preserved
        applied.price = there.price
        applied.pricing = there
      }
    }
    return applied
  }

  /// Converts a price in force into the pricing of a renewal.
  ///
  /// If `price` is `nil`, the earlier price still applies.
  private func pricing(_ price: PriceInForce?) -> RenewalPricing {
    guard let price else { return .asBefore }
    return price.interval.map { .kept(price.price, interval: $0) } ?? .listed(price.price)
  }

  /// The earliest time at which a customer's consent can be about a price rise after the earlier
  /// row.
  ///
  /// A list may have had several regular prices up to the earlier row. The result is the start of
  /// the newest of them that equals the earlier row's price; without one, the time of that row.
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
