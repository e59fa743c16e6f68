internal import CivilTime
internal import PurchaseModel

/// Builds one hand-made customer: each method adds or changes some of the customer's data.
///
/// Times are written `2021-03-01 09:14:03`, in UTC. A row without an offer or an explicit price has
/// the list price at the time of its purchase.
struct Story {
  let plan: StorePlan
  private(set) var customer: SampleCustomer
  private var nextID: Int64
  private var nextLineItem: Int64
  /// The moment from which a chain's billing periods are counted, and the number of periods since
  /// then, keyed by the chain's `original_transaction_id`.
  private var months: [Int64: (anchor: Int64, count: Int)] = [:]

  /// Starts the story of a customer; `number` keeps the customer's ids unique.
  init(_ name: String, _ market: SampleMarket, number: Int, plan: StorePlan) {
    self.plan = plan
    customer = SampleCustomer(id: name, market: market)
    nextID = 100_000_831_000_000 + Int64(number) * 1000
    nextLineItem = 100_000_307_000_000 + Int64(number) * 1000
  }

  /// Changes the customer's data directly, for changes without a function of their own.
  mutating func change(_ body: (inout SampleCustomer) -> Void) { body(&customer) }

  mutating func change(_ row: Int, _ body: (inout SamplePurchase) -> Void) {
    body(&customer.purchases[row])
  }

  // Buying

  /// Buys in the app: adds a row of a new chain, the receipt and, if `isReported`, a price report.
  ///
  /// The report has the transaction id of the row. The result is the position of the row.
  @discardableResult
  mutating func buys(
    _ product: SampleProduct, _ kind: SamplePeriodKind = .regular, at time: String,
    offer: SampleOffer? = nil, quantity: Int64 = 1, isReported: Bool = true
  ) -> Int {
    let moment = Self.moment(time)
    let row = addRow(product, kind, from: moment, offer: offer, chain: nil)
    customer.purchases[row].quantity = quantity
    customer.purchases[row].paid *= quantity
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
    offer: SampleOffer? = nil, after row: Int, isReported: Bool = true
  ) -> Int {
    let moment = Self.moment(time)
    let chain = customer.purchases[row].originalID
    months[chain] = (moment, 0)
    let row = addRow(product, kind, from: moment, offer: offer, chain: chain)
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
    _ row: Int, times: Int = 1, _ kind: SamplePeriodKind = .regular, offer: SampleOffer? = nil,
    paid: Int64? = nil
  ) -> Int {
    var last = row
    for _ in 0..<times {
      let previous = customer.purchases[last]
      last = addRow(
        previous.product, kind, from: previous.expiresAt, offer: offer,
        chain: previous.originalID)
      if let paid { customer.purchases[last].paid = paid }
    }
    return last
  }

  // Building

  /// Reports the prices shown when a row was bought, with the row's transaction id.
  mutating func reports(_ row: Int, fault: SampleReportFault = .none) {
    let purchase = customer.purchases[row]
    var report = SampleReport(
      product: purchase.product, market: purchase.market, shownAt: purchase.purchasedAt,
      price: plan.listPrice(
        purchase.product, purchase.market.currency, at: purchase.purchasedAt),
      reportedAt: purchase.purchasedAt + 3000)
    report.purchase = row
    report.fault = fault
    if purchase.kind == .promo { report.appliedDiscount = purchase.promotionalOfferID }
    customer.reports.append(report)
  }

  /// Adds a price report without a purchase: the customer only views a price list.
  mutating func viewsPrice(
    at product: SampleProduct, at time: String, fault: SampleReportFault = .none
  ) {
    let moment = Self.moment(time)
    let market = customer.market(at: moment)
    var report = SampleReport(
      product: product, market: market, shownAt: moment,
      price: plan.listPrice(product, market.currency, at: moment), reportedAt: moment)
    report.fault = fault
    if fault == .stale { report.price = product.basePrice(market.currency) }
    customer.reports.append(report)
  }

  /// Changes the newest report.
  mutating func changeReport(_ body: (inout SampleReport) -> Void) {
    body(&customer.reports[customer.reports.count - 1])
  }

  mutating func sends(
    at time: String, form: SampleUpload.Form = .record, inAppAsOf: String? = nil
  ) {
    sends(at: Self.moment(time), form: form, inAppAsOf: inAppAsOf.map(Self.moment))
  }

