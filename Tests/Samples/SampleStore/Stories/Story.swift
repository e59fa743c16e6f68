internal import CivilTime
internal import PurchaseModel

/// Builds one hand-made customer: each method adds or changes some of the customer's data.
///
/// Times are written `2021-03-01 09:14:03`, in UTC. A row without an offer or an explicit price has
/// the list price at the time of its purchase.
struct Story {
  let world: World
  private(set) var account: Account
  private var nextID: Int64
  private var nextLineItem: Int64
  /// The moment from which a chain's billing periods are counted, and the number of periods since
  /// then, keyed by the chain's `original_transaction_id`.
  private var months: [Int64: (anchor: Int64, count: Int)] = [:]

  /// Starts the story of a customer; `story` keeps the purchases' ids unique.
  init(_ name: String, _ market: SampleMarket, story number: Int, account: Int, world: World) {
    self.world = world
    self.account = Account(
      number: account, homes: [Account.Home(from: .min, storefront: market.rawValue)],
      identities: [Account.Identity(from: .min, id: name)])
    nextID = 100_000_831_000_000 + Int64(number) * 1000
    nextLineItem = 100_000_307_000_000 + Int64(number) * 1000
  }

  /// Changes the customer's data directly, for changes without a function of their own.
  mutating func change(_ body: (inout Account) -> Void) { body(&account) }

  mutating func change(_ row: Int, _ body: (inout AccountPurchase) -> Void) {
    body(&account.purchases[row])
  }

  // Buying

  /// Buys in the app: adds a row of a new chain, the receipt and, if `isReported`, a price report.
  ///
  /// The report has the transaction id of the row. The result is the position of the row.
  @discardableResult
  mutating func buys(
    _ product: SampleProduct, _ kind: SamplePeriodKind = .regular, at time: String,
    offer: WorldOffer? = nil, quantity: Int64 = 1, isReported: Bool = true
  ) -> Int {
    let moment = Self.moment(time)
    let row = addRow(product, kind, from: moment, offer: offer, chain: nil)
    account.purchases[row].quantity = quantity
    account.purchases[row].paid *= quantity
    if isReported { reports(row) }
    sends(at: moment + 5000)
    return row
  }

  /// Lets the customer come back after a lapse, or change the plan.
  ///
  /// Adds a row to the chain of the row `after`, sends the receipt and, if `isReported`, a report.
  @discardableResult
  mutating func returns(
    _ product: SampleProduct, _ kind: SamplePeriodKind = .regular, at time: String,
    offer: WorldOffer? = nil, after row: Int, isReported: Bool = true
  ) -> Int {
    let moment = Self.moment(time)
    let chain = account.purchases[row].originalID
    months[chain] = (moment, 0)
    let hasLeft = account.state(of: chain, at: moment).map { !$0.willRenew } ?? false
    let run = account.purchases[row].run + (hasLeft ? 1 : 0)
    let row = addRow(product, kind, from: moment, offer: offer, chain: chain)
    account.purchases[row].run = run
    setState(row, at: moment)
    if isReported { reports(row) }
    sends(at: moment + 5000)
    return row
  }

  /// Adds `times` renewals after a row, without price reports.
  ///
  /// Each renewal begins at the end of the previous row. The result is the position of the last
  /// renewal.
  @discardableResult
  mutating func renews(
    _ row: Int, times: Int = 1, _ kind: SamplePeriodKind = .regular, offer: WorldOffer? = nil,
    paid: Int64? = nil
  ) -> Int {
    var last = row
    for _ in 0..<times {
      let previous = account.purchases[last]
      last = addRow(
        SampleProduct.allCases[previous.product], kind, from: previous.end(), offer: offer,
        chain: previous.originalID)
      account.purchases[last].run = previous.run
      if let paid { account.purchases[last].paid = paid }
    }
    return last
  }

  // Building

  /// Reports the prices shown when a row was bought, with the row's transaction id.
  mutating func reports(_ row: Int) {
    let purchase = account.purchases[row]
    addReport(of: purchase.product, at: purchase.purchasedAt)
    changeReport {
      $0.reportedAt += 3000
      $0.purchase = row
      if purchase.kind == .promo { $0.appliedDiscount = purchase.promotionalOfferID }
    }
  }

  /// Adds a price report without a purchase: the customer only views a price list.
  mutating func viewsPrice(at product: SampleProduct, at time: String) {
    addReport(of: product.rawValue, at: Self.moment(time))
  }

  private mutating func addReport(of product: Int, at moment: Int64) {
    let storefront = account.storefront(at: moment)
    var report = AccountReport(
      product: product, storefront: storefront, shownAt: moment,
      displayed: world.displayed(product, storefront, at: moment), reportedAt: moment,
      arrivedAt: moment)
    report.customerID = account.customerID(at: moment)
    account.prices.append(report)
  }

