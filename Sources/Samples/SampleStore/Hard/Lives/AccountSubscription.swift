internal import CivilTime
internal import PurchaseModel

/// The state of a subscription after a row ended.
struct AccountSubscription {
  /// `original_transaction_id`; 0 before the first row.
  var originalID: Int64 = 0
  var originalPurchasedAt: Int64 = 0
  var product: Int
  /// The storefront in which it was bought; a running subscription keeps it.
  var storefront: Int
  /// The unbroken run of the chain.
  var run = 0
  /// The current row's position, and when it ends.
  var row = -1
  var end: Int64
  /// The moment from which periods are counted, and their number so far.
  var anchor: Int64
  var periods = 0
  /// An offer that is charged again for each period.
  var running: RunningOffer?
  /// The regular price so far; `nil` before the first regular row of the product and run.
  var held: HeldPrice?

  /// Whether the current row is the last, because it was given or refunded.
  var isLast = false

  /// An offer with charges left: its terms stay those of the beginning.
  struct RunningOffer {
    var kind: SamplePeriodKind
    var offer: PricedOffer
    var currency: WorldCurrency
    var left: Int
  }
}

extension AccountLife {
  /// Subscribes, and lives with the subscription until it ends for good or the store does.
  mutating func subscribe(to product: Int, at moment: Int64) {
    guard moment < world.end else { return }
    var course = AccountSubscription(
      product: product, storefront: account.storefront(at: moment), end: moment, anchor: moment)
    begin(&course, at: moment, isReturn: false)
    while course.end < world.end, account.purchases.count < 400 {
      guard proceed(&course) else { return }
    }
  }

  /// Begins or resumes a subscription in the app: with an offer where one is due.
  private mutating func begin(
    _ course: inout AccountSubscription, at moment: Int64, isReturn: Bool
  ) {
    let product = course.product
    course.isLast = false
    course.storefront = account.storefront(at: moment)
    course.running = nil
    course.held = nil
    restartAnchor(&course, at: moment)
    if isReturn {
      course.run += 1
      say(course, at: moment)
      if random.happens(perMille: world.habits.comesBackWithOffer) {
        let isWinBack = random.happens(perMille: world.habits.winBacks)
        let offers =
          isWinBack ? world.offers.winBacks[product] : world.offers.promotions(product, at: moment)
        let offer = offers[random.below(offers.count)]
        addOffer(.promo, offer, to: &course, from: moment)
        return buysInApp(course.row, appliedOffer: isWinBack ? "" : offer.identifier)
      }
    } else if world.hasPromoCodes(product, at: moment),
      random.happens(perMille: world.habits.promoCodes)
    {
      return redeemPromoCode(&course, at: moment)
    } else if random.happens(perMille: world.habits.codesAtStart) {
      let codes = world.offers.codes[product]
      addOffer(.offerCode, codes[random.below(codes.count)], to: &course, from: moment)
      return buysInApp(course.row)
    }
    let group = world.products[product].group ?? ""
    let offer = world.offers.introduction(product, course.storefront, at: moment)
    if let offer, usedIntroductory.insert(group).inserted {
      addOffer(offer.mode == .freeTrial ? .trial : .intro, offer, to: &course, from: moment)
    } else {
      addRegular(to: &course, from: moment)
    }
    buysInApp(course.row)
  }

  /// Begins with a promo code: one period, free without a mark, which does not renew.
  private mutating func redeemPromoCode(
    _ course: inout AccountSubscription, at moment: Int64
  ) {
    addRegular(to: &course, from: moment)
    account.purchases[course.row].isPromoCode = true
    account.purchases[course.row].paid = 0
    account.purchases[course.row].cancelledAt = 0
    course.held = nil
    course.isLast = true
    buysInApp(course.row)
  }

  /// Continues after the end of the current row; `false` when the subscription has ended for good.
  private mutating func proceed(_ course: inout AccountSubscription) -> Bool {
    if course.isLast { return leave(&course, intent: 1) }
    extendIfDue(&course)
    let habits = world.habits
    let isFree = account.purchases[course.row].paid == 0
    let isWeekly = world.products[course.product].periodText == "P1W"
    if course.running == nil, !agreesToRises(course) { return leave(&course, intent: 3) }
    var dice = random.below(1000)
    func falls(_ perMille: Int) -> Bool {
      defer { dice -= perMille }
      return dice < perMille
    }
    if falls(isFree ? habits.leavesFree : isWeekly ? habits.leaves / 2 : habits.leaves) {
      return leave(&course, intent: 1)
    }
    if falls(isWeekly ? habits.declined / 3 : habits.declined) { return retryBilling(&course) }
    if falls(isWeekly ? 3 : habits.changes) {
      changePlan(&course)
    } else if falls(isWeekly ? habits.promotions / 3 : habits.promotions), course.running == nil {
      let moment = course.end
      let offers = world.offers.promotions(course.product, at: moment)
      let offer = offers[random.below(offers.count)]
      addOffer(.promo, offer, to: &course, from: moment)
      // A customer who has moved cannot redeem it: the app shows the prices of another storefront.
      let isAtHome = account.storefront(at: moment) == course.storefront
      if random.happens(perMille: 600), isAtHome {
        buysInApp(course.row, appliedOffer: offer.identifier)
      }
    } else if falls(habits.codes), course.running == nil {
      let codes = world.offers.codes[course.product]
      addOffer(.offerCode, codes[random.below(codes.count)], to: &course, from: course.end)
    } else {
      renew(&course, at: course.end)
    }
    return true
  }

