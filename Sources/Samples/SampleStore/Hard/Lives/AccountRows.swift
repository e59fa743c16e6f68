internal import CivilTime
internal import PurchaseModel

extension AccountLife {
  /// Adds the first row of an offer and remembers its further rows.
  mutating func addOffer(
    _ kind: SamplePeriodKind, _ offer: WorldOffer, to course: inout AccountSubscription,
    from moment: Int64
  ) {
    let running = AccountSubscription.RunningOffer(
      kind: kind, offer: world.priced(offer, course.product, course.storefront, at: moment),
      currency: world.prices.step(course.product, course.storefront, at: moment).currency,
      left: offer.mode == .payAsYouGo ? offer.periods - 1 : 0)
    course.running = running.left > 0 ? running : nil
    addRow(running, to: &course, from: moment)
  }

  /// Adds a row of an offer.
  mutating func addRow(
    _ running: AccountSubscription.RunningOffer, to course: inout AccountSubscription,
    from moment: Int64
  ) {
    let offer = running.offer.offer
    let end: Int64
    if offer.mode == .payAsYouGo {
      end = nextEnd(&course)
    } else {
      end = BillingClock.moment(offer.periods, of: .sample(offer.periodText), after: moment)
    }
    append(
      running.kind, to: &course, from: moment, until: end, running.currency,
      paid: running.offer.price)
    account.purchases[course.row].offer = offer
    account.purchases[course.row].isTrial = offer.mode == .freeTrial
    switch running.kind {
    case .intro: account.purchases[course.row].isIntro = true
    case .trial:
      // Since 2024 Apple sets both flags on a free trial.
      account.purchases[course.row].isIntro = moment >= 1_704_067_200_000
    case .offerCode:
      account.purchases[course.row].promotionalOfferID = OfferBook.codeID(offer.identifier)
      account.purchases[course.row].referenceName = offer.identifier
    default: account.purchases[course.row].promotionalOfferID = offer.identifier
    }
    if offer.mode != .payAsYouGo { restartAnchor(&course, at: end) }
  }

  /// Adds a row at the regular price: what is asked of those who come, or of those who stay.
  mutating func addRegular(to course: inout AccountSubscription, from moment: Int64) {
    let list = world.prices.step(course.product, course.storefront, at: moment)
    var held = HeldPrice(price: list.price, currency: list.currency, since: moment)
    if let old = course.held {
      let steps = world.prices.steps(
        course.product, course.storefront, after: old.since, through: moment)
      held = old.charged(after: steps).price
      held.since = moment
    }
    course.held = held
    append(
      .regular, to: &course, from: moment, until: nextEnd(&course), held.currency,
      paid: held.price)
  }

  private mutating func append(
    _ kind: SamplePeriodKind, to course: inout AccountSubscription, from moment: Int64,
    until end: Int64, _ currency: WorldCurrency, paid: Int64
  ) {
    let id = newID()
    if course.originalID == 0 {
      course.originalID = id
      course.originalPurchasedAt = moment + Int64(random.below(3)) * 1000
    }
    var purchase = AccountPurchase(
      id: id, aliasID: id, originalID: course.originalID, lineItem: newLineItem(),
      product: course.product, kind: kind, storefront: course.storefront, currency: currency,
      run: course.run, purchasedAt: moment, originalPurchasedAt: course.originalPurchasedAt,
      expiries: [AccountPurchase.Expiry(from: .min, at: end)], knownFrom: moment, paid: paid)
    if id != course.originalID {
      if random.happens(perMille: 12) { purchase.aliasID = id - 1 }
      if course.end == moment, random.happens(perMille: 200) {
        purchase.knownFrom = moment - Int64(random.below(28_000)) * 1000  // charged ahead
      }
    }
    if paid > 0, random.happens(perMille: world.habits.refunds) {
      purchase.cancelledAt = moment + day(random.within(1...80)) + second()
    }
    account.purchases.append(purchase)
    course.row = account.purchases.count - 1
    course.end = end
    if course.originalID == id { say(course, at: moment) }
  }

  /// The end of the next billing period, on California's clocks.
  private func nextEnd(_ course: inout AccountSubscription) -> Int64 {
    course.periods += 1
    return BillingClock.moment(
      course.periods, of: world.products[course.product].period, after: course.anchor)
  }

  /// Counts periods from here on.
  func restartAnchor(_ course: inout AccountSubscription, at moment: Int64) {
    course.anchor = moment
    course.periods = 0
  }

  /// Notes the state of the chain: it will renew, unless something else is said.
  mutating func say(
    _ course: AccountSubscription, at moment: Int64,
    _ change: (inout AccountState) -> Void = { _ in }
  ) {
    var state = AccountState(
      at: moment, originalID: course.originalID, product: course.product,
      nextProduct: course.product)
    change(&state)
    account.states.append(state)
  }

  // MARK: - Extensions and consent

  /// Gives a paid period some days more: the row stays one charge, and Apple shows another end.
  mutating func extendIfDue(_ course: inout AccountSubscription) {
    let row = account.purchases[course.row]
    guard row.paid > 0, row.cancelledAt == 0 else { return }
    var extensions = world.outages.filter { $0.at > row.purchasedAt && $0.at < course.end }
    if random.happens(perMille: world.habits.extended) {
      let length = Int(course.end - row.purchasedAt) / 1000
      let moment = row.purchasedAt + Int64(random.below(length)) * 1000
      extensions.append((moment, [3, 7, 14, 30, 60, 90][random.below(6)]))
    }
    guard let (moment, days) = extensions.last else { return }
    course.end += day(days)
    account.purchases[course.row].expiries.append(
      AccountPurchase.Expiry(from: moment, at: course.end))
    restartAnchor(&course, at: course.end)
  }

  /// Requests consent where a rise needs it; false when the customer does not agree.
  mutating func agreesToRises(_ course: AccountSubscription) -> Bool {
    guard let held = course.held else { return true }
    let steps = world.prices.steps(
      course.product, course.storefront, after: held.since, through: course.end)
    let asking = held.charged(after: steps).asking
    guard let rise = asking.last else { return true }
    let start = account.purchases[course.row].purchasedAt
    // Asked some weeks ahead, but not before the running period began.
    let asked = max(rise.at - day(random.within(0...27)), start + 60_000)
    say(course, at: asked) { $0.consent = 0 }
    guard random.happens(perMille: world.habits.agrees) else { return false }
    let agreed = asked + Int64(random.below(max(1, Int(course.end - asked) / 1000))) * 1000
    say(course, at: agreed) { $0.consent = 1 }
    if random.happens(perMille: world.habits.isSeenAgreeing) {
      upload(at: min(agreed + 3_600_000, course.end - 1000), inAppAsOf: start)
    }
    say(course, at: course.end)
    return true
  }
}
