internal import CivilTime
internal import PurchaseModel

extension CustomerLife {
  /// Adds the first row of an offer and remembers its further rows.
  mutating func addOffer(
    _ kind: SamplePeriodKind, _ offer: SampleOffer, to course: inout SubscriptionCourse,
    from moment: Int64
  ) {
    let left = offer.mode == .payAsYouGo ? offer.periods - 1 : 0
    course.running = left > 0 ? (kind, offer, left) : nil
    if offer.mode != .payAsYouGo { restartAnchor(&course, at: moment) }
    if moment > course.end { course.cohort = nil }
    addRow(kind, offer, to: &course, from: moment, market: customer.market(at: moment))
  }

  /// Adds a row of an offer at the price it has in the market.
  mutating func addRow(
    _ kind: SamplePeriodKind, _ offer: SampleOffer, to course: inout SubscriptionCourse,
    from moment: Int64, market: SampleMarket
  ) {
    let end: Int64
    if offer.mode == .payAsYouGo {
      course.periodsSinceAnchor += 1
      end = BillingClock.moment(
        course.periodsSinceAnchor, of: course.product.period, after: course.anchor)
    } else {
      end = BillingClock.moment(offer.periods, of: .sample(offer.periodText), after: moment)
    }
    append(kind, to: &course, from: moment, until: end, market: market, paid: offer.price)
    let row = course.row
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
    if offer.mode != .payAsYouGo { restartAnchor(&course, at: end) }
  }

  /// Adds a row at the regular price: the customer's own where it is preserved.
  mutating func addRegular(to course: inout SubscriptionCourse, from moment: Int64) {
    let market = customer.market(at: moment)
    let list = plan.listPrice(course.product, market.currency, at: moment)
    var price = list
    if let cohort = course.cohort, cohort.product == course.product,
      cohort.currency == market.currency, cohort.price < list,
      plan.step(course.product, market.currency)?.effect == .preserved
    {
      price = cohort.price
    }
    course.cohort = (price, course.product, market.currency)
    course.periodsSinceAnchor += 1
    let end = BillingClock.moment(
      course.periodsSinceAnchor, of: course.product.period, after: course.anchor)
    append(.regular, to: &course, from: moment, until: end, market: market, paid: price)
  }

  private mutating func append(
    _ kind: SamplePeriodKind, to course: inout SubscriptionCourse, from moment: Int64,
    until end: Int64, market: SampleMarket, paid: Int64
  ) {
    let id = newID()
    if course.originalID == 0 {
      course.originalID = id
      course.originalPurchasedAt = moment + Int64(random.below(3)) * 1000
    }
    var purchase = SamplePurchase(
      id: id, inAppID: id, originalID: course.originalID, lineItem: newLineItem(),
      product: course.product, kind: kind, market: market, purchasedAt: moment,
      originalPurchasedAt: course.originalPurchasedAt, expiresAt: end, knownFrom: moment,
      paid: paid)
    if id != course.originalID {
      if random.happens(perMille: 12) { purchase.inAppID = id - 1 }
      if course.end == moment, random.happens(perMille: 200) {
        purchase.knownFrom = moment - Int64(random.below(28_000)) * 1000  // charged ahead
      }
    }
    if paid > 0, random.happens(perMille: 14) { cancel(&purchase, after: random.within(1...80)) }
    customer.purchases.append(purchase)
    course.row = customer.purchases.count - 1
    course.end = end
    if course.originalID == id {
      customer.states.append(renewalState(course, at: moment))
    }
  }

  /// Counts months from here on.
  func restartAnchor(_ course: inout SubscriptionCourse, at moment: Int64) {
    course.anchor = moment
    course.periodsSinceAnchor = 0
  }

  /// The ordinary state of a course: it will renew.
  func renewalState(_ course: SubscriptionCourse, at moment: Int64) -> SampleRenewalState {
    SampleRenewalState(
      at: moment, originalID: course.originalID, product: course.product,
      nextProduct: course.product, willRenew: true)
  }
}

/// 2024-01-01T00:00:00Z in Unix milliseconds.
private let firstMomentOf2024: Int64 = 1_704_067_200_000
