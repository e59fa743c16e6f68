internal import CivilTime
internal import PurchaseModel

/// Simulates one customer, from the first purchase to the end of the store's time.
///
/// The result depends only on the seed, the plan and the customer's number. So if two stores differ
/// only in their number of customers, the larger store begins with the customers of the smaller
/// store.
struct CustomerLife {
  let plan: StorePlan
  var random: SampleRandom
  var customer: SampleCustomer
  var nextID: Int64
  private var nextLineItem: Int64
  /// The subscription groups in which the customer has used an introductory offer.
  var usedIntroductory: Set<String> = []

  init(index: Int, seed: UInt64, plan: StorePlan) {
    self.plan = plan
    random = SampleRandom(seed: seed, stream: UInt64(index))
    let market = SampleMarket.allCases[random.weighted(SampleMarket.weights)]
    var digits = String(index + 1)
    digits = String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
    customer = SampleCustomer(id: "c-" + digits, market: market)
    nextID = 370_000_000_000_000 + Int64(index) * 40_000
    nextLineItem = 140_000_000_000_000 + Int64(index) * 40_000
  }

  mutating func live() -> SampleCustomer {
    if random.happens(perMille: 55) { customer.id = "" }
    customer.isSandbox = random.happens(perMille: 8)
    if random.happens(perMille: 3) { customer.bundle = "app.paidline.other" }
    // Most customers start early, so that their histories are long.
    let latest = plan.days * 9 / 10
    let joined = min(random.below(latest), random.below(latest), random.below(latest))
    let first = moment(onDay: joined)
    if random.happens(perMille: 15) {
      customer.movesAt = first + day(random.within(20...400))
      customer.secondMarket =
        SampleMarket.allCases[
          (customer.market.rawValue + random.within(1...7)) % SampleMarket.allCases.count]
    }
    let isFamilyMember = random.happens(perMille: 15)
    let profile = random.weighted([78, 14, 8])
    if profile == 0 {
      let products: [SampleProduct] = [.proMonthly, .proYearly, .plusMonthly, .newsWeekly]
      let product = products[random.weighted([45, 16, 18, 21])]
      subscribe(to: product, at: first)
      if product != .newsWeekly, random.happens(perMille: 60) {
        subscribe(to: .newsWeekly, at: first + day(random.within(5...200)))
      }
    }
    if profile == 1 { buyCoins(from: first) }
    if profile == 2 || random.happens(perMille: 60) { buyForGood(from: first) }
    if isFamilyMember { shareWithFamily() }
    openApp()
    return customer
  }

  // MARK: Purchases that do not renew

  private mutating func buyCoins(from first: Int64) {
    var moment = first
    for _ in 0..<random.within(2...14) {
      guard moment < plan.end else { return }
      let product: SampleProduct = random.happens(perMille: 650) ? .coinsSmall : .coinsLarge
      let quantity = random.happens(perMille: 120) ? Int64(random.within(2...5)) : 1
      buyOnce(product, at: moment, quantity: quantity)
      moment += day(random.within(1...70)) + Int64(random.below(80_000)) * 1000
    }
  }

  private mutating func buyForGood(from first: Int64) {
    let moment = first + day(random.below(90))
    let product: SampleProduct = random.happens(perMille: 550) ? .lifetime : .season
    guard moment < plan.end else { return }
    buyOnce(product, at: moment, quantity: 1)
    guard product == .lifetime, random.happens(perMille: 250) else { return }
    let restored = moment + day(random.within(20...300))
    guard restored < plan.end else { return }
    customer.restores.append(
      SampleRestore(purchase: customer.purchases.count - 1, id: newID(), at: restored))
    upload(at: restored)
  }

  /// Buys a product that does not renew, and adds its records; returns the purchase's position.
  @discardableResult
  mutating func buyOnce(_ product: SampleProduct, at moment: Int64, quantity: Int64) -> Int {
    let market = customer.market(at: moment)
    let price = plan.listPrice(product, market.currency, at: moment)
    let id = newID()
    var purchase = SamplePurchase(
      id: id, inAppID: id, originalID: id, product: product, kind: .oneTime, market: market,
      purchasedAt: moment, originalPurchasedAt: moment, knownFrom: moment, paid: price * quantity)
    purchase.quantity = quantity
    if product.kind == .consumable {
      // The app finishes the transaction after its server has received the receipt.
      purchase.knownUntil = moment + 600_000
    } else if random.happens(perMille: 25) {
      cancel(&purchase, after: random.within(1...60))
    }
    customer.purchases.append(purchase)
    act(customer.purchases.count - 1)
    return customer.purchases.count - 1
  }

  private mutating func shareWithFamily() {
    // Adds a relative's plan as a second chain; all its rows have FAMILY_SHARED.
    let market = customer.market
    var start = moment(onDay: random.below(max(1, plan.days / 2)))
    let original = newID()
    let first = start
    var id = original
    for _ in 0..<random.within(1...8) {
      guard start < plan.end else { break }
      let end = BillingClock.moment(1, of: SampleProduct.proMonthly.period, after: start)
      var purchase = SamplePurchase(
        id: id, inAppID: id, originalID: original, lineItem: newLineItem(), product: .proMonthly,
        kind: .regular, market: market, purchasedAt: start, originalPurchasedAt: first,
        expiresAt: end, knownFrom: start, paid: 0)
      purchase.isFamilyShared = true
      customer.purchases.append(purchase)
      id = newID()
      start = end
    }
    customer.states.append(
      SampleRenewalState(
        at: first, originalID: original, product: .proMonthly, nextProduct: .proMonthly,
        willRenew: true))
  }

