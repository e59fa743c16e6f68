internal import CivilTime
internal import PurchaseModel

extension AccountLife {
  /// Adds the first row of an offer; renewals add the offer's other rows.
  mutating func addOffer(
    _ kind: SamplePeriodKind, _ offer: WorldOffer, to timeline: inout AccountSubscription,
    from moment: Int64
  ) {
    let running = AccountSubscription.RunningOffer(
      kind: kind, offer: world.priced(offer, timeline.product, timeline.storefront, at: moment),
      currency: world.prices.step(timeline.product, timeline.storefront, at: moment).currency,
      left: offer.mode == .payAsYouGo ? offer.periods - 1 : 0)
    timeline.running = running.left > 0 ? running : nil
    addRow(running, to: &timeline, from: moment)
  }

  mutating func addRow(
    _ running: AccountSubscription.RunningOffer, to timeline: inout AccountSubscription,
    from moment: Int64
  ) {
    let offer = running.offer.offer
    let end: Int64
    if offer.mode == .payAsYouGo {
      end = nextEnd(&timeline)
    } else {
      end = BillingClock.moment(offer.periods, of: .sample(offer.periodText), after: moment)
    }
    append(
      running.kind, to: &timeline, from: moment, until: end, running.currency,
      paid: running.offer.price)
    account.purchases[timeline.row].offer = offer
    account.purchases[timeline.row].isTrial = offer.mode == .freeTrial
    switch running.kind {
    case .intro: account.purchases[timeline.row].isIntro = true
    case .trial:
      // Since 2024 Apple sets both flags on a free trial.
      account.purchases[timeline.row].isIntro = moment >= 1_704_067_200_000
    case .offerCode:
      account.purchases[timeline.row].promotionalOfferID = AppOffers.codeID(offer.identifier)
      account.purchases[timeline.row].referenceName = offer.identifier
    default: account.purchases[timeline.row].promotionalOfferID = offer.identifier
    }
    if offer.mode != .payAsYouGo { restartAnchor(&timeline, at: end) }
  }

  /// Adds a row at the regular price: the list price, or an existing subscriber's ``HeldPrice``.
  mutating func addRegular(to timeline: inout AccountSubscription, from moment: Int64) {
    if timeline.isByMonth { return addInstalment(to: &timeline, from: moment) }
    let held = heldPrice(of: timeline, at: moment)
    timeline.held = held
    append(
      .regular, to: &timeline, from: moment, until: nextEnd(&timeline), held.currency,
      paid: held.price)
  }

  /// The regular price at a moment: the list price, or the price of an existing subscriber.
  func heldPrice(of timeline: AccountSubscription, at moment: Int64) -> HeldPrice {
    let list = world.prices.step(timeline.product, timeline.storefront, at: moment)
    guard let old = timeline.held else {
      return HeldPrice(price: list.price, currency: list.currency, since: moment)
    }
    let steps = world.prices.steps(
      timeline.product, timeline.storefront, after: old.since, through: moment)
    var held = old.charged(after: steps).price
    held.since = moment
    return held
  }

  mutating func append(
    _ kind: SamplePeriodKind, to timeline: inout AccountSubscription, from moment: Int64,
    until end: Int64, _ currency: WorldCurrency, paid: Int64
  ) {
    let id = newID()
    if timeline.originalID == 0 {
      timeline.originalID = id
      timeline.originalPurchasedAt = moment + Int64(random.below(3)) * 1000
    }
    var purchase = AccountPurchase(
      id: id, aliasID: id, originalID: timeline.originalID, lineItem: newLineItem(),
      product: timeline.product, kind: kind, storefront: timeline.storefront, currency: currency,
      run: timeline.run, purchasedAt: moment, originalPurchasedAt: timeline.originalPurchasedAt,
      expiries: [AccountPurchase.Expiry(from: .min, at: end)], knownFrom: moment, paid: paid)
    if id != timeline.originalID {
      if random.happens(perMille: 12) { purchase.aliasID = id - 1 }
      if timeline.end == moment, random.happens(perMille: 200) {
        purchase.knownFrom = moment - Int64(random.below(28_000)) * 1000  // charged ahead
      }
    }
    if paid > 0, random.happens(perMille: world.habits.refunds) {
      cancel(&purchase, at: moment + day(random.within(1...80)) + second())
    }
    account.purchases.append(purchase)
    timeline.row = account.purchases.count - 1
    timeline.end = end
    if timeline.originalID == id { addState(timeline, at: moment) }
  }

  /// Adds one billing period to the count since the anchor, and returns the end of this period.
  ///
  /// Months are counted in Pacific time.
  private func nextEnd(_ timeline: inout AccountSubscription) -> Int64 {
    timeline.periods += 1
    return BillingClock.moment(
      timeline.periods, of: world.products[timeline.product].period, after: timeline.anchor)
  }

  /// Restarts the count of billing periods at a moment.
  func restartAnchor(_ timeline: inout AccountSubscription, at moment: Int64) {
    timeline.anchor = moment
    timeline.periods = 0
  }

  /// Adds a renewal state of the chain from a moment on; by default the subscription will renew.
  mutating func addState(
    _ timeline: AccountSubscription, at moment: Int64,
    _ change: (inout AccountState) -> Void = { _ in }
  ) {
    var state = AccountState(
      at: moment, originalID: timeline.originalID, product: timeline.product,
      nextProduct: timeline.product)
    change(&state)
    account.states.append(state)
  }

  // MARK: - Extensions and consent

  /// Extends the current paid period by some days, at random or after an outage.
  ///
  /// The charge does not change. Responses after the extension show the new end.
  mutating func extendIfDue(_ timeline: inout AccountSubscription) {
    let row = account.purchases[timeline.row]
    guard row.paid > 0, row.cancelledAt == 0 else { return }
    var extensions = world.outages.filter { $0.at > row.purchasedAt && $0.at < timeline.end }
    if random.happens(perMille: world.habits.extended) {
      let length = Int(timeline.end - row.purchasedAt) / 1000
      let moment = row.purchasedAt + Int64(random.below(length)) * 1000
      extensions.append((moment, [3, 7, 14, 30, 60, 90][random.below(6)]))
    }
    guard let (moment, days) = extensions.last else { return }
    timeline.end += day(days)
    account.purchases[timeline.row].expiries.append(
      AccountPurchase.Expiry(from: moment, at: timeline.end))
    restartAnchor(&timeline, at: timeline.end)
  }

  /// Requests consent if a price rise needs consent.
  ///
  /// Returns `false` if the customer refuses; `true` if the customer agrees, and without a request.
  mutating func agreesToRises(_ timeline: AccountSubscription) -> Bool {
    guard let held = timeline.held else { return true }
    let steps = world.prices.steps(
      timeline.product, timeline.storefront, after: held.since, through: timeline.end)
    let asking = held.charged(after: steps).asking
    guard let rise = asking.last else { return true }
    let start = account.purchases[timeline.row].purchasedAt
    // The notice is sent up to four weeks before the rise, but not before the current period began.
    let asked = max(rise.at - day(random.within(0...27)), start + 60_000)
    addState(timeline, at: asked) { $0.consent = 0 }
    guard random.happens(perMille: world.habits.agrees) else { return false }
    let agreed = asked + Int64(random.below(max(1, Int(timeline.end - asked) / 1000))) * 1000
    addState(timeline, at: agreed) { $0.consent = 1 }
    if random.happens(perMille: world.habits.isSeenAgreeing) {
      upload(at: min(agreed + 3_600_000, timeline.end - 1000), inAppAsOf: start)
    }
    addState(timeline, at: timeline.end)
    return true
  }
}