  /// Adds the next period: of a running offer, else at the regular price.
  private mutating func renew(_ course: inout AccountSubscription, at moment: Int64) {
    guard var running = course.running, running.left > 0 else {
      course.running = nil
      return addRegular(to: &course, from: moment)
    }
    let step = world.prices.step(course.product, course.storefront, at: moment)
    if step.currency != running.currency {
      running.currency = step.currency
      running.offer = world.priced(
        running.offer.offer, course.product, course.storefront, at: moment)
    }
    running.offer.price = min(running.offer.price, step.price)
    running.left -= 1
    course.running = running
    addRow(running, to: &course, from: moment)
  }

  /// Turned off, given up or not agreed to: a gap, and for some a return.
  private mutating func leave(_ course: inout AccountSubscription, intent: Int64) -> Bool {
    let end = course.end
    let start = account.purchases[course.row].purchasedAt
    if intent == 1 {
      let decided = start + Int64(random.below(Int(end - start) / 1000)) * 1000
      say(course, at: decided) { $0.willRenew = false }
    }
    say(course, at: end) {
      $0.willRenew = false
      $0.intent = intent
      $0.retry = 0
    }
    guard random.happens(perMille: world.habits.comesBack) else { return false }
    let gap = random.happens(perMille: 400) ? random.within(1...25) : random.within(26...240)
    let moment = end + day(gap) + second()
    guard moment < world.end else { return false }
    begin(&course, at: moment, isReturn: true)
    return true
  }

  /// The card was declined: with a grace period the row is back-dated, without one it moves.
  private mutating func retryBilling(_ course: inout AccountSubscription) -> Bool {
    let end = course.end
    let hasGrace = world.products[course.product].periodText != "P1W"
    say(course, at: end) {
      $0.intent = 2
      $0.retry = 1
      if hasGrace { $0.graceUntil = end + 16 * BillingClock.day }
    }
    let recoversSoon = random.happens(perMille: world.habits.recoversSoon)
    guard recoversSoon || random.happens(perMille: 500) else {
      course.end = end + day(60)
      return leave(&course, intent: 2)
    }
    let late = recoversSoon ? random.within(1...15) : random.within(17...58)
    let settled = end + day(late) + Int64(random.below(70_000)) * 1000
    if hasGrace, recoversSoon {
      renew(&course, at: end)
      account.purchases[course.row].knownFrom = settled
    } else {
      restartAnchor(&course, at: settled)
      renew(&course, at: settled)
    }
    say(course, at: settled)
    return true
  }

  /// Another plan of the group: a better one at once, a lesser one with the renewal.
  private mutating func changePlan(_ course: inout AccountSubscription) {
    let others = world.plans.filter {
      $0 != course.product && world.products[$0].group == world.products[course.product].group
    }
    let isAtHome = account.storefront(at: course.end) == course.storefront
    guard !others.isEmpty, isAtHome, course.running == nil else {
      return renew(&course, at: course.end)
    }
    let other = others[random.below(others.count)]
    if world.products[other].level < world.products[course.product].level {
      upgrade(&course, to: other)
    } else {
      say(course, at: course.end - day(2)) { $0.nextProduct = other }
      switchPlan(&course, to: other, at: course.end)
    }
  }

  private mutating func upgrade(_ course: inout AccountSubscription, to product: Int) {
    let start = account.purchases[course.row].purchasedAt
    let length = Int(course.end - start) / 1000
    let moment = start + Int64(random.within(1...max(1, length - 7200))) * 1000
    account.purchases[course.row].upgradedAt = moment + 2000
    account.purchases[course.row].cancelledAt = 0
    let left = course.row
    switchPlan(&course, to: product, at: moment)
    buysInApp(course.row)
    guard world.habits.regretsUpgrade > 0 else { return }  // the lots of other stores stay
    if random.happens(perMille: world.habits.upgradeIsCancelled) {
      account.purchases[left].cancelledAt = moment + 2000
    }
    if random.happens(perMille: world.habits.regretsUpgrade) {
      account.purchases[course.row].cancelledAt = moment + day(random.within(1...9)) + second()
      course.isLast = true
    }
  }

  private mutating func switchPlan(
    _ course: inout AccountSubscription, to product: Int, at moment: Int64
  ) {
    course.product = product
    course.running = nil
    course.held = nil
    restartAnchor(&course, at: moment)
    addRegular(to: &course, from: moment)
    say(course, at: moment)
  }
}
