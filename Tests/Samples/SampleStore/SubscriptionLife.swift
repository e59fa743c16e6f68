internal import CivilTime
internal import PurchaseModel

/// The state of a subscription at the end of its newest row.
struct SubscriptionTimeline {
  /// `original_transaction_id`; 0 before the first row.
  var originalID: Int64 = 0
  var originalPurchasedAt: Int64 = 0
  var product: SampleProduct
  /// The position of the current row in the customer's purchases; -1 before the first row.
  var row = -1
  /// The end of the period of the current row, in Unix milliseconds.
  var end: Int64
  /// The moment from which billing periods are counted.
  var anchor: Int64
  /// The number of billing periods that have begun since ``anchor``.
  var periodsSinceAnchor = 0
  /// The pay-as-you-go offer that is running, and the number of charges that are left.
  ///
  /// `nil` if no such offer is running.
  var running: (kind: SamplePeriodKind, offer: SampleOffer, left: Int)?
  /// The customer's current regular price, its product and its currency.
  ///
  /// `nil` before the first regular row of the chain, and after a lapse until the next regular row.
  var cohort: (price: Int64, product: SampleProduct, currency: SampleCurrency)?

  /// Creates the state before the first row.
  init(product: SampleProduct, at moment: Int64) {
    self.product = product
    end = moment
    anchor = moment
  }
}

extension CustomerLife {
  /// Subscribes, and simulates the subscription until its permanent end or the end of the store's
  /// time.
  mutating func subscribe(to product: SampleProduct, at moment: Int64) {
    var timeline = SubscriptionTimeline(product: product, at: moment)
    begin(&timeline, at: moment, isReturn: false)
    while timeline.end < plan.end, customer.purchases.count < 400 {
      guard proceed(&timeline) else { return }
    }
  }

  /// Starts or resumes a subscription in the app, with an offer if the customer is eligible.
  private mutating func begin(
    _ timeline: inout SubscriptionTimeline, at moment: Int64, isReturn: Bool
  ) {
    let product = timeline.product
    let market = customer.market(at: moment)
    timeline.running = nil
    restartAnchor(&timeline, at: moment)
    if isReturn {
      timeline.cohort = nil  // after a lapse, the current price applies
      customer.states.append(renewalState(timeline, at: moment))
      let offers = product.promotionalOffers(market.currency)
      if !offers.isEmpty, random.happens(perMille: 380) {
        addOffer(.promo, offers[random.below(offers.count)], to: &timeline, from: moment)
        return act(timeline.row, appliedDiscount: customer.purchases[timeline.row].offerID)
      }
    } else {
      let codes = product.offerCodes(market.currency)
      if !codes.isEmpty, random.happens(perMille: 90) {
        addOffer(.offerCode, codes[random.below(codes.count)], to: &timeline, from: moment)
        return act(timeline.row)
      }
    }
    if let group = product.group, let offer = product.introductoryOffer(in: market),
      usedIntroductory.insert(group).inserted
    {
      addOffer(offer.mode == .freeTrial ? .trial : .intro, offer, to: &timeline, from: moment)
    } else {
      addRegular(to: &timeline, from: moment)
    }
    act(timeline.row)
  }

  /// Decides what follows the current row: a renewal, a lapse, another product or the end.
  ///
  /// Returns `false` if the subscription has ended permanently.
  private mutating func proceed(_ timeline: inout SubscriptionTimeline) -> Bool {
    let end = timeline.end
    let isFree = customer.purchases[timeline.row].paid == 0
    let isWeekly = timeline.product == .newsWeekly
    if timeline.running == nil, asksConsent(timeline), let answer = consent(&timeline), !answer {
      return lapse(&timeline, intent: 3)
    }
    switch random.below(1000) {
    case ..<(isFree ? 330 : isWeekly ? 16 : 50): return lapse(&timeline, intent: 1)
    case ..<(isFree ? 370 : isWeekly ? 28 : 85): return retryBilling(&timeline)
    case ..<(isFree ? 390 : isWeekly ? 28 : 103): return change(&timeline)
    case ..<(isFree ? 392 : isWeekly ? 34 : 125) where timeline.running == nil:
      let offers = timeline.product.promotionalOffers(customer.market(at: end).currency)
      guard !offers.isEmpty else { fallthrough }
      // An offer to an existing subscriber begins with the next renewal.
      addOffer(.promo, offers[random.below(offers.count)], to: &timeline, from: end)
      if random.happens(perMille: 600) {
        act(timeline.row, appliedDiscount: customer.purchases[timeline.row].offerID)
      }
    default: renew(&timeline, at: end)
    }
    return true
  }

