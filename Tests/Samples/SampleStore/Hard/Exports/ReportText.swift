internal import PurchaseModel

/// Writes price reports as the app sent them, with the key names of the pipeline or of StoreKit.
struct ReportText {
  let world: World
  let account: Account

  /// Writes a report as a JSON object; a report inside a receipt record omits the members that the
  /// record has.
  func write(_ index: Int, to json: inout JSONBytes) {
    let report = account.prices[index]
    json.raw("{\"reported_at\":")
    json.isoTime(report.reportedAt)
    if !report.customerID.isEmpty, !report.isEmbedded {
      json.member(",\"customer_id\":", report.customerID)
    }
    if !report.foreignID.isEmpty {
      json.member(",\"transaction_id\":", report.foreignID)
    } else if report.purchase >= 0 {
      let purchase = account.purchases[report.purchase]
      json.member(",\"transaction_id\":", report.usesAlias ? purchase.aliasID : purchase.id)
    }
    let product = world.products[report.namedProduct ?? report.product]
    json.member(",\"product_id\":", product.id)
    if !report.platform.isEmpty { json.member(",\"platform\":", report.platform) }
    if report.namesApp { json.member(",\"bundle_id\":", account.bundle) }
    if report.namesStorefront {
      let storefront = world.storefronts[report.named ?? report.storefront]
      json.member(
        ",\"storefront\":", report.style & 24 == 24 ? storefront.alpha2 : storefront.code)
    }
    let isStoreKit = report.style & 7 == 7
    let decimals = report.displayed.currency.decimals
    if isStoreKit {
      json.raw(",\"priceLocale\":{\"currencyCode\":")
      json.quoted(report.displayed.currency.code)
      json.raw("},\"price\":")
    } else {
      json.member(",\"currency\":", report.displayed.currency.code)
      json.raw(",\"price\":")
    }
    if report.isFloat {
      json.float(report.displayed.price)
    } else {
      json.price(report.displayed.price, decimals: decimals, style: report.style)
    }
    if let offer = report.displayed.introductory {
      json.raw(isStoreKit ? ",\"introductoryPrice\":" : ",\"introductory_price\":")
      write(offer, decimals, report, to: &json)
    }
    if report.hasDiscounts, !report.displayed.discounts.isEmpty {
      json.raw(",\"discounts\":[")
      for (position, offer) in report.displayed.discounts.enumerated() {
        if position > 0 { json.raw(",") }
        write(offer, decimals, report, to: &json)
      }
      json.raw("]")
    }
    if !report.appliedDiscount.isEmpty {
      json.member(",\"applied_discount\":", report.appliedDiscount)
    }
    json.raw("}")
  }

  private func write(
    _ priced: PricedOffer, _ decimals: Int, _ report: AccountReport, to json: inout JSONBytes
  ) {
    let offer = priced.offer
    let isStoreKit = report.style & 7 == 7
    json.raw("{")
    if !offer.identifier.isEmpty {
      json.member("\"identifier\":", offer.identifier)
      json.raw(",")
    }
    json.raw("\"price\":")
    if report.isFloat {
      json.float(priced.price)
    } else {
      json.price(priced.price, decimals: decimals, style: 0)
    }
    guard isStoreKit else {
      json.member(",\"payment_mode\":", offer.mode.name)
      json.raw(",\"number_of_periods\":")
      json.number(Int64(offer.periods))
      json.member(",\"subscription_period\":", offer.periodText)
      return json.raw("}")
    }
    json.raw(",\"paymentMode\":")
    json.number(Int64(offer.mode.rawValue))
    json.raw(",\"numberOfPeriods\":")
    json.number(Int64(offer.periods))
    // SKProduct.PeriodUnit: 0 day, 1 week, 2 month, 3 year.
    let units: [Character: Int64] = ["D": 0, "W": 1, "M": 2, "Y": 3]
    json.raw(",\"subscriptionPeriod\":{\"unit\":")
    json.number(offer.periodText.last.flatMap { units[$0] } ?? 2)
    json.raw(",\"numberOfUnits\":")
    json.number(Int64(offer.periodText.dropFirst().dropLast()) ?? 1)
    json.raw("}}")
  }
}
