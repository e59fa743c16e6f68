public import CivilTime
public import PaidAmounts
public import PurchaseModel
public import Purchases

/// Names the events of all subscriptions, in the order of their periods.
///
/// - Parameters:
///   - renewing: The products that are auto-renewable subscriptions.
///   - notCancelled: The expiration intents that are no decisions of the customer.
///   - asOf: The time until which ends count, UTC.
public func subscriptionEvents(
  book: PurchaseHistory, timelines: BillingTimelines, amounts: PaidAmountResults,
  results: SubscriptionResults, renewing: Set<ProductID>, notCancelled: Set<Symbol>,
  asOf: Instant
) -> [SubscriptionEvent] {
  var trials: Set<Int> = []
  var converting: Set<Int> = []
  for conversion in results.conversions {
    let period = timelines.offerPeriods[conversion.offerPeriod]
    guard period.kind == .trial else { continue }
    trials.insert(period.rows.lowerBound)
    if let row = conversion.convertedBy { converting.insert(row.index) }
  }
  var events: [SubscriptionEvent] = []
  for subscription in results.subscriptions {
    let chain = book.chains[subscription.chain.index]
    let periods = chain.rows.filter { renewing.contains(book.purchases[$0].productID) }.map { row in
      EventPeriod(
        row: row, purchase: book.purchases[row], timeline: timelines.rows[row],
        storefront: amounts.amounts[row].storefront,
        isTrial: trials.contains(row), isConversion: converting.contains(row))
    }
    var history = ChainEvents(
      periods: periods, lengths: timelines.productPeriods, end: subscription,
      cancellations: book.cancellations(chain.renewalStates, except: notCancelled), asOf: asOf)
    for place in periods.indices { history.add(place) }
    events += history.events
  }
  return events
}

extension PurchaseHistory {
  /// The times at which the customer turned off auto-renewal.
  ///
  /// Of several states in one second, the newest counts.
  fileprivate func cancellations(_ states: Range<Int>, except notCancelled: Set<Symbol>)
    -> [Instant]
  {
    var wasOn = true
    var times: [Instant] = []
    for position in states {
      let state = renewalStates[position]
      let next = position + 1
      let isReplaced =
        next < states.upperBound
        && renewalStates[next].observedAt.wholeSecond == state.observedAt.wholeSecond
      guard !isReplaced, let isOn = state.autoRenewStatus else { continue }
      let isDecision = state.expirationIntent.map { !notCancelled.contains($0) } ?? true
      if wasOn, !isOn, isDecision { times.append(state.observedAt.wholeSecond) }
      wasOn = isOn
    }
    return times
  }
}

/// A period of an auto-renewable subscription, with what its events depend on.
private struct EventPeriod {
  let row: Int
  let purchase: Purchase
  let timeline: BillingTimeline
  let storefront: Storefront?
  let isTrial: Bool
  let isConversion: Bool

  var productID: ProductID { purchase.productID }
  var accessEndsAt: Instant { timeline.accessEndsAt }
  var beginsAt: Instant { purchase.purchasedAt.wholeSecond }
  /// Whether the period gave access at all; one that was refunded before it began did not.
  var ran: Bool { accessEndsAt > purchase.purchasedAt }

  /// Whether the subscription ran without a break from an earlier period into this one.
  ///
  /// Days count: what ends and begins on one day has no break.
  func follows(_ earlier: EventPeriod) -> Bool { beginsAt.day <= earlier.accessEndsAt.day }

  /// Whether the period counts for another product, app or storefront than an earlier one.
  func isElsewhere(than earlier: EventPeriod) -> Bool {
    productID != earlier.productID || storefront != earlier.storefront
  }

  /// Whether the period was refunded while an earlier one went on: the subscription never stopped.
  func isWithin(_ earlier: EventPeriod) -> Bool {
    refundedAt != nil && accessEndsAt < earlier.accessEndsAt
  }

  /// The time of the refund; `nil` if the period was not refunded.
  var refundedAt: Instant? {
    timeline.reversal.flatMap { $0.kind == .refund ? $0.at.wholeSecond : nil }
  }
}

/// The events of one chain, period by period.
private struct ChainEvents {
  /// The chain's periods, oldest first.
  let periods: [EventPeriod]
  /// The length of each product's period.
  let lengths: [ProductID: Period]
  /// The subscription, which tells how the newest period ended.
  let end: Subscription
  let cancellations: [Instant]
  let asOf: Instant
  private(set) var events: [SubscriptionEvent] = []
  /// The newest period that ran.
  private var running: EventPeriod?

