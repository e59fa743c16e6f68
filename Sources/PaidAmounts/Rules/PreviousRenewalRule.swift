internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// What the renewal policy makes of an earlier row's price.
enum RenewalPricing {
  /// The earlier row's price still holds.
  case asBefore
  /// The price of an interval of the history holds, by its position.
  case interval(Int)
  /// The price rose to that of an interval, and nothing says whether for this customer.
  case open(Int)
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
    case .interval(let index):
      let interval = history.intervals[index]
      var decision = try Decision.known(interval.price, row, status)
      decision.evidence = interval.firstReport
      decision.evidenceCount = interval.voters
      decision.basis = Int32(earlier.row)
      return .decided(decision)
    case .open(let index):
      let high = try history.intervals[index].price.multiplied(by: row.quantity)
      let low = try earlier.unitPrice.multiplied(by: row.quantity)
      memory.ask(interval: index, oldPrice: earlier.unitPrice)
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
    let series = SeriesKey.regular(group)
    switch policy {
    case .asPurchased: return .asBefore
    case .asCurrent:
      return history.newestInterval(of: series).map { .interval($0) } ?? .asBefore
    case .history: break
    }
    guard let now = history.interval(of: series, at: row.time) else { return .asBefore }
    let price = history.intervals[now].price
    let before = history.interval(of: series, at: earlier.time)
    if let before, history.intervals[before].price == price { return .asBefore }
    if price == earlier.unitPrice { return .asBefore }
    if price < earlier.unitPrice { return .interval(now) }
    if let change = groups.change(group, after: earlier.time, through: row.time) {
      return change.existingSubscribers == .moved ? .interval(now) : .asBefore
    }
    let isShown = consents.isShown(chain: row.chain, from: earlier.time, through: row.time)
    return isShown ? .interval(now) : .open(now)
  }
}