  private mutating func sends(
    at moment: Int64, form: SampleUpload.Form = .record, inAppAsOf: Int64? = nil
  ) {
    var upload = SampleUpload(at: moment + 607, inAppAsOf: inAppAsOf ?? moment)
    upload.form = form
    upload.style = customer.uploads.count * 64
    customer.uploads.append(upload)
  }

  /// Changes the newest upload.
  mutating func changeUpload(_ body: (inout SampleUpload) -> Void) {
    body(&customer.uploads[customer.uploads.count - 1])
  }

  /// Sets the renewal state of a row's chain from a moment on.
  mutating func expects(
    _ row: Int, at time: String, _ body: (inout SampleRenewalState) -> Void = { _ in }
  ) {
    setState(row, at: Self.moment(time))
    body(&customer.states[customer.states.count - 1])
  }

  private mutating func setState(_ row: Int, at moment: Int64) {
    let purchase = customer.purchases[row]
    customer.states.append(
      SampleRenewalState(
        at: moment, originalID: purchase.originalID, product: purchase.product,
        nextProduct: purchase.product, willRenew: true))
  }

  // Rows

  private mutating func addRow(
    _ product: SampleProduct, _ kind: SamplePeriodKind, from moment: Int64, offer: SampleOffer?,
    chain: Int64?
  ) -> Int {
    nextID += 3
    let market = customer.market(at: moment)
    let first = customer.purchases.first { $0.originalID == chain }
    var purchase = SamplePurchase(
      id: nextID, inAppID: nextID, originalID: chain ?? nextID, product: product,
      kind: product.isSubscription ? kind : .oneTime, market: market, purchasedAt: moment,
      originalPurchasedAt: first?.purchasedAt ?? moment, knownFrom: moment,
      paid: offer?.price ?? plan.listPrice(product, market.currency, at: moment))
    if product.isSubscription {
      nextLineItem += 1
      purchase.lineItem = nextLineItem
      purchase.expiresAt = expiry(of: purchase, offer)
    } else if product.kind == .consumable {
      purchase.knownUntil = moment + 600_000
    }
    purchase.isTrial = offer?.mode == .freeTrial
    purchase.isIntro = kind == .intro
    if kind == .promo { purchase.promotionalOfferID = offer?.identifier ?? "" }
    if kind == .offerCode, let offer {
      purchase.promotionalOfferID = SampleProduct.codeID(offer.identifier)
      purchase.referenceName = offer.identifier
    }
    customer.purchases.append(purchase)
    if chain == nil, product.isSubscription {
      setState(customer.purchases.count - 1, at: moment)
    }
    return customer.purchases.count - 1
  }

  private mutating func expiry(of purchase: SamplePurchase, _ offer: SampleOffer?) -> Int64 {
    let start = purchase.purchasedAt
    if let offer, offer.mode != .payAsYouGo {
      let end = BillingClock.moment(offer.periods, of: .sample(offer.periodText), after: start)
      months[purchase.originalID] = (end, 0)
      return end
    }
    var month = months[purchase.originalID] ?? (start, 0)
    month.count += 1
    months[purchase.originalID] = month
    return BillingClock.moment(month.count, of: purchase.product.period, after: month.anchor)
  }

  /// Converts a time in UTC, such as `2021-03-01 09:14:03`, to Unix milliseconds.
  static func moment(_ time: String) -> Int64 {
    guard let instant = Instant(text: time) else { preconditionFailure("no time: \(time)") }
    return instant.milliseconds
  }
}

extension SampleProduct {
  /// The introductory offer in a market; the market must have an offer.
  func introduction(_ market: SampleMarket) -> SampleOffer {
    guard let offer = introductoryOffer(in: market) else { preconditionFailure("no offer") }
    return offer
  }

  /// Finds a promotional offer or an offer code by its identifier.
  func offer(_ identifier: String, _ market: SampleMarket) -> SampleOffer {
    let all = promotionalOffers(market.currency) + offerCodes(market.currency)
    guard let offer = all.first(where: { $0.identifier == identifier }) else {
      preconditionFailure("no offer \(identifier)")
    }
    return offer
  }
}