  /// Adds the next period: at the price of the running offer, otherwise at the regular price.
  private mutating func renew(_ timeline: inout SubscriptionTimeline, at moment: Int64) {
    let market = customer.market(at: moment)
    let isAtHome = market == customer.purchases[timeline.row].market
    guard var running = timeline.running, running.left > 0, isAtHome else {
      timeline.running = nil
      return addRegular(to: &timeline, from: moment)
    }
    running.left -= 1
    timeline.running = running
    addRow(running.kind, running.offer, to: &timeline, from: moment, market: market)
  }

  /// Ends the current spell, and begins another spell if the customer comes back after a gap.
  ///
  /// `intent` is `expiration_intent` in the renewal state: 1 if the customer turned off renewal, 2
  /// after a declined card, 3 after a refused price rise.
  ///
  /// Returns `true` if the customer comes back.
  private mutating func lapse(_ timeline: inout SubscriptionTimeline, intent: Int64) -> Bool {
    let end = timeline.end
    let start = customer.purchases[timeline.row].purchasedAt
    let decided = start + Int64(random.below(Int(end - start) / 1000)) * 1000
    var state = renewalState(timeline, at: intent == 1 ? decided : end)
    state.willRenew = intent == 2
    if intent == 1 { customer.states.append(state) }
    state.at = end
    state.willRenew = false
    state.intent = intent
    state.retry = 0
    customer.states.append(state)
    guard random.happens(perMille: 320) else { return false }
    let gap = random.happens(perMille: 400) ? random.within(1...25) : random.within(26...240)
    let moment = end + day(gap) + Int64(random.below(86_400)) * 1000
    guard moment < plan.end else { return false }
    begin(&timeline, at: moment, isReturn: true)
    return true
  }

  /// Simulates a declined card; returns `false` if the subscription has ended permanently.
  ///
  /// After a payment within the grace period, the next row begins at the end of the current row.
  /// After a payment outside the grace period, the next row begins at the payment. Some customers
  /// never pay.
  private mutating func retryBilling(_ timeline: inout SubscriptionTimeline) -> Bool {
    let end = timeline.end
    let hasGrace = timeline.product == .proMonthly || timeline.product == .proYearly
    var state = renewalState(timeline, at: end)
    state.intent = 2
    state.retry = 1
    if hasGrace { state.graceUntil = end + day(16) }
    customer.states.append(state)
    let recoversSoon = random.happens(perMille: 600)
    let recovers = recoversSoon || random.happens(perMille: 500)
    guard recovers else {
      timeline.end = end + day(60)
      return lapse(&timeline, intent: 2)
    }
    let late = recoversSoon ? random.within(1...15) : random.within(17...58)
    let settled = end + day(late) + Int64(random.below(70_000)) * 1000
    if hasGrace, recoversSoon {
      renew(&timeline, at: end)
      customer.purchases[timeline.row].knownFrom = settled
    } else {
      restartAnchor(&timeline, at: settled)
      renew(&timeline, at: settled)
    }
    customer.states.append(renewalState(timeline, at: settled))
    return true
  }

