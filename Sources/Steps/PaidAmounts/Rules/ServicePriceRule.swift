internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `service_price`: the amount that a hosted service states, where it can only be the list price.
  ///
  /// The service infers the amounts of renewals from today's price list. So its amount is used
  /// only for a row that begins at the list price: a one-time purchase, or the first regular row
  /// after a trial or a lapse. Example: a trial of April, and RevenueCat states 9.99 USD for the
  /// first paid month → 9.99.
  func servicePrice(_ row: PricingContext) throws(AmountError) -> RuleOutcome {
    let purchase = book.purchases[row.row]
    guard let charged = purchase.service?.charged, charged.amount > .zero else {
      return .passed(.noServiceAmount)
    }
    guard row.kind == .regular || row.kind == .oneTime, row.instalment == nil else {
      return .passed(.serviceInfersOffers)
    }
    guard !isBetweenPrices(row), unsettledPrices(row) == nil else {
      return .passed(.betweenTwoPrices)
    }
    guard row.kind == .oneTime || beginsAtListPrice(row), !mayKeepPriceSinceOffer(row) else {
      return .passed(.mayKeepPrice)
    }
    guard !isConverted(charged, row), charged.currency.allows(charged.amount) else {
      return .passed(.serviceConverts)
    }
    if row.currency == nil, row.storefront == nil, let passed = unplaced(charged, row) {
      return .passed(passed)
    }
    var decision = Decision(
      paid: charged.amount, low: charged.amount, high: charged.amount, status: .inferred)
    decision.currency = charged.currency
    return .decided(decision)
  }

  /// The reason why the amount of a row without a storefront and a currency is not used.
  ///
  /// Nothing shows that the currency is that of the purchase, but a list price does: an amount that
  /// is converted differs from it. Example: 13.48 USD for 12.49 EUR, and the list price is 12.99
  /// USD. And the amount is that of the day on which the subscription began.
  ///
  /// - Returns: `nil` if the amount is a list price of then and now.
  private func unplaced(_ charged: SignedPrice, _ row: PricingContext) -> PassReason? {
    guard row.kind != .oneTime else { return nil }
    let product = book.purchases[row.row].productID
    guard let market = prices.markets.index(product, charged.currency) else {
      return .serviceConverts
    }
    let start = beganAt(row)
    let lists = prices.lists(of: market, for: nil)
    func isListed(at time: Instant) -> Bool {
      lists.contains { prices.priceInForce(market, in: $0, at: time)?.price == charged.amount }
    }
    guard isListed(at: row.time) else { return .serviceConverts }
    return isListed(at: start) ? nil : .mayKeepPrice
  }

  /// Whether the row is the first regular row of its product since the subscription began or
  /// returned, so that it cannot keep an older price.
  private func beginsAtListPrice(_ row: PricingContext) -> Bool {
    let chain = book.chains[row.chain.index]
    let spell = timelines.rows[row.row].spellNumber
    let product = book.purchases[row.row].productID
    let earlier = chain.rows.prefix { $0 < row.row }
    if earlier.allSatisfy({ timelines.rows[$0].spellNumber == spell }),
      hasTruncatedHistory(chain, book: book, timelines: timelines)
    {
      return false
    }
    return !earlier.contains { other in
      timelines.rows[other].spellNumber == spell && timelines.rows[other].kind == .regular
        && book.purchases[other].productID == product && !mayBeIntroductory(other, in: chain)
    }
  }

  /// Whether a row of a service's export may keep a price from before a price change.
  ///
  /// This is the case if the subscription began with a trial or an introductory month, and the list
  /// price has changed since, by the price history or the catalogue. Example: a trial of May 1, a
  /// rise on May 5, and the first paid month from May 8 on.
  func mayKeepPriceSinceOffer(_ row: PricingContext) -> Bool {
    let purchase = book.purchases[row.row]
    guard purchase.isOfServiceOnly, row.kind == .regular, let market = row.market else {
      return false
    }
    let began = beganAt(row)
    guard began < row.time else { return false }
    return row.lists.contains { list in
      let now = prices.priceInForce(market, in: list, at: row.time)?.price
      guard let now, let before = prices.priceInForce(market, in: list, at: began)?.price else {
        // Nothing shows the price of then, and the catalogue lets subscribers keep it.
        return prices.priceChanges(market, in: list, after: began, through: row.time)
          .contains { $0.existingSubscribers == .preserved }
      }
      return before != now
    }
  }

  /// Whether a first purchase may be at an introductory price that the service does not mark.
  ///
  /// This is the case if the service states another amount for the next row, unless the purchase
  /// is at the list price of its day.
  func mayBeIntroductory(_ row: Int, in chain: Chain) -> Bool {
    guard mayBeIntroductoryRow(row, in: chain, of: book) else { return false }
    let purchase = book.purchases[row]
    guard let charged = purchase.service?.charged,
      let market = prices.markets.index(purchase.productID, charged.currency)
    else { return true }
    let lists = prices.lists(of: market, for: nil)
    return lists.isEmpty
      || lists.contains {
        prices.priceInForce(market, in: $0, at: purchase.purchasedAt)?.price != charged.amount
      }
  }

  /// Whether the amount was converted to US dollars from the currency of the purchase.
  private func isConverted(_ charged: SignedPrice, _ row: PricingContext) -> Bool {
    if let currency = row.currency, currency != charged.currency { return true }
    guard let storefront = row.storefront,
      let usual = StorefrontCurrencies.usual(in: storefront, at: row.time)
    else { return false }
    return usual != charged.currency
  }

  /// The amount that a hosted service states for a renewal, if it contradicts the price before.
  ///
  /// `nil` if the service states the same amount, or none in the row's currency.
  func contradictingServicePrice(_ row: PricingContext, _ unitPrice: Milliunits) -> Milliunits? {
    guard let charged = book.purchases[row.row].service?.charged, charged.currency == row.currency,
      charged.amount > .zero, row.quantity == 1, charged.amount != unitPrice
    else { return nil }
    return charged.amount
  }
}

extension RuleText {
  static let servicePrice = RuleText(
    .servicePrice,
    condition:
      "A hosted service's export (`inputs.exports`) has the purchase and states its amount in the "
      + "currency of the storefront. The row is a one-time purchase, or the first regular row of "
      + "its product since the subscription began or returned after a lapse, and the export has "
      + "the beginning of the subscription. The rule does not apply between two prices. Without a "
      + "storefront, the amount must be the list price then and when the subscription began.",
    result: "The service's amount; inferred.",
    why:
      "A service infers the amounts of renewals from the price list. For a row that begins at the "
      + "list price that is right; a renewal may keep an older price, so its amount is not used.")
}
