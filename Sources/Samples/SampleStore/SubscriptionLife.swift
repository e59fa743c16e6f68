internal import CivilTime
internal import PurchaseModel

/// The state of a subscription after a row ended, as its paying customer sees it.
struct SubscriptionCourse {
  /// `original_transaction_id`; 0 before the first row.
  var originalID: Int64 = 0
  var originalPurchasedAt: Int64 = 0
  var product: SampleProduct
  /// The current row's position.
  var row = -1
  /// The end of the current row.
  var end: Int64
  /// The moment from which months are counted, and their number so far.
  var anchor: Int64
  var periodsSinceAnchor = 0
  /// An offer that is charged again for each period: kind, offer and charges left.
  var running: (kind: SamplePeriodKind, offer: SampleOffer, left: Int)?
  /// The regular price this customer began with, with its product and currency.
  var cohort: (price: Int64, product: SampleProduct, currency: SampleCurrency)?

  /// A course that is about to begin.
  init(product: SampleProduct, at moment: Int64) {
    self.product = product
    end = moment
    anchor = moment
  }
}

extension CustomerLife {
  /// Subscribes, and lives with the subscription until it ends for good or the days are over.
  mutating func subscribe(to product: SampleProduct, at moment: Int64) {
    var course = SubscriptionCourse(product: product, at: moment)
    begin(&course, at: moment, isReturn: false)
    while course.end < plan.end, customer.purchases.count < 400 {
      guard proceed(&course) else { return }
    }
  }

  /// Begins or resumes a subscription in the app: with an offer where one is due.
  private mutating func begin(
    _ course: inout SubscriptionCourse, at moment: Int64, isReturn: Bool
  ) {
    let product = course.product
    let market = customer.market(at: moment)
    course.running = nil
    restartAnchor(&course, at: moment)
    if isReturn {
      course.cohort = nil  // who lapsed pays what is asked now
      customer.states.append(renewalState(course, at: moment))
      let offers = product.promotionalOffers(market.currency)
      if !offers.isEmpty, random.happens(perMille: 380) {
        addOffer(.promo, offers[random.below(offers.count)], to: &course, from: moment)
        return act(course.row, appliedDiscount: customer.purchases[course.row].offerID)
      }
    } else {
      let codes = product.offerCodes(market.currency)
      if !codes.isEmpty, random.happens(perMille: 90) {
        addOffer(.offerCode, codes[random.below(codes.count)], to: &course, from: moment)
        return act(course.row)
      }
    }
    if let group = product.group, let offer = product.introductoryOffer(in: market),
      usedIntroductory.insert(group).inserted
    {
      addOffer(offer.mode == .freeTrial ? .trial : .intro, offer, to: &course, from: moment)
    } else {
      addRegular(to: &course, from: moment)
    }
    act(course.row)
  }

  /// Continues after the end of the current row; `false` when the subscription has ended for good.
  private mutating func proceed(_ course: inout SubscriptionCourse) -> Bool {
    let end = course.end
    let isFree = customer.purchases[course.row].paid == 0
    let isWeekly = course.product == .newsWeekly
    if course.running == nil, asksConsent(course), let answer = consent(&course), !answer {
      return lapse(&course, intent: 3)
    }
    switch random.below(1000) {
    case ..<(isFree ? 330 : isWeekly ? 16 : 50): return lapse(&course, intent: 1)
    case ..<(isFree ? 370 : isWeekly ? 28 : 85): return retryBilling(&course)
    case ..<(isFree ? 390 : isWeekly ? 28 : 103): return change(&course)
    case ..<(isFree ? 392 : isWeekly ? 34 : 125) where course.running == nil:
      let offers = course.product.promotionalOffers(customer.market(at: end).currency)
      guard !offers.isEmpty else { fallthrough }
      // An offer to an existing subscriber begins with the next renewal.
      addOffer(.promo, offers[random.below(offers.count)], to: &course, from: end)
      if random.happens(perMille: 600) {
        act(course.row, appliedDiscount: customer.purchases[course.row].offerID)
      }
    default: renew(&course, at: end)
    }
    return true
  }

  /// Adds the next period: of a running offer, else at the regular price.
  private mutating func renew(_ course: inout SubscriptionCourse, at moment: Int64) {
    let market = customer.market(at: moment)
    let isAtHome = market == customer.purchases[course.row].market
    guard var running = course.running, running.left > 0, isAtHome else {
      course.running = nil
      return addRegular(to: &course, from: moment)
    }
    running.left -= 1
    course.running = running
    addRow(running.kind, running.offer, to: &course, from: moment, market: market)
  }

