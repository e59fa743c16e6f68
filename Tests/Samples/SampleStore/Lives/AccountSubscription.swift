internal import CivilTime
internal import PurchaseModel

/// The state of a subscription at the end of its newest row.
struct AccountSubscription {
  /// `original_transaction_id`; 0 before the first row.
  var originalID: Int64 = 0
  var originalPurchasedAt: Int64 = 0
  var product: Int
  /// The storefront of the current row; it changes only if the customer returns after a lapse.
  var storefront: Int
  /// The number of lapses in the chain so far.
  var run = 0
  /// The position of the current row in the account's purchases; -1 before the first row.
  var row = -1
  /// The end of the period of the current row, in Unix milliseconds.
  var end: Int64
  /// The moment from which billing periods are counted.
  var anchor: Int64
  /// The number of billing periods that have begun since ``anchor``.
  var periods = 0
  /// The pay-as-you-go offer that is running; `nil` without such an offer.
  var running: RunningOffer?
  /// The current regular price; `nil` before the first regular row of the plan.
  var held: HeldPrice?

  /// Whether the subscription ends with the current row: it used a promo code, or was refunded.
  var isLast = false
  /// Whether a yearly plan is paid by the month.
  var isByMonth = false
  /// The number of monthly payments that are still due in the current commitment.
  var instalmentsLeft = 0
  /// The number of commitments of the chain so far.
  var commitments = 0
  /// The end of the current commitment in Unix milliseconds; 0 without one.
  var committedUntil: Int64 = 0

  /// An offer with charges that are still due.
  ///
  /// If the list price falls below the offer's price, the list price is charged.
  struct RunningOffer {
    var kind: SamplePeriodKind
    var offer: PricedOffer
    var currency: WorldCurrency
    var left: Int
  }
}

extension AccountLife {
  /// Subscribes, and simulates the subscription until its end or the end of the store's time.
  mutating func subscribe(to product: Int, at moment: Int64) {
    guard moment < world.end else { return }
    var timeline = AccountSubscription(
      product: product, storefront: account.storefront(at: moment), end: moment, anchor: moment)
    begin(&timeline, at: moment, isReturn: false)
    while timeline.end < world.end, account.purchases.count < 400 {
      guard proceed(&timeline) else { return }
    }
  }

  /// Starts or resumes a subscription in the app, with an offer if the customer is eligible.
  private mutating func begin(
    _ timeline: inout AccountSubscription, at moment: Int64, isReturn: Bool
  ) {
    timeline.product = world.sold(timeline.product, at: moment)
    let product = timeline.product
    timeline.isLast = false
    timeline.storefront = account.storefront(at: moment)
    timeline.running = nil
    timeline.held = nil
    timeline.instalmentsLeft = 0
    timeline.isByMonth = choosesMonths(timeline, at: moment)
    restartAnchor(&timeline, at: moment)
    if isReturn {
      timeline.run += 1
      addState(timeline, at: moment)
      if random.happens(perMille: world.habits.comesBackWithOffer) {
        let isWinBack = random.happens(perMille: world.habits.winBacks)
        let offers =
          isWinBack ? world.offers.winBacks[product] : world.offers.promotions(product, at: moment)
        if !offers.isEmpty {
          let offer = offers[random.below(offers.count)]
          addOffer(.promo, offer, to: &timeline, from: moment)
          return buysInApp(timeline.row, appliedOffer: isWinBack ? "" : offer.identifier)
        }
      }
    } else if world.hasPromoCodes(product, at: moment),
      random.happens(perMille: world.habits.promoCodes)
    {
      return redeemPromoCode(&timeline, at: moment)
    } else if case let codes = world.offers.codes[product], !codes.isEmpty,
      random.happens(perMille: world.habits.codesAtStart)
    {
      addOffer(.offerCode, codes[random.below(codes.count)], to: &timeline, from: moment)
      return buysInApp(timeline.row)
    }
    let group = world.products[product].group ?? ""
    let offer = world.offers.introduction(product, timeline.storefront, at: moment)
    if let offer, usedIntroductory.insert(group).inserted {
      addOffer(offer.mode == .freeTrial ? .trial : .intro, offer, to: &timeline, from: moment)
    } else {
      addRegular(to: &timeline, from: moment)
    }
    buysInApp(timeline.row)
  }

  /// Starts with a promo code: one free period that does not renew.
  ///
  /// The receipt does not mark the period as free.
  private mutating func redeemPromoCode(
    _ timeline: inout AccountSubscription, at moment: Int64
  ) {
    addRegular(to: &timeline, from: moment)
    account.purchases[timeline.row].isPromoCode = true
    account.purchases[timeline.row].paid = 0
    account.purchases[timeline.row].cancelledAt = 0
    timeline.held = nil
    timeline.isLast = true
    buysInApp(timeline.row)
  }