  /// Changes the newest report.
  mutating func changeReport(_ body: (inout AccountReport) -> Void) {
    body(&account.prices[account.prices.count - 1])
  }

  mutating func sends(
    at time: String, form: AccountUpload.Form = .record, inAppAsOf: String? = nil
  ) {
    sends(at: Self.moment(time), form: form, inAppAsOf: inAppAsOf.map(Self.moment))
  }

  private mutating func sends(
    at moment: Int64, form: AccountUpload.Form = .record, inAppAsOf: Int64? = nil
  ) {
    var upload = AccountUpload(at: moment + 607, inAppAsOf: inAppAsOf ?? moment)
    upload.form = form
    upload.style = account.uploads.count * 64
    account.uploads.append(upload)
  }

  /// Changes the newest upload.
  mutating func changeUpload(_ body: (inout AccountUpload) -> Void) {
    body(&account.uploads[account.uploads.count - 1])
  }

  /// Sets the renewal state of a row's chain from a moment on.
  mutating func expects(
    _ row: Int, at time: String, _ body: (inout AccountState) -> Void = { _ in }
  ) {
    setState(row, at: Self.moment(time))
    body(&account.states[account.states.count - 1])
  }

  private mutating func setState(_ row: Int, at moment: Int64) {
    let purchase = account.purchases[row]
    account.states.append(
      AccountState(
        at: moment, originalID: purchase.originalID, product: purchase.product,
        nextProduct: purchase.product))
  }

  // Rows

  private mutating func addRow(
    _ product: SampleProduct, _ kind: SamplePeriodKind, from moment: Int64, offer: WorldOffer?,
    chain: Int64?
  ) -> Int {
    nextID += 3
    let storefront = account.storefront(at: moment)
    let step = world.prices.step(product.rawValue, storefront, at: moment)
    let first = account.purchases.first { $0.originalID == chain }
    let isPlan = world.products[product.rawValue].isSubscription
    var purchase = AccountPurchase(
      id: nextID, aliasID: nextID, originalID: chain ?? nextID, product: product.rawValue,
      kind: isPlan ? kind : .oneTime, storefront: storefront, currency: step.currency,
      purchasedAt: moment, originalPurchasedAt: first?.purchasedAt ?? moment, knownFrom: moment,
      paid: offer.map { world.priced($0, by: step).price } ?? step.price)
    purchase.offer = offer
    if isPlan {
      nextLineItem += 1
      purchase.lineItem = nextLineItem
      purchase.expiries = [AccountPurchase.Expiry(from: .min, at: expiry(of: purchase, offer))]
    } else if world.products[product.rawValue].kind == .consumable {
      purchase.knownUntil = moment + 600_000
    }
    purchase.isTrial = offer?.mode == .freeTrial
    purchase.isIntro = kind == .intro
    if kind == .promo { purchase.promotionalOfferID = offer?.identifier ?? "" }
    if kind == .offerCode, let offer {
      purchase.promotionalOfferID = AppOffers.codeID(offer.identifier)
      purchase.referenceName = offer.identifier
    }
    account.purchases.append(purchase)
    if chain == nil, isPlan {
      setState(account.purchases.count - 1, at: moment)
    }
    return account.purchases.count - 1
  }

  private mutating func expiry(of purchase: AccountPurchase, _ offer: WorldOffer?) -> Int64 {
    let start = purchase.purchasedAt
    if let offer, offer.mode != .payAsYouGo {
      let end = BillingClock.moment(offer.periods, of: .sample(offer.periodText), after: start)
      months[purchase.originalID] = (end, 0)
      return end
    }
    var month = months[purchase.originalID] ?? (start, 0)
    month.count += 1
    months[purchase.originalID] = month
    return BillingClock.moment(
      month.count, of: world.products[purchase.product].period, after: month.anchor)
  }

  /// Converts a time in UTC, such as `2021-03-01 09:14:03`, to Unix milliseconds.
  static func moment(_ time: String) -> Int64 {
    guard let instant = Instant(text: time) else { preconditionFailure("no time: \(time)") }
    return instant.milliseconds
  }
}

extension Story {
  /// The introductory offer of a product in a market; the market must have an offer.
  func introduction(_ product: SampleProduct, _ market: SampleMarket) -> WorldOffer {
    guard let offer = world.offers.introduction(product.rawValue, market.rawValue, at: .max) else {
      preconditionFailure("no offer")
    }
    return offer
  }

  /// Finds a promotional offer or an offer code by its identifier.
  func offer(_ product: SampleProduct, _ identifier: String) -> WorldOffer {
    let all =
      world.offers.promotional[product.rawValue] + world.offers.codes[product.rawValue]
    guard let offer = all.first(where: { $0.identifier == identifier }) else {
      preconditionFailure("no offer \(identifier)")
    }
    return offer
  }
}