  /// Turned off, given up or not consented to: a gap, and for some a return.
  private mutating func lapse(_ course: inout SubscriptionCourse, intent: Int64) -> Bool {
    let end = course.end
    let start = customer.purchases[course.row].purchasedAt
    let decided = start + Int64(random.below(Int(end - start) / 1000)) * 1000
    var state = renewalState(course, at: intent == 1 ? decided : end)
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
    begin(&course, at: moment, isReturn: true)
    return true
  }

  /// The card was declined: with a grace period the row is back-dated, without one it moves.
  private mutating func retryBilling(_ course: inout SubscriptionCourse) -> Bool {
    let end = course.end
    let hasGrace = course.product == .proMonthly || course.product == .proYearly
    var state = renewalState(course, at: end)
    state.intent = 2
    state.retry = 1
    if hasGrace { state.graceUntil = end + day(16) }
    customer.states.append(state)
    let recoversSoon = random.happens(perMille: 600)
    let recovers = recoversSoon || random.happens(perMille: 500)
    guard recovers else {
      course.end = end + day(60)
      return lapse(&course, intent: 2)
    }
    let late = recoversSoon ? random.within(1...15) : random.within(17...58)
    let settled = end + day(late) + Int64(random.below(70_000)) * 1000
    if hasGrace, recoversSoon {
      renew(&course, at: end)
      customer.purchases[course.row].knownFrom = settled
    } else {
      restartAnchor(&course, at: settled)
      renew(&course, at: settled)
    }
    customer.states.append(renewalState(course, at: settled))
    return true
  }

  /// Another plan of the group: better at once, lesser with the renewal.
  private mutating func change(_ course: inout SubscriptionCourse) -> Bool {
    let end = course.end
    switch course.product {
    case .plusMonthly: upgrade(&course, to: .proMonthly)
    case .proMonthly where random.happens(perMille: 600): upgrade(&course, to: .proYearly)
    case .proMonthly:
      var state = renewalState(course, at: end - day(2))
      state.nextProduct = .plusMonthly
      customer.states.append(state)
      course.product = .plusMonthly
      course.running = nil
      restartAnchor(&course, at: end)
      addRegular(to: &course, from: end)
      customer.states.append(renewalState(course, at: end))
    case .proYearly:
      course.product = .proMonthly
      course.running = nil
      restartAnchor(&course, at: end)
      addRegular(to: &course, from: end)
      customer.states.append(renewalState(course, at: end))
    default: renew(&course, at: end)
    }
    return true
  }

  private mutating func upgrade(_ course: inout SubscriptionCourse, to product: SampleProduct) {
    let start = customer.purchases[course.row].purchasedAt
    let end = course.end
    var moment = start + Int64(random.within(1...max(1, Int(end - start) / 1000 - 7200))) * 1000
    if random.happens(perMille: 100), course.running == nil {
      // The renewal was already charged, up to a day ahead: a row that never came to life.
      moment = end - Int64(random.within(600...50_000)) * 1000
      let old = course.row
      addRegular(to: &course, from: end)
      customer.purchases[course.row].knownFrom = moment - 60_000
      markUpgraded(old, at: moment, withCancellation: false)
    }
    // Until the end of 2020 Apple wrote a cancellation beside it; some rows still have one.
    let isRegular = course.end == end
    markUpgraded(
      course.row, at: moment, withCancellation: isRegular && random.happens(perMille: 300))
    course.product = product
    course.running = nil
    restartAnchor(&course, at: moment)
    addRegular(to: &course, from: moment)
    customer.states.append(renewalState(course, at: moment))
    act(course.row)
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

  private func asksConsent(_ course: SubscriptionCourse) -> Bool {
    guard let cohort = course.cohort, cohort.product == course.product,
      let step = plan.step(course.product, cohort.currency), step.effect == .consent
    else { return false }
    return cohort.price < step.price && course.end >= step.at
  }

  /// Asked, and answered by most; `nil` never happens to those who were not asked.
  private mutating func consent(_ course: inout SubscriptionCourse) -> Bool? {
    guard let cohort = course.cohort, let step = plan.step(cohort.product, cohort.currency)
    else { return nil }
    let start = customer.purchases[course.row].purchasedAt
    var state = renewalState(course, at: max(step.at, start + 60_000))
    state.consent = 0
    customer.states.append(state)
    guard random.happens(perMille: 800) else { return false }
    state.at += Int64(random.below(max(1, Int(course.end - state.at) / 2000))) * 1000
    state.consent = 1
    customer.states.append(state)
    if random.happens(perMille: 650) {
      upload(at: min(state.at + 3_600_000, course.end - 1000), inAppAsOf: start)
    }
    customer.states.append(renewalState(course, at: course.end))
    return true
  }
}
