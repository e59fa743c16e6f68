internal import CivilTime
internal import PurchaseModel

extension World {
  /// Creates the catalogue file: kinds, groups, periods, and the owner's notes on prices and
  /// offers.
  ///
  /// The owner sets prices per currency. So the file lacks prices and changes that apply only to
  /// some storefronts of a currency. It also lacks cuts, rises with consent, and the changes that a
  /// phenomenon hides.
  func catalogueText() -> String {
    var text = catalogueHead + "products:\n"
    for index in products.indices { text += catalogueText(ofProduct: index) }
    if arePromoCodesListed, !promoCodes.isEmpty {
      text += "promo_codes:\n"
      for codes in promoCodes { text += promoCodesLine(codes) }
    }
    if !rebasedLines.isEmpty {
      text += "rebased:\n" + rebasedLines.map { "  - \($0)\n" }.joined()
    }
    return text + catalogueEnd
  }

  private func promoCodesLine(_ codes: PromoCodeTime) -> String {
    let days = [codes.from, codes.to - 1].map { Instant(milliseconds: $0).day.text }
    let app = apps.count > 1 ? ", bundle_id: \(apps[products[codes.product].app])" : ""
    return
      "  - {product_id: \(products[codes.product].id)\(app), from: \(days[0]), to: \(days[1])}\n"
  }

  /// The catalogue line with the app of a product; empty if there is only one app.
  func appLine(ofProduct index: Int) -> String {
    apps.count > 1 ? "    bundle_id: \(apps[products[index].app])\n" : ""
  }

  /// The price changes of a product that the catalogue lists, oldest first.
  ///
  /// Each change applies to all storefronts of its currency.
  func cataloguedChanges(_ product: Int) -> [CataloguedChange] {
    var changes: Set<CataloguedChange> = []
    for storefront in storefronts.indices {
      for step in prices.steps(product, storefront) where step.isCatalogued {
        changes.insert(
          CataloguedChange(
            at: step.at, currency: step.currency.code, isPreserved: step.effect == .preserved))
      }
    }
    return changes.sorted { ($0.at, $0.currency) < ($1.at, $1.currency) }
  }

  private func catalogueText(ofProduct index: Int) -> String {
    let product = products[index]
    var text = "  - product_id: \(product.id)\n" + appLine(ofProduct: index)
    text += "    kind: \(product.kind.rawValue)\n"
    if let group = product.group {
      text += "    subscription_group: \"\(group)\"\n"
      text += "    subscription_period: \(product.periodText)\n"
    }
    let changes = cataloguedChanges(index)
    if !changes.isEmpty { text += "    price_changes:\n" }
    for change in changes {
      text += "      - {currency: \(change.currency), "
      text += "from: \(Instant(milliseconds: change.at).day.text), existing_subscribers: "
      text += change.isPreserved ? "preserved}\n" : "moved}\n"
    }
    if let currencies = listedPrices[index] { text += "    prices:\n" + prices(index, currencies) }
    let offers = offersText(ofProduct: index)
    return offers.isEmpty ? text : text + "    offers:\n" + offers
  }

  private func prices(_ product: Int, _ currencies: [WorldCurrency]) -> String {
    currencies.map { currency in
      let price = storefronts(in: currency.code).first.map { prices.steps(product, $0)[0].price }
      return "      - {currency: \(currency.code), price: \"\(currency.text(price ?? 0))\", "
        + "from: 2020-01-01}\n"
    }.joined()
  }

  private func offersText(ofProduct index: Int) -> String {
    let codes = offers.codes[index].map { ("offer_code", $0) }
    let promotions = offers.promotional[index] + offers.winBacks[index]
    var text = ""
    for (kind, offer) in codes + promotions.map({ ("promo", $0) })
    where offers.catalogued.contains(offer.identifier) {
      for (currency, price) in cataloguedPrices(of: offer, ofProduct: index) {
        text += "      - {kind: \(kind), identifier: \(offer.identifier), "
        if let name = offer.name { text += "name: \"\(name)\", " }
        text += "currency: \(currency.code), price: \"\(currency.text(price))\", "
        text += "payment_mode: \(offer.mode.name), number_of_periods: \(offer.periods), "
        text += "subscription_period: \(offer.periodText)}\n"
      }
    }
    return text
  }

  /// The price of an offer in each currency in which the offer has only one price.
  ///
  /// A currency is left out if the price differs between its storefronts, or changes over time.
  func cataloguedPrices(of offer: WorldOffer, ofProduct product: Int) -> [(WorldCurrency, Int64)] {
    var found: [WorldCurrency: Set<Int64>] = [:]
    for storefront in storefronts.indices {
      for step in prices.steps(product, storefront) {
        found[step.currency, default: []].insert(priced(offer, by: step).price)
      }
    }
    return found.keys.sorted { $0.code < $1.code }.compactMap { currency in
      guard let prices = found[currency], prices.count == 1, let price = prices.first else {
        return nil
      }
      return (currency, price)
    }
  }
}

/// A change of price that the catalogue lists.
struct CataloguedChange: Hashable {
  /// Unix milliseconds, midnight UTC.
  var at: Int64
  /// The currency's ISO 4217 code.
  var currency: String
  /// Whether existing subscribers keep the old price.
  var isPreserved: Bool
}
