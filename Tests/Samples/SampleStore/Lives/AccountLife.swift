internal import CivilTime
internal import PurchaseModel

/// Simulates one customer of a store, from the first purchase to the end of the store's time.
///
/// The result depends only on the seed, the world and the customer's number.
struct AccountLife {
  let world: World
  var random: SampleRandom
  var account: Account
  var nextID: Int64
  private var nextLineItem: Int64
  /// The subscription groups in which the customer has used an introductory offer.
  var usedIntroductory: Set<String> = []

  init(number: Int, world: World) {
    self.world = world
    random = SampleRandom(seed: world.seed, stream: UInt64(number))
    let home = random.weighted(world.storefronts.map(\.weight))
    account = Account(
      number: number, homes: [Account.Home(from: .min, storefront: home)],
      identities: [Account.Identity(from: .min, id: "u-\(100_000 + number)")])
    nextID = 520_000_000_000_000 + Int64(number) * 40_000
    nextLineItem = 230_000_000_000_000 + Int64(number) * 40_000
  }

  /// Simulates the account and returns it.
  mutating func live() -> Account {
    account.isSandbox = random.happens(perMille: 8)
    if random.happens(perMille: 3) { account.bundle = "app.paidline.other" }
    let app = world.apps.count > 1 ? random.below(world.apps.count) : 0
    if app > 0 { account.bundle = world.apps[app] }
    account.reports = random.happens(perMille: world.reporting.phones)
    let first = firstMoment()
    if random.happens(perMille: world.habits.moves) { move(after: first) }
    if random.happens(perMille: world.habits.cutOff) {
      account.rowsShown = [1, 1, 2, 4][random.below(4)]
    }
    let profile = random.weighted([78, 13, 9])
    if profile == 0 {
      let plans = plans
      subscribe(to: plans[random.weighted(plans.map { world.products[$0].weight })], at: first)
      if random.happens(perMille: 80) {
        let second = plans[random.below(plans.count)]
        let group = world.products[second].group
        if !account.purchases.contains(where: { world.products[$0.product].group == group }) {
          subscribe(to: second, at: first + day(random.within(5...200)))
        }
      }
    }
    if profile == 1 || random.happens(perMille: 60) { buyCoins(from: first) }
    if profile == 2 || random.happens(perMille: 60) { buyForGood(from: first) }
    if random.happens(perMille: 15) { shareWithFamily(from: first) }
    useApp(from: first)
    return account
  }

  /// Draws the time of the customer's first purchase.
  ///
  /// Most customers start early, so that histories are long; some start long before the exports.
  private mutating func firstMoment() -> Int64 {
    if random.happens(perMille: world.habits.older) {
      let days = Int((world.start - world.earliestPurchase) / BillingClock.day)
      return world.earliestPurchase + day(random.below(max(1, days))) + second()
    }
    let latest = world.days * 9 / 10
    return world.start + day(min(random.below(latest), random.below(latest))) + second()
  }

  private mutating func move(after first: Int64) {
    var moment = first
    for _ in 0..<(random.happens(perMille: world.habits.movesAgain) ? 2 : 1) {
      moment += day(random.within(15...420)) + second()
      let last = account.homes[account.homes.count - 1].storefront
      var next = random.weighted(world.storefronts.map(\.weight))
      if next == last { next = (last + 1) % world.storefronts.count }
      account.homes.append(Account.Home(from: moment, storefront: next))
    }
  }

  // MARK: - Purchases that do not renew

  private mutating func buyCoins(from first: Int64) {
    let coins = products(.consumable)
    var moment = first
    for _ in 0..<random.within(2...14) {
      let product = coins[random.weighted(coins.map { world.products[$0].weight })]
      let quantity = random.happens(perMille: 120) ? Int64(random.within(2...5)) : 1
      buyOnce(product, at: moment, quantity: quantity)
      moment += day(random.within(1...80)) + second()
    }
  }