  init(
    periods: [EventPeriod], lengths: [ProductID: Period], end: Subscription,
    cancellations: [Instant], asOf: Instant
  ) {
    self.periods = periods
    self.lengths = lengths
    self.end = end
    self.cancellations = cancellations
    self.asOf = asOf
  }

  /// Adds the events of a period: its beginning first, then its other events.
  mutating func add(_ place: Int) {
    let period = periods[place]
    let former = place > 0 ? periods[place - 1] : nil
    let next = periods[(place + 1)...].first { $0.ran && !$0.isWithin(period) }
    let counts = period.ran && !(running.map(period.isWithin) ?? false)
    let change = former.flatMap { self.change(from: $0, to: period) }
    let beginning = beginning(of: period, after: former, change)
    let goesOn = running.map(period.follows) ?? false
    let row = RowPosition(period.row)
    let formerProduct = former?.productID == period.productID ? nil : former?.productID
    func note(
      _ kind: SubscriptionEvent.Kind, at time: Instant, isBeginning: Bool = false,
      running change: Int = 0
    ) {
      events.append(
        SubscriptionEvent(
          row: row, kind: kind, at: time, isBeginning: isBeginning,
          formerProductID: formerProduct, runningChange: change))
    }

    note(beginning, at: period.beginsAt, isBeginning: true, running: counts && !goesOn ? 1 : 0)
    if period.isTrial, beginning != .trialStarted { note(.trialStarted, at: period.beginsAt) }
    if period.isConversion, beginning != .converted { note(.converted, at: period.beginsAt) }
    if let change, change != beginning { note(change, at: period.beginsAt) }
    if counts, goesOn, let running, period.isElsewhere(than: running) {
      note(.moved, at: period.beginsAt, running: 1)
    }
    let isFollowed = counts && next.map { $0.follows(period) } ?? false
    if let time = period.refundedAt {
      let ends = counts && !isFollowed && time <= period.accessEndsAt.wholeSecond
      note(.reversed, at: time, running: ends ? -1 : 0)
    }
    if let next, isFollowed, next.isElsewhere(than: period) {
      note(.moved, at: next.beginsAt, running: -1)
    } else if !isFollowed, let ending = ending(of: period, before: next) {
      note(ending, at: period.accessEndsAt.wholeSecond, running: -1)
    }
    let following = place + 1 < periods.count ? periods[place + 1].beginsAt : nil
    for time in cancellations where time >= period.beginsAt {
      if following.map({ time < $0 }) ?? true { note(.cancelled, at: time) }
    }
    if counts { running = period }
  }

  /// How the product of a period differs from that of the period before; `nil` if it does not, or
  /// if the subscription had lapsed.
  private func change(from former: EventPeriod, to period: EventPeriod) -> SubscriptionEvent.Kind? {
    guard former.timeline.spellNumber == period.timeline.spellNumber,
      former.productID != period.productID
    else { return nil }
    if former.timeline.reversal?.kind == .upgrade { return .upgraded }
    if let old = lengths[former.productID], let new = lengths[period.productID], old != new {
      return .crossgraded
    }
    return .downgraded
  }

  private func beginning(
    of period: EventPeriod, after former: EventPeriod?, _ change: SubscriptionEvent.Kind?
  ) -> SubscriptionEvent.Kind {
    guard let former else { return period.isTrial ? .trialStarted : .new }
    if former.timeline.spellNumber != period.timeline.spellNumber { return .reactivated }
    if period.isConversion { return .converted }
    if former.timeline.reversal?.kind == .upgrade { return .upgraded }
    if let change { return change }
    return period.timeline.isBillingRecovery ? .recovered : .renewed
  }

  /// How a period ended that no other follows on the same day; `nil` if it was refunded, has not
  /// ended, or never ran.
  private func ending(of period: EventPeriod, before next: EventPeriod?) -> SubscriptionEvent.Kind?
  {
    let endsAt = period.accessEndsAt.wholeSecond
    if let refundedAt = period.refundedAt, refundedAt <= endsAt { return nil }
    guard period.ran, endsAt <= asOf.wholeSecond else { return nil }
    guard let next else {
      if end.seenThroughAt != nil { return .notSeen }
      return end.status == .expired || end.status == .revoked ? .lapsed : .interrupted
    }
    return next.timeline.spellNumber == period.timeline.spellNumber ? .interrupted : .lapsed
  }
}