  /// Changes to another plan of the group: an upgrade immediately, a downgrade at the renewal.
  ///
  /// The result is always `true`: the subscription continues.
  private mutating func change(_ timeline: inout SubscriptionTimeline) -> Bool {
    let end = timeline.end
    switch timeline.product {
    case .plusMonthly: upgrade(&timeline, to: .proMonthly)
    case .proMonthly where random.happens(perMille: 600): upgrade(&timeline, to: .proYearly)
    case .proMonthly:
      var state = renewalState(timeline, at: end - day(2))
      state.nextProduct = .plusMonthly
      customer.states.append(state)
      timeline.product = .plusMonthly
      timeline.running = nil
      restartAnchor(&timeline, at: end)
      addRegular(to: &timeline, from: end)
      customer.states.append(renewalState(timeline, at: end))
    case .proYearly:
      timeline.product = .proMonthly
      timeline.running = nil
      restartAnchor(&timeline, at: end)
      addRegular(to: &timeline, from: end)
      customer.states.append(renewalState(timeline, at: end))
    default: renew(&timeline, at: end)
    }
    return true
  }

  private mutating func upgrade(_ timeline: inout SubscriptionTimeline, to product: SampleProduct) {
    let start = customer.purchases[timeline.row].purchasedAt
    let end = timeline.end
    var moment = start + Int64(random.within(1...max(1, Int(end - start) / 1000 - 7200))) * 1000
    if random.happens(perMille: 100), timeline.running == nil {
      // The renewal was already charged, up to a day before its period. That period never begins.
      moment = end - Int64(random.within(600...50_000)) * 1000
      let old = timeline.row
      addRegular(to: &timeline, from: end)
      customer.purchases[timeline.row].knownFrom = moment - 60_000
      markUpgraded(old, at: moment, withCancellation: false)
    }
    // Until the end of 2020 Apple wrote a cancellation date with an upgrade, and some rows still
    // have it.
    let isRegular = timeline.end == end
    markUpgraded(
      timeline.row, at: moment, withCancellation: isRegular && random.happens(perMille: 300))
    timeline.product = product
    timeline.running = nil
    restartAnchor(&timeline, at: moment)
    addRegular(to: &timeline, from: moment)
    customer.states.append(renewalState(timeline, at: moment))
    act(timeline.row)
  }

  private mutating func markUpgraded(_ row: Int, at moment: Int64, withCancellation: Bool) {
    customer.purchases[row].upgradedAt = moment + 2000
    customer.purchases[row].cancelledAt = 0
    guard withCancellation else { return }
    customer.purchases[row].cancelledAt = moment + Int64(random.below(8)) * 1000
    customer.purchases[row].cancellationKnownFrom = moment + 2000
    customer.purchases[row].cancellationKnownUntil = .max
    customer.purchases[row].cancellationReason = 0
  }

  // MARK: A price rise that needs consent

  private func asksConsent(_ timeline: SubscriptionTimeline) -> Bool {
    guard let cohort = timeline.cohort, cohort.product == timeline.product,
      let step = plan.step(timeline.product, cohort.currency), step.effect == .consent
    else { return false }
    return cohort.price < step.price && timeline.end >= step.at
  }

  /// Requests consent to a price rise, and returns the customer's answer; `nil` without a rise.
  private mutating func consent(_ timeline: inout SubscriptionTimeline) -> Bool? {
    guard let cohort = timeline.cohort, let step = plan.step(cohort.product, cohort.currency)
    else { return nil }
    let start = customer.purchases[timeline.row].purchasedAt
    var state = renewalState(timeline, at: max(step.at, start + 60_000))
    state.consent = 0
    customer.states.append(state)
    guard random.happens(perMille: 800) else { return false }
    state.at += Int64(random.below(max(1, Int(timeline.end - state.at) / 2000))) * 1000
    state.consent = 1
    customer.states.append(state)
    if random.happens(perMille: 650) {
      upload(at: min(state.at + 3_600_000, timeline.end - 1000), inAppAsOf: start)
    }
    customer.states.append(renewalState(timeline, at: timeline.end))
    return true
  }
}