  private mutating func buyForGood(from first: Int64) {
    let things = products(.nonConsumable) + products(.nonRenewingSubscription)
    let thing = things[random.weighted(things.map { world.products[$0].weight })]
    buyOnce(thing, at: first + day(random.below(120)), quantity: 1)
    guard world.habits.restores > 0, world.products[thing].kind == .nonConsumable,
      let bought = account.purchases.last, random.happens(perMille: world.habits.restores)
    else { return }
    let restored = bought.purchasedAt + day(random.within(20...300))
    guard restored < world.end, bought.product == thing else { return }
    account.restores.append(
      AccountRestore(purchase: account.purchases.count - 1, id: newID(), at: restored))
    upload(at: restored)
  }

  private func products(_ kind: ProductKind) -> [Int] {
    world.products.indices.filter {
      world.products[$0].kind == kind && world.products[$0].app == app
    }
  }

  /// The position of the account's app in ``World/apps``; 0 also for an app of another owner.
  private var app: Int { world.apps.firstIndex(of: account.bundle) ?? 0 }

  /// The plans of the account's app.
  private var plans: [Int] { world.plans(ofApp: app) }

  private mutating func buyOnce(_ product: Int, at moment: Int64, quantity: Int64) {
    // The exports begin with the store, so they lack consumables that were finished earlier.
    guard moment < world.end, moment >= world.start else { return }
    let storefront = account.storefront(at: moment)
    let step = world.prices.step(product, storefront, at: moment)
    let id = newID()
    var purchase = AccountPurchase(
      id: id, aliasID: id, originalID: id, product: product, kind: .oneTime,
      storefront: storefront, currency: step.currency, purchasedAt: moment,
      originalPurchasedAt: moment, knownFrom: moment, paid: step.price * quantity)
    purchase.quantity = quantity
    if world.hasPromoCodes(product, at: moment), random.happens(perMille: world.habits.promoCodes) {
      purchase.isPromoCode = true
      purchase.paid = 0
    }
    if world.products[product].kind == .consumable {
      purchase.knownUntil = moment + 600_000
    } else if random.happens(perMille: 25) {
      cancel(&purchase, at: moment + day(random.within(1...60)))
    }
    account.purchases.append(purchase)
    buysInApp(account.purchases.count - 1)
  }

  /// Refunds a purchase; Apple may reverse the refund later.
  mutating func cancel(_ purchase: inout AccountPurchase, at moment: Int64) {
    purchase.cancelledAt = moment
    guard world.habits.reversedRefunds > 0,
      random.happens(perMille: world.habits.reversedRefunds)
    else { return }
    purchase.cancelledUntil = moment + day(random.within(10...40))
  }

  /// Adds a plan shared by a relative: a separate chain whose rows all have FAMILY_SHARED.
  private mutating func shareWithFamily(from first: Int64) {
    let product = plans[0]
    let original = newID()
    var id = original
    var start = first
    for _ in 0..<random.within(1...8) where start < world.end {
      let end = BillingClock.moment(1, of: world.products[product].period, after: start)
      let storefront = account.storefront(at: start)
      var row = AccountPurchase(
        id: id, aliasID: id, originalID: original, lineItem: newLineItem(), product: product,
        kind: .regular, storefront: storefront,
        currency: world.prices.step(product, storefront, at: start).currency, purchasedAt: start,
        originalPurchasedAt: first, expiries: [AccountPurchase.Expiry(from: .min, at: end)],
        knownFrom: start, paid: 0)
      row.isFamilyShared = true
      account.purchases.append(row)
      id = newID()
      start = end
    }
    account.states.append(
      AccountState(at: first, originalID: original, product: product, nextProduct: product))
  }

  // MARK: - Numbers

  /// Assigns the next transaction id; the number after it is reserved for an alias id.
  mutating func newID() -> Int64 {
    nextID += 2 + Int64(random.below(8)) * 2
    return nextID
  }

  /// Assigns the next `web_order_line_item_id`.
  mutating func newLineItem() -> Int64 {
    nextLineItem += 1 + Int64(random.below(15))
    return nextLineItem
  }

  func day(_ count: Int) -> Int64 { Int64(count) * BillingClock.day }

  /// Draws a time of day in whole seconds, as milliseconds since midnight.
  mutating func second() -> Int64 { Int64(random.below(86_400)) * 1000 }
}
