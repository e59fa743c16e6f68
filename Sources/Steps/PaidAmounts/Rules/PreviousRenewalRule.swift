internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `previous_renewal`: the price of the previous renewal, subject to the renewal policy.
  ///
  /// Example: 9.99 USD on May 1, and the list price rises to 12.99 on May 5. The renewal of June 1
  /// is 9.99 if subscribers keep their price, and 12.99 if the rise applies to them. If the
  /// catalogue lacks the change, the renewal is unresolved, with the bounds 9.99 and 12.99.
  func previousRenewal(
    _ row: PricingContext, _ chainState: inout ChainPricingState, _ policy: RenewalPolicy,
    _ notes: inout DecisionNotes
  ) throws(AmountError) -> RuleOutcome {
    guard row.kind == .regular else { return .passed(.notRegular) }
    guard row.currency != nil else { return .passed(.currencyUnknown) }
    if policy == .history, try isOutweighed(row, chainState) {
      return .passed(.earlierPriceInferred)
    }
    guard var earlier = earlierRegularRow(row, chainState, policy) else {
      if policy == .history {
        if let decision = try truncatedHistory(row, chainState, &notes) {
          return .decided(decision)
        }
        if let decision = try keptSinceUnknownPrice(row, &notes) { return .decided(decision) }
      }
      if let latest = chainState.regularRow(market: row.market), latest.isFromAppleReports {
        return .passed(.earlierPricePaidByNobody)
      }
      let before = chainState.regularRowBeforeLapse(market: row.market)
      let isLapsed = before.map { hasMarket(of: row, $0) } ?? false
      return .passed(isLapsed ? .lapseBetween : .noEarlierRenewal)
    }
    notes.add(candidate(earlier, row))
    if policy == .history, let drop = unlistedDrop(row, chainState) {
      notes.add(candidate(drop.before, row))
      return .decided(try open(row, after: drop.after, bounds(row, drop, policy)))
    }
    if policy == .history, let commitment = commitment(of: earlier, before: row) {
      if commitment.includesRow {
        return .decided(try carriedOn(row, earlier, at: earlier.unitPrice, nil))
      }
      earlier.time = min(earlier.time, commitment.beganAt)
    }
    guard let market = row.market else {
      // Neither reports nor the catalogue have a price that could have changed.
      return .decided(try carriedOn(row, earlier, at: earlier.unitPrice, nil))
    }
    let lists = lists(of: row, market, after: earlier)
    let pricings = lists.map { pricing(row, market, in: $0, after: earlier, policy) }
    for list in lists {
      noteRegularPrices(row, market, in: list, since: earlier.time, &notes)
      if policy == .history { noteChanges(row, market, in: list, since: earlier.time, &notes) }
    }
    guard let first = pricings.first, pricings.allSatisfy({ $0.agrees(with: first) }) else {
      return .decided(try open(row, after: earlier, Self.bounds(of: pricings, earlier.unitPrice)))
    }
    switch first {
    case .asBefore: return .decided(try carriedOn(row, earlier, at: earlier.unitPrice, nil))
    case .kept(let price, let interval):
      if policy == .history, price < earlier.unitPrice,
        book.purchases[row.row].service?.marksOffers == false,
        lists.allSatisfy({ prices.listPrice(market, in: $0, at: row.time)?.price != price }),
        let stated = contradictingServicePrice(row, price)
      {
        return .decided(try notFallen(row, earlier, to: price, stated))
      }
      return .decided(try carriedOn(row, earlier, at: price, interval))
    case .listed(let price):
      // A price from the catalogue has the status `configured`, regardless of the earlier price's
      // status.
      var decision = try Decision.known(price, row, .configured)
      decision.basis = RowPosition(earlier.row)
      return .decided(decision)
    case .open(let low, let high, let rise):
      if let rise {
        chainState.addUnexplainedRise(
          UnexplainedPriceRise(
            chain: row.chain, productID: prices.markets.product(market),
            currency: prices.markets.currency(market), storefront: lists[0], from: rise.from,
            oldPrice: low, newPrice: rise.price, rows: 1,
            instalment: row.instalment))
      }
      return .decided(try open(row, after: earlier, (low, high)))
    }
  }

  /// Returns true if the earlier row's price is not used, because better evidence exists.
  ///
  /// The price of the earlier row is then only inferred from Apple's reports, and `customer_report`
  /// or `price_history` finds a price for the row.
  private func isOutweighed(_ row: PricingContext, _ chainState: ChainPricingState)
    throws(AmountError) -> Bool
  {
    guard let earlier = chainState.regularRow(market: row.market), earlier.isFromAppleReports,
      earlier.amount.status == .inferred,
      otherRegularRow(row, chainState)?.unitPrice != earlier.unitPrice
    else { return false }
    var notes = DecisionNotes(areKept: false)
    if case .decided = try customerReport(row, &notes) { return true }
    if case .decided = try priceHistory(row, &notes) { return true }
    return false
  }

  /// Decides a row from an earlier row.
  ///
  /// `price` is the earlier row's price, or a price that came into force after that row. `interval`
  /// is the interval of such a new price; `nil` for the earlier row's price.
  private func carriedOn(
    _ row: PricingContext, _ earlier: PricedRow, at price: Milliunits, _ interval: Int?
  ) throws(AmountError) -> Decision {
    // Between two prices, the service's amount may be that of a subscriber who was moved.
    if interval == nil, !isPriceKnown(row) || isBetweenPrices(row), !keepsPrice(row),
      let other = contradictingServicePrice(row, price)
    {
      return try open(row, after: earlier, (min(price, other), max(price, other)))
    }
    // Where only a service shows the row, nothing tells on which side of the change it is.
    if interval == nil, book.purchases[row.row].isOfServiceOnly,
      let bounds = boundsOfChange(row, price),
      bounds.high.map({ $0 > price }) ?? true || !isListPrice(price, row)
    {
      return try open(row, after: earlier, bounds)
    }
    var decision = try Decision.known(price, row, earlier.amount.status.carriedOn)
    decision.evidence =
      interval.map { prices.history.intervals[$0].firstReport } ?? earlier.amount.evidence
    decision.interval = interval ?? earlier.interval
    decision.basis = RowPosition(earlier.row)
    return decision
  }

  /// Decides a row for which its service states another amount than the price in force, which fell.
  ///
  /// The price may not have fallen: new subscribers may pay an introductory price that the service
  /// does not mark. Where the service states the earlier price, that price goes on.
  private func notFallen(
    _ row: PricingContext, _ earlier: PricedRow, to price: Milliunits, _ stated: Milliunits
  ) throws(AmountError) -> Decision {
    if stated == earlier.unitPrice {
      return try carriedOn(row, earlier, at: earlier.unitPrice, nil)
    }
    let bounds = (min(price, stated), max(earlier.unitPrice, stated))
    return try open(row, after: earlier, bounds)
  }

  /// Whether the catalogue lists a price for a row, and a service that does not mark offers states
  /// it.
  ///
  /// A lower price in the history is then that of such an offer.
  private func isListPrice(_ price: Milliunits, _ row: PricingContext) -> Bool {
    guard let market = row.market, let terms = book.purchases[row.row].service,
      !terms.marksOffers, terms.charged?.amount == price, terms.charged?.currency == row.currency
    else { return false }
    return !row.lists.isEmpty
      && row.lists.allSatisfy { prices.listPrice(market, in: $0, at: row.time)?.price == price }
  }

  /// The earlier price and the prices that may have come into force before the row, as bounds.
  ///
  /// `nil` if the price of the row's day is known.
  private func boundsOfChange(_ row: PricingContext, _ price: Milliunits)
    -> (low: Milliunits, high: Milliunits?)?
  {
    guard let market = row.market else { return nil }
    var later = row.lists.compactMap { prices.change(market, in: $0, around: row.time)?.after }
    if let other = unsettledPrices(row) { later += [other.low, other.high] }
    guard let low = later.min(), let high = later.max(), (low, high) != (price, price) else {
      return nil
    }
    return (min(low, price), max(high, price))
  }

  /// Whether the catalogue says that the subscriber keeps a price from before a change.
  private func keepsPrice(_ row: PricingContext) -> Bool {
    guard let market = row.market, !row.lists.isEmpty else { return false }
    let start = beganAt(row)
    return row.lists.allSatisfy {
      prices.priceChanges(market, in: $0, after: start, through: row.time)
        .contains { $0.existingSubscribers == .preserved }
    }
  }

  /// Whether reports or the catalogue show a price at the time of a row.
  private func isPriceKnown(_ row: PricingContext) -> Bool {
    guard let market = row.market else { return false }
    return row.lists.contains { prices.priceInForce(market, in: $0, at: row.time) != nil }
  }

  /// Leaves the amount unresolved, with bounds, because the price is ambiguous.
  private func open(
    _ row: PricingContext, after earlier: PricedRow,
    _ bounds: (low: Milliunits, high: Milliunits?)
  ) throws(AmountError) -> Decision {
    var decision = try Decision.between(bounds.low, bounds.high, row)
    decision.evidence = earlier.amount.evidence
    decision.interval = earlier.interval
    decision.basis = RowPosition(earlier.row)
    return decision
  }

  /// The lowest and the highest possible price of a row after a price drop that may have been a
  /// sale.
  ///
  /// The highest is `nil` if there is no upper bound.
  private func bounds(
    _ row: PricingContext, _ drop: (before: PricedRow, after: PricedRow), _ policy: RenewalPolicy
  ) -> (low: Milliunits, high: Milliunits?) {
    let (low, before) = (drop.after.unitPrice, drop.before.unitPrice)
    guard let market = row.market else { return (low, before) }
    let pricings = lists(of: row, market, after: drop.before).map {
      pricing(row, market, in: $0, after: drop.before, policy)
    }
    let others = Self.bounds(of: pricings, before)
    return (min(low, others.low), others.high.map { max($0, low) })
  }

  /// The lowest and the highest possible price of a renewal over all price lists that may apply.
  ///
  /// `before` is the earlier row's price. The highest is `nil` if a list has no upper bound.
  private static func bounds(of pricings: [RenewalPricing], _ before: Milliunits)
    -> (low: Milliunits, high: Milliunits?)
  {
    let bounds = pricings.map { $0.bounds(before) }
    let highs = bounds.compactMap(\.high)
    return (
      bounds.map(\.low).min() ?? .zero, highs.count == bounds.count ? highs.max() : nil
    )
  }

  /// The price lists that may apply to a row, given the price of an earlier row.
  ///
  /// These are the lists in which that price was in force at the time of the earlier row. If no
  /// list had the price, all lists of the row are returned.
  private func lists(of row: PricingContext, _ market: MarketIndex, after earlier: PricedRow)
    -> [Storefront?]
  {
    guard row.lists.count > 1 else { return row.lists }
    let fitting = row.lists.filter {
      prices.priceInForce(market, in: $0, at: earlier.time)?.price == earlier.unitPrice
    }
    return fitting.isEmpty ? row.lists : fitting
  }

  /// Records the regular prices in force since a moment, for the command `explain`.
  private func noteRegularPrices(
    _ row: PricingContext, _ market: MarketIndex, in list: Storefront?, since start: Instant,
    _ notes: inout DecisionNotes
  ) {
    guard notes.areKept else { return }
    for price in prices.regularPrices(market, in: list, from: start, through: row.time) {
      if let interval = price.interval { notes.add(candidate(interval: interval, row)) }
    }
  }

  /// Records the catalogue's price changes since a moment, with the price in force after each.
  func noteChanges(
    _ row: PricingContext, _ market: MarketIndex, in list: Storefront?, since start: Instant,
    _ notes: inout DecisionNotes
  ) {
    guard notes.areKept else { return }
    for change in prices.priceChanges(market, in: list, after: start, through: row.time) {
      let price = prices.priceInForce(market, in: list, at: change.at)?.price
      notes.add(candidate(change: change, price, row))
    }
  }
}