  /// Simulates what follows the current row: a renewal, an offer, another plan, a lapse or the end.
  ///
  /// Returns `false` if the subscription has ended permanently.
  private mutating func proceed(_ timeline: inout AccountSubscription) -> Bool {
    if timeline.isLast { return leave(&timeline, intent: 1) }
    extendIfDue(&timeline)
    if timeline.instalmentsLeft > 0 { return proceedInCommitment(&timeline) }
    if movesToSuccessor(&timeline) { return true }
    let habits = world.habits
    let isFree = account.purchases[timeline.row].paid == 0
    let isWeekly = world.products[timeline.product].periodText == "P1W"
    if timeline.running == nil, !agreesToRises(timeline) { return leave(&timeline, intent: 3) }
    var dice = random.below(1000)
    func falls(_ perMille: Int) -> Bool {
      defer { dice -= perMille }
      return dice < perMille
    }
    if falls(isFree ? habits.leavesFree : isWeekly ? habits.leaves / 2 : habits.leaves) {
      return leave(&timeline, intent: 1)
    }
    if falls(isWeekly ? habits.declined / 3 : habits.declined) { return retryBilling(&timeline) }
    if falls(isWeekly ? 3 : habits.changes) {
      changePlan(&timeline)
    } else if falls(isWeekly ? habits.promotions / 3 : habits.promotions), timeline.running == nil,
      case let moment = timeline.end,
      case let offers = world.offers.promotions(timeline.product, at: moment), !offers.isEmpty
    {
      let offer = offers[random.below(offers.count)]
      addOffer(.promo, offer, to: &timeline, from: moment)
      // A customer who has moved cannot redeem the offer: the app shows the prices of another
      // storefront.
      let isAtHome = account.storefront(at: moment) == timeline.storefront
      if random.happens(perMille: 600), isAtHome {
        buysInApp(timeline.row, appliedOffer: offer.identifier)
      }
    } else if falls(habits.codes), timeline.running == nil,
      case let codes = world.offers.codes[timeline.product], !codes.isEmpty
    {
      addOffer(.offerCode, codes[random.below(codes.count)], to: &timeline, from: timeline.end)
    } else {
      renew(&timeline, at: timeline.end)
    }
    return true
  }

  /// Adds the next period: at the price of the running offer, otherwise at the regular price.
  mutating func renew(_ timeline: inout AccountSubscription, at moment: Int64) {
    guard var running = timeline.running, running.left > 0 else {
      timeline.running = nil
      return addRegular(to: &timeline, from: moment)
    }
    let step = world.prices.step(timeline.product, timeline.storefront, at: moment)
    if step.currency != running.currency {
      running.currency = step.currency
      running.offer = world.priced(
        running.offer.offer, timeline.product, timeline.storefront, at: moment)
    }
    running.offer.price = min(running.offer.price, step.price)
    running.left -= 1
    timeline.running = running
    addRow(running, to: &timeline, from: moment)
  }

  /// Ends the current spell, and begins another spell if the customer comes back after a gap.
  ///
  /// `intent` is `expiration_intent` in the renewal state: 1 if the customer turned off renewal, 2
  /// after a declined card, 3 after a refused price rise.
  ///
  /// Returns `true` if the customer comes back.
  private mutating func leave(_ timeline: inout AccountSubscription, intent: Int64) -> Bool {
    let end = timeline.end
    let start = account.purchases[timeline.row].purchasedAt
    if intent == 1 {
      let decided = start + Int64(random.below(Int(end - start) / 1000)) * 1000
      addState(timeline, at: decided) { $0.willRenew = false }
    }
    addState(timeline, at: end) {
      $0.willRenew = false
      $0.intent = intent
      $0.retry = 0
    }
    guard random.happens(perMille: world.habits.comesBack) else { return false }
    let gap = random.happens(perMille: 400) ? random.within(1...25) : random.within(26...240)
    let moment = end + day(gap) + second()
    guard moment < world.end else { return false }
    begin(&timeline, at: moment, isReturn: true)
    return true
  }

  /// Simulates a declined card; returns `false` if the subscription has ended permanently.
  ///
  /// After a payment within the grace period, the next row begins at the end of the current row.
  /// After a payment outside the grace period, the next row begins at the payment. Some customers
  /// never pay.
  mutating func retryBilling(_ timeline: inout AccountSubscription) -> Bool {
    let end = timeline.end
    let isWeekly = world.products[timeline.product].periodText == "P1W"
    let hasGrace = !isWeekly && timeline.instalmentsLeft == 0
    addState(timeline, at: end) {
      $0.intent = 2
      $0.retry = 1
      if hasGrace { $0.graceUntil = end + 16 * BillingClock.day }
    }
    let recoversSoon = random.happens(perMille: world.habits.recoversSoon)
    guard recoversSoon || random.happens(perMille: 500) else {
      timeline.end = end + day(60)
      return leave(&timeline, intent: 2)
    }
    let late = recoversSoon ? random.within(1...15) : random.within(17...58)
    let settled = end + day(late) + Int64(random.below(70_000)) * 1000
    if hasGrace, recoversSoon {
      renew(&timeline, at: end)
      account.purchases[timeline.row].knownFrom = settled
    } else {
      restartAnchor(&timeline, at: settled)
      renew(&timeline, at: settled)
    }
    addState(timeline, at: settled)
    return true
  }
}
