internal import Amounts
internal import CivilTime
internal import PurchaseModel

extension StorePlan {
  /// Creates the catalogue file: kinds, groups, periods, price changes, a few list prices and
  /// offers.
  ///
  /// The file intentionally lacks some price changes: the rise of plus.monthly that needs consent,
  /// the rise of coins.1000, and every cut. Only renewal states and reports show these changes. The
  /// file also lacks the offer code PODCAST, so its rows stay unresolved.
  func catalogueText() -> String {
    var text = """
      # What App Store Connect knows about the sample app and a receipt does not.
      # The rise of plus.monthly, the cuts of news.basic and pro.yearly, and the offer code
      # "PODCAST" are missing on purpose: they must be found in the data, or stay unknown.
      products:

      """
    for product in SampleProduct.allCases { text += catalogueText(of: product) }
    return text + proceedsText
  }

  /// The catalogue's rates of commission and tax, for estimates of proceeds.
  ///
  /// Apple's Small Business Program applies from the middle of the store's time on.
  private var proceedsText: String {
    let middle = Instant(milliseconds: start).day.advanced(by: Int64(days / 2))
    return """
      # What Apple keeps and what tax is in the price: for estimates of proceeds.
      proceeds:
        small_business:
          - {from: \(middle.text)}
        taxes:
          - {from: 2008-07-10, percent: 0, included: false}
          - {storefront: DEU, from: 2007-01-01, percent: 19, included: true}
          - {storefront: FRA, from: 2014-01-01, percent: 20, included: true}
          - {storefront: GBR, from: 2011-01-04, percent: 20, included: true}
          - {storefront: JPN, from: 2019-10-01, percent: 10, included: true}
          - {storefront: POL, from: 2011-01-01, percent: 23, included: true}

      """
  }

  private func catalogueText(of product: SampleProduct) -> String {
    var text = "  - product_id: \(product.id)\n    kind: \(product.kind.rawValue)\n"
    if let group = product.group {
      text += "    subscription_group: \"\(group)\"\n"
      text += "    subscription_period: \(product.periodText)\n"
    }
    let changes = steps.filter { $0.product == product && $0.isInCatalogue }
    if !changes.isEmpty {
      text += "    price_changes:\n"
      for change in changes {
        let day = Instant(milliseconds: change.at).day.text
        let effect = change.effect == .moved ? "moved" : "preserved"
        text += "      - {currency: \(change.currency.code), from: \(day), "
        text += "existing_subscribers: \(effect)}\n"
      }
    }
    let listed = SampleCurrency.allCases.filter { hasCataloguePrice(product, $0) }
    if !listed.isEmpty {
      text += "    prices:\n"
      for currency in listed {
        text += "      - {currency: \(currency.code), "
        text += "price: \"\(currency.text(product.basePrice(currency)))\", from: 2020-01-01}\n"
      }
    }
    return text + offersText(of: product)
  }

  private func offersText(of product: SampleProduct) -> String {
    var lines = ""
    for currency in SampleCurrency.allCases {
      let codes = product.offerCodes(currency).map { ("offer_code", $0) }
      let promotions = product.promotionalOffers(currency).map { ("promo", $0) }
      for (kind, offer) in codes + promotions where Self.hasCatalogueOffer(offer.identifier) {
        lines += "      - {kind: \(kind), identifier: \(offer.identifier), "
        if let name = offer.name { lines += "name: \"\(name)\", " }
        lines += "currency: \(currency.code), price: \"\(currency.text(offer.price))\",\n"
        lines += "         payment_mode: \(offer.mode.name), "
        lines += "number_of_periods: \(offer.periods), "
        lines += "subscription_period: \(offer.periodText)}\n"
      }
    }
    return lines.isEmpty ? "" : "    offers:\n" + lines
  }
}

extension SampleCurrency {
  /// Formats a price with the decimals of this currency: 9990 thousandths → `9.99`.
  func text(_ milliunits: Int64) -> String { Milliunits(milliunits).text(decimals: decimals) }
}