extension RuleText {
  static let previousRenewal = RuleText(
    .previousRenewal,
    condition:
      "A regular row; an earlier regular row of the chain has a known price, with the "
      + "same product, currency and length, and without a lapse since. Or the exports lack the chain's "
      + "first rows, or the price of its earlier rows is not known, and the price rose since. A price that only Apple's reports "
      + "have is left out if these reports show that no customer paid it at the time of the row, "
      + "or if it is inferred and a report of the customer or the price history has a price.",
    result:
      "One of three results. (1) The earlier price, which the payments of one commitment keep. (2) The price now in force, if the price "
      + "fell, or if the catalogue or the customer's consent shows that the subscriber pays the "
      + "new price; it is the reported price, else the price listed since the last change. (3) "
      + "NULL with bounds [old, new], unresolved, if neither is certain. For example, the "
      + "catalogue moved subscribers to a price that no report shows; or only Apple's reports "
      + "show a lower price, which may be that of a sale; or only a service's export has the row, "
      + "between the last report of one price and the first of another, which may be the only one, "
      + "or with another amount of the service. Status of a known price: configured if "
      + "it is listed; else inferred or configured if the earlier row's amount has that status; "
      + "else derived. If the catalogue lists a rebased currency in between, the price is in the "
      + "new unit.",
    why:
      "Renewals repeat the price until it changes, and an increase may not apply to existing "
      + "subscribers.")
}
