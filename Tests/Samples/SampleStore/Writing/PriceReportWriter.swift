internal import PurchaseModel

/// Writes price reports as the app sent them, with the key names of the pipeline or of StoreKit.
struct PriceReportWriter {
  let world: World
  let account: Account

  /// Writes a report as a JSON object.
  ///
  /// A report inside a receipt record omits the members that the record has.
  func write(_ index: Int, to json: inout JSONBytes) {
    let report = account.prices[index]
    json.raw("{\"reported_at\":")
    json.isoTime(report.reportedAt)
    if !report.customerID.isEmpty, !report.isEmbedded {
      json.member(
        report.style & 3 == 3 ? ",\"app_user_id\":" : ",\"customer_id\":", report.customerID)
    }
    if !report.foreignID.isEmpty {
      json.member(",\"transaction_id\":", report.foreignID)
    } else if report.purchase >= 0 {
      let purchase = account.purchases[report.purchase]
      json.member(",\"transaction_id\":", report.usesAlias ? purchase.aliasID : purchase.id)
    }
    if !report.platform.isEmpty { json.member(",\"platform\":", report.platform) }
    if report.namesApp { json.member(",\"bundle_id\":", account.bundle) }
    if report.style & 7 == 7 {
      writeStoreKit(report, to: &json)
    } else {
      writePlain(report, to: &json)
    }
    json.raw("}")
  }

  private func product(_ report: AccountReport) -> String {
    world.products[report.namedProduct ?? report.product].id
  }

  private func storefront(_ report: AccountReport) -> WorldStorefront {
    world.storefronts[report.named ?? report.storefront]
  }

  private func write(
    price: Int64, _ report: AccountReport, style: Int, to json: inout JSONBytes
  ) {
    if report.isFloat { return json.float(price) }
    json.price(price, decimals: report.displayed.currency.decimals, style: style)
  }

  private func write(
    _ offers: [PricedOffer], _ key: StaticString, to json: inout JSONBytes,
    _ write: (PricedOffer, inout JSONBytes) -> Void
  ) {
    guard !offers.isEmpty else { return }
    json.raw(key)
    for (position, offer) in offers.enumerated() {
      json.raw(position > 0 ? ",{" : "{")
      if !offer.offer.identifier.isEmpty {
        json.member("\"identifier\":", offer.offer.identifier)
        json.raw(",")
      }
      write(offer, &json)
      json.raw("}")
    }
  }

  // MARK: Key names of the pipeline

  private func writePlain(_ report: AccountReport, to json: inout JSONBytes) {
    json.member(",\"product_id\":", product(report))
    if report.namesStorefront {
      let storefront = storefront(report)
      json.member(
        ",\"storefront\":", report.style & 24 == 24 ? storefront.alpha2 : storefront.code)
    }
    json.member(",\"currency\":", report.displayed.currency.code)
    json.raw(",\"price\":")
    write(price: report.displayed.price, report, style: report.style, to: &json)
    let introductory = report.displayed.introductory.map { [$0] } ?? []
    write(introductory, ",\"introductory_price\":", to: &json) { writePlain($0, report, to: &$1) }
    if report.hasDiscounts, !report.displayed.discounts.isEmpty {
      write(report.displayed.discounts, ",\"discounts\":[", to: &json) {
        writePlain($0, report, to: &$1)
      }
      json.raw("]")
    }
    if !report.appliedDiscount.isEmpty {
      json.member(",\"applied_discount\":", report.appliedDiscount)
    }
  }

  private func writePlain(
    _ priced: PricedOffer, _ report: AccountReport, to json: inout JSONBytes
  ) {
    json.raw("\"price\":")
    write(price: priced.price, report, style: report.style, to: &json)
    json.member(",\"payment_mode\":", priced.offer.mode.name)
    json.raw(",\"number_of_periods\":")
    json.number(Int64(priced.offer.periods))
    json.member(",\"subscription_period\":", priced.offer.periodText)
  }

  // MARK: Key names of StoreKit

  private func writeStoreKit(_ report: AccountReport, to json: inout JSONBytes) {
    json.member(",\"productIdentifier\":", product(report))
    if report.namesStorefront { json.member(",\"store_country\":", storefront(report).alpha2) }
    json.raw(",\"priceLocale\":{\"currencyCode\":")
    json.quoted(report.displayed.currency.code)
    json.raw("},\"price\":")
    write(price: report.displayed.price, report, style: report.style, to: &json)
    let introductory = report.displayed.introductory.map { [$0] } ?? []
    write(introductory, ",\"introductoryPrice\":", to: &json) {
      writeStoreKit($0, report, to: &$1)
    }
    if report.hasDiscounts, !report.displayed.discounts.isEmpty {
      write(report.displayed.discounts, ",\"discounts\":[", to: &json) {
        writeStoreKit($0, report, to: &$1)
      }
      json.raw("]")
    }
    if !report.appliedDiscount.isEmpty {
      json.raw(",\"paymentDiscount\":{")
      json.member("\"identifier\":", report.appliedDiscount)
      json.raw("}")
    }
  }

  private func writeStoreKit(
    _ priced: PricedOffer, _ report: AccountReport, to json: inout JSONBytes
  ) {
    let offer = priced.offer
    json.raw("\"price\":")
    write(price: priced.price, report, style: 0, to: &json)
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
    json.raw("}")
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