  // MARK: Shared steps

  /// Refunds a purchase `days` after its purchase date; one refund in ten is later reversed.
  mutating func cancel(_ purchase: inout SamplePurchase, after days: Int) {
    purchase.cancelledAt = purchase.purchasedAt + day(days) + Int64(random.below(40_000)) * 1000
    purchase.cancellationKnownFrom = purchase.cancelledAt
    purchase.cancellationReason = random.happens(perMille: 60) ? 1 : 0
    if random.happens(perMille: 100) {
      purchase.cancellationKnownUntil = purchase.cancelledAt + day(random.within(10...40))
    }
  }

  /// Adds the records that most purchases in the app cause: a price report and an uploaded receipt.
  mutating func act(_ index: Int, appliedDiscount: String = "") {
    let purchase = customer.purchases[index]
    guard purchase.purchasedAt < plan.end else { return }
    let sends = random.happens(perMille: 930)
    if random.happens(perMille: 870) {
      var report = SampleReport(
        product: purchase.product, market: purchase.market, shownAt: purchase.purchasedAt,
        price: plan.listPrice(
          purchase.product, purchase.market.currency, at: purchase.purchasedAt),
        reportedAt: purchase.purchasedAt + Int64(random.within(-90...400)) * 1000)
      if random.happens(perMille: 925) { report.purchase = index }
      report.usesInAppID = random.happens(perMille: 300)
      report.namesCustomer = report.purchase < 0 || random.happens(perMille: 950)
      report.namesStorefront = random.happens(perMille: 900)
      report.appliedDiscount = appliedDiscount
      report.hasDiscounts = !appliedDiscount.isEmpty || random.happens(perMille: 700)
      report.style = random.below(64)
      report.isEmbedded = sends && random.happens(perMille: 400)
      report.delay = random.happens(perMille: 40) ? random.within(1...2) : 0
      if report.isEmbedded, report.purchase >= 0, random.happens(perMille: 15) {
        report.reportedAt -= day(random.within(300...6000))  // a phone whose clock is wrong
      }
      customer.reports.append(report)
    }
    if sends {
      let report = customer.reports.last.map(\.isEmbedded) ?? false
      let isOwn = customer.reports.last?.shownAt == purchase.purchasedAt
      upload(
        at: purchase.purchasedAt + Int64(random.within(2...40)) * 1000,
        report: report && isOwn ? customer.reports.count - 1 : -1)
    }
  }

  /// Adds a response at a moment, with the device's receipt as of the time `inAppAsOf`.
  ///
  /// `report` is the position of the price report in the response's record; -1 for none.
  mutating func upload(at moment: Int64, inAppAsOf: Int64? = nil, report: Int = -1) {
    guard moment < plan.end else {
      if report >= 0 { customer.reports[report].isEmbedded = false }
      return
    }
    var upload = SampleUpload(
      at: moment + Int64(random.below(1000)), inAppAsOf: inAppAsOf ?? moment)
    upload.report = report
    upload.namesStorefront = random.happens(perMille: 600)
    upload.style = random.below(1 << 16)
    if random.happens(perMille: 30) { upload.form = .text }
    if customer.id.isEmpty, report < 0, random.happens(perMille: 400) { upload.form = .bare }
    customer.uploads.append(upload)
  }

  /// Adds responses and price reports that no purchase causes.
  ///
  /// Most customers also get a response in the last days of the store.
  private mutating func openApp() {
    guard let first = customer.purchases.map(\.purchasedAt).min(), first < plan.end else { return }
    for _ in 0..<random.weighted([65, 35]) {
      let moment = first + Int64(random.below(Int(plan.end - first) / 1000)) * 1000
      let receipt = first + Int64(random.below(Int(moment - first) / 1000 + 1)) * 1000
      upload(at: moment, inAppAsOf: receipt)
    }
    if random.happens(perMille: 940) {
      let lastDays = Int64(max(1, min(30, plan.days / 10)))
      let moment =
        max(plan.end - lastDays * BillingClock.day, first)
        + Int64(random.below(Int(lastDays) * 80_000)) * 1000
      let receipt = first + (moment - first) / 10 * Int64(random.below(11))
      upload(at: moment, inAppAsOf: receipt)
    }
    for _ in 0..<random.weighted([15, 20, 25, 20, 12, 8]) { visitPaywall(after: first) }
  }

  /// Adds a price report of a product that the customer bought, at a random time after `first`.
  private mutating func visitPaywall(after first: Int64) {
    let moment = first + Int64(random.below(Int(plan.end - first) / 1000)) * 1000
    let product = customer.purchases[random.below(customer.purchases.count)].product
    visitPaywall(of: product, at: moment)
  }

  /// Adds a report of the price that the device shows for a product at a moment.
  mutating func visitPaywall(of product: SampleProduct, at moment: Int64) {
    let market = customer.market(at: moment)
    var report = SampleReport(
      product: product, market: market, shownAt: moment,
      price: plan.listPrice(product, market.currency, at: moment), reportedAt: moment)
    report.namesCustomer = !customer.id.isEmpty
    report.namesStorefront = random.happens(perMille: 900)
    report.hasDiscounts = random.happens(perMille: 600)
    report.style = random.below(64)
    customer.reports.append(report)
  }

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

  /// Draws a random second of a day, in Unix milliseconds; day 0 is the first day of the store.
  mutating func moment(onDay day: Int) -> Int64 {
    plan.start + Int64(day) * BillingClock.day + Int64(random.below(86_400)) * 1000
  }

  /// Converts a number of days to milliseconds.
  func day(_ count: Int) -> Int64 { Int64(count) * BillingClock.day }
}
