internal import PurchaseModel

/// Writes price reports as the app sent them, with the key names of the pipeline or of StoreKit.
struct PriceReportWriter {
  let customer: SampleCustomer

  /// The prices of one product in a report, after the report's fault has changed them.
  private struct Shown {
    var currency: String
    var decimals: Int
    var price: Int64
    var introductory: SampleOffer?
    var discounts: [SampleOffer]
  }

  /// Writes a report as a JSON object.
  ///
  /// A report inside a receipt record omits the members that the record has.
  func write(_ index: Int, to json: inout JSONBytes) {
    let report = customer.reports[index]
    let shown = shown(report)
    json.raw("{\"reported_at\":")
    json.isoTime(report.reportedAt)
    if report.namesCustomer, !customer.id.isEmpty, !report.isEmbedded {
      json.member(
        report.style & 3 == 3 ? ",\"app_user_id\":" : ",\"customer_id\":", customer.id)
    }
    if report.purchase >= 0 {
      let purchase = customer.purchases[report.purchase]
      json.member(
        ",\"transaction_id\":", report.usesInAppID ? purchase.inAppID : purchase.id)
    }
    if report.style & 7 == 7 {
      writeStoreKit(report, shown, to: &json)
    } else {
      writePlain(report, shown, to: &json)
    }
    json.raw("}")
  }

  private func shown(_ report: SampleReport) -> Shown {
    let currency = report.market.currency
    var shown = Shown(
      currency: currency.code, decimals: currency.decimals, price: report.price,
      introductory: report.product.introductoryOffer(in: report.market),
      discounts: report.hasDiscounts ? report.product.promotionalOffers(currency) : [])
    var factor: Int64 = 1
    switch report.fault {
    case .cent: shown.price = 10
    case .thousandfold: factor = 1000
    case .hundredfold: factor = 100
    case .currency(let code): shown.currency = code
    case .none, .stale: break
    }
    shown.price *= factor
    shown.introductory?.price *= factor
    for index in shown.discounts.indices { shown.discounts[index].price *= factor }
    return shown
  }

  // MARK: Key names of the pipeline

  private func writePlain(_ report: SampleReport, _ shown: Shown, to json: inout JSONBytes) {
    json.member(",\"product_id\":", report.product.id)
    if report.namesStorefront {
      json.member(
        ",\"storefront\":",
        report.style & 24 == 24 ? report.market.alpha2 : report.market.storefront)
    }
    json.member(",\"currency\":", shown.currency)
    json.raw(",\"price\":")
    json.price(shown.price, decimals: shown.decimals, style: report.style)
    if let offer = shown.introductory {
      json.raw(",\"introductory_price\":")
      write(offer, shown, report.style, to: &json)
    }
    if !shown.discounts.isEmpty {
      json.raw(",\"discounts\":[")
      for (position, offer) in shown.discounts.enumerated() {
        if position > 0 { json.raw(",") }
        write(offer, shown, report.style, to: &json)
      }
      json.raw("]")
    }
    if !report.appliedDiscount.isEmpty {
      json.member(",\"applied_discount\":", report.appliedDiscount)
    }
  }

  private func write(_ offer: SampleOffer, _ shown: Shown, _ style: Int, to json: inout JSONBytes) {
    json.raw("{")
    if !offer.identifier.isEmpty {
      json.member("\"identifier\":", offer.identifier)
      json.raw(",")
    }
    json.raw("\"price\":")
    json.price(offer.price, decimals: shown.decimals, style: style)
    json.member(",\"payment_mode\":", offer.mode.name)
    json.raw(",\"number_of_periods\":")
    json.number(Int64(offer.periods))
    json.member(",\"subscription_period\":", offer.periodText)
    json.raw("}")
  }

  // MARK: Key names of StoreKit

  private func writeStoreKit(_ report: SampleReport, _ shown: Shown, to json: inout JSONBytes) {
    json.member(",\"productIdentifier\":", report.product.id)
    if report.namesStorefront { json.member(",\"store_country\":", report.market.alpha2) }
    json.raw(",\"priceLocale\":{\"currencyCode\":")
    json.quoted(shown.currency)
    json.raw("},\"price\":")
    json.price(shown.price, decimals: shown.decimals, style: report.style)
    if let offer = shown.introductory {
      json.raw(",\"introductoryPrice\":")
      writeStoreKit(offer, shown, to: &json)
    }
    if !shown.discounts.isEmpty {
      json.raw(",\"discounts\":[")
      for (position, offer) in shown.discounts.enumerated() {
        if position > 0 { json.raw(",") }
        writeStoreKit(offer, shown, to: &json)
      }
      json.raw("]")
    }
    if !report.appliedDiscount.isEmpty {
      json.raw(",\"paymentDiscount\":{")
      json.member("\"identifier\":", report.appliedDiscount)
      json.raw("}")
    }
  }

  private func writeStoreKit(_ offer: SampleOffer, _ shown: Shown, to json: inout JSONBytes) {
    json.raw("{")
    if !offer.identifier.isEmpty {
      json.member("\"identifier\":", offer.identifier)
      json.raw(",")
    }
    json.raw("\"price\":")
    json.price(offer.price, decimals: shown.decimals, style: 0)
    json.raw(",\"paymentMode\":")
    json.number(Int64(offer.mode.rawValue))
    json.raw(",\"numberOfPeriods\":")
    json.number(Int64(offer.periods))
    // SKProduct.PeriodUnit: 0 day, 1 week, 2 month, 3 year.
    let unit: Int64 =
      switch offer.periodText.last {
      case "D": 0
      case "W": 1
      case "M": 2
      default: 3
      }
    let count = Int64(offer.periodText.dropFirst().dropLast()) ?? 1
    json.raw(",\"subscriptionPeriod\":{\"unit\":")
    json.number(unit)
    json.raw(",\"numberOfUnits\":")
    json.number(count)
    json.raw("}}")
  }
}

extension JSONBytes {
  /// Appends a price: mostly as decimal text, sometimes as a number, and rarely with the rounding
  /// error of a binary float.
  ///
  /// The bits of `style` select the form.
  mutating func price(_ milliunits: Int64, decimals: Int, style: Int) {
    let isNumber = style & 32 != 0
    if !isNumber { raw("\"") }
    number(milliunits / 1000)
    if decimals > 0 {
      raw(".")
      let fraction = milliunits % 1000
      bytes.append(UInt8(ascii: "0") + UInt8(fraction / 100))
      bytes.append(UInt8(ascii: "0") + UInt8(fraction / 10 % 10))
      if decimals == 3 || fraction % 10 != 0 {
        bytes.append(UInt8(ascii: "0") + UInt8(fraction % 10))
      } else if isNumber, style & 28 == 0, (1..<1_000_000).contains(milliunits) {
        raw("00000000000002")
      }
    }
    if !isNumber { raw("\"") }
  }
}
