internal import CivilTime
internal import PurchaseModel

extension CustomerLife {
  /// Adds the first row of an offer; renewals add the offer's other rows.
  mutating func addOffer(
    _ kind: SamplePeriodKind, _ offer: SampleOffer, to timeline: inout SubscriptionTimeline,
    from moment: Int64
  ) {
    let left = offer.mode == .payAsYouGo ? offer.periods - 1 : 0
    timeline.running = left > 0 ? (kind, offer, left) : nil
    if offer.mode != .payAsYouGo { restartAnchor(&timeline, at: moment) }
    if moment > timeline.end { timeline.cohort = nil }
    addRow(kind, offer, to: &timeline, from: moment, market: customer.market(at: moment))
  }

  /// Adds a row of an offer at its price in the market.
  mutating func addRow(
    _ kind: SamplePeriodKind, _ offer: SampleOffer, to timeline: inout SubscriptionTimeline,
    from moment: Int64, market: SampleMarket
  ) {
    let end: Int64
    if offer.mode == .payAsYouGo {
      timeline.periodsSinceAnchor += 1
      end = BillingClock.moment(
        timeline.periodsSinceAnchor, of: timeline.product.period, after: timeline.anchor)
    } else {
      end = BillingClock.moment(offer.periods, of: .sample(offer.periodText), after: moment)
    }
    append(kind, to: &timeline, from: moment, until: end, market: market, paid: offer.price)
    let row = timeline.row
    customer.purchases[row].isTrial = offer.mode == .freeTrial
    switch kind {
    case .intro: customer.purchases[row].isIntro = true
    case .trial:
      // Since 2024 Apple sets both flags on a free trial.
      customer.purchases[row].isIntro = moment >= firstMomentOf2024
    case .offerCode:
      customer.purchases[row].promotionalOfferID = SampleProduct.codeID(offer.identifier)
      customer.purchases[row].referenceName = offer.identifier
    default: customer.purchases[row].promotionalOfferID = offer.identifier
    }
    if offer.mode != .payAsYouGo { restartAnchor(&timeline, at: end) }
  }

  /// Adds a row at the regular price, or at the customer's preserved old price.
  mutating func addRegular(to timeline: inout SubscriptionTimeline, from moment: Int64) {
    let market = customer.market(at: moment)
    let list = plan.listPrice(timeline.product, market.currency, at: moment)
    var price = list
    if let cohort = timeline.cohort, cohort.product == timeline.product,
      cohort.currency == market.currency, cohort.price < list,
      plan.step(timeline.product, market.currency)?.effect == .preserved
    {
      price = cohort.price
    }
    timeline.cohort = (price, timeline.product, market.currency)
    timeline.periodsSinceAnchor += 1
    let end = BillingClock.moment(
      timeline.periodsSinceAnchor, of: timeline.product.period, after: timeline.anchor)
    append(.regular, to: &timeline, from: moment, until: end, market: market, paid: price)
  }

  private mutating func append(
    _ kind: SamplePeriodKind, to timeline: inout SubscriptionTimeline, from moment: Int64,
    until end: Int64, market: SampleMarket, paid: Int64
  ) {
    let id = newID()
    if timeline.originalID == 0 {
      timeline.originalID = id
      timeline.originalPurchasedAt = moment + Int64(random.below(3)) * 1000
    }
    var purchase = SamplePurchase(
      id: id, inAppID: id, originalID: timeline.originalID, lineItem: newLineItem(),
      product: timeline.product, kind: kind, market: market, purchasedAt: moment,
      originalPurchasedAt: timeline.originalPurchasedAt, expiresAt: end, knownFrom: moment,
      paid: paid)
    if id != timeline.originalID {
      if random.happens(perMille: 12) { purchase.inAppID = id - 1 }
      if timeline.end == moment, random.happens(perMille: 200) {
        purchase.knownFrom = moment - Int64(random.below(28_000)) * 1000  // charged ahead
      }
    }
    if paid > 0, random.happens(perMille: 14) { cancel(&purchase, after: random.within(1...80)) }
    customer.purchases.append(purchase)
    timeline.row = customer.purchases.count - 1
    timeline.end = end
    if timeline.originalID == id {
      customer.states.append(renewalState(timeline, at: moment))
    }
  }

  /// Restarts the count of billing periods at a moment.
  func restartAnchor(_ timeline: inout SubscriptionTimeline, at moment: Int64) {
    timeline.anchor = moment
    timeline.periodsSinceAnchor = 0
  }

  /// The default renewal state of a chain: the subscription will renew.
  func renewalState(_ timeline: SubscriptionTimeline, at moment: Int64) -> SampleRenewalState {
    SampleRenewalState(
      at: moment, originalID: timeline.originalID, product: timeline.product,
      nextProduct: timeline.product, willRenew: true)
  }
}

/// 2024-01-01T00:00:00Z in Unix milliseconds.
private let firstMomentOf2024: Int64 = 1_704_067_200_000
