internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// A regular price in force: of an interval of the history, else of the catalogue.
struct PriceInForce {
  var price: Milliunits
  /// When it began, Unix milliseconds, UTC; `nil` since ever.
  var from: Int64?
  /// The interval, by its position in ``PriceHistory/intervals``; `nil` for a list price.
  var interval: Int?
}

/// What the renewal policy makes of an earlier row's price.
enum RenewalPricing {
  /// The earlier row's price still holds.
  case asBefore
  /// Another price holds.
  case now(PriceInForce)
  /// The price rose to this one, and nothing says whether for this customer.
  case open(PriceInForce)
}

extension PriceEvidence {
  /// `previous_renewal`: a renewal costs what the one before did, as the renewal policy allows.
  func previousRenewal(
    _ row: RowUnderDecision, _ memory: inout ChainMemory, _ policy: RenewalPolicy
  ) throws(AmountError) -> RuleOutcome {
    guard row.kind == .regular else { return .passed(.notRegular) }
    guard row.currency != nil else { return .passed(.currencyUnknown) }
    guard let group = row.group else { return .passed(.noEarlierRenewal) }
    guard let earlier = memory.regularRow(group: group) else {
      let lapsed = memory.hadRegularRow(group: group)
      return .passed(lapsed ? .lapseBetween : .noEarlierRenewal)
    }
    let status = earlier.amount.status.carriedOn
    switch pricing(row, after: earlier, group: group, policy) {
    case .asBefore:
      var decision = try Decision.known(earlier.unitPrice, row, status)
      decision.evidence = earlier.amount.evidence
      decision.evidenceCount = earlier.amount.evidenceCount
      decision.basis = Int32(earlier.row)
      return .decided(decision)
    case .now(let now):
      // A list price rests on the catalogue, however well the earlier price is known.
      var decision = try Decision.known(
        now.price, row, now.interval == nil ? .configured : status)
      decision.evidence = now.interval.map { history.intervals[$0].firstReport }
      decision.evidenceCount = now.interval.map { history.intervals[$0].voters } ?? 0
      decision.basis = Int32(earlier.row)
      return .decided(decision)
    case .open(let now):
      let high = try now.price.multiplied(by: row.quantity)
      let low = try earlier.unitPrice.multiplied(by: row.quantity)
      memory.ask(group: group, now: now, before: earlier.unitPrice)
      return .decided(
        Decision(
          paid: nil, low: low, high: high, status: .unresolved, evidence: earlier.amount.evidence,
          evidenceCount: earlier.amount.evidenceCount, basis: Int32(earlier.row)))
    }
  }

  /// Applies the renewal policy (RULES section 3, "Renewal policy").
  private func pricing(
    _ row: RowUnderDecision, after earlier: PricedRow, group: Int32, _ policy: RenewalPolicy
  ) -> RenewalPricing {
    switch policy {
    case .asPurchased: return .asBefore
    case .asCurrent:
      guard let newest = history.newestInterval(of: .regular(group)) else { return .asBefore }
      return .now(inForce(newest))
    case .history: break
    }
    guard let now = priceInForce(group, at: row.time) else { return .asBefore }
    if let before = priceInForce(group, at: earlier.time), before.price == now.price {
      return .asBefore
    }
    if now.price == earlier.unitPrice { return .asBefore }
    if now.price < earlier.unitPrice { return .now(now) }
    if let change = groups.change(group, after: earlier.time, through: row.time) {
      return change.existingSubscribers == .moved ? .now(now) : .asBefore
    }
    let isShown = consents.isShown(chain: row.chain, from: earlier.time, through: row.time)
    return isShown ? .now(now) : .open(now)
  }

  /// The regular price in force: as reported, else as listed since the last price change.
  ///
  /// A list price older than the latest `price_changes` date is that of a stretch before, so it
  /// says nothing about this one.
  func priceInForce(_ group: Int32, at time: Int64) -> PriceInForce? {
    if let interval = history.interval(of: .regular(group), at: time) { return inForce(interval) }
    guard let listed = groups.listPrice(group, at: time),
      groups.change(group, after: listed.from, through: time) == nil
    else { return nil }
    return PriceInForce(price: listed.price, from: listed.from, interval: nil)
  }

  private func inForce(_ index: Int) -> PriceInForce {
    let interval = history.intervals[index]
    return PriceInForce(
      price: interval.price, from: interval.from?.milliseconds, interval: index)
  }
}
