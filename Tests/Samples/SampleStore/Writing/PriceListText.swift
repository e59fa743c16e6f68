internal import CivilTime
internal import PurchaseModel

extension World {
  /// Creates the price list in the format of `paidline-fetch prices`.
  ///
  /// - Parameter since: The moment at which the price list begins, in Unix milliseconds. The price
  ///   in force at that moment is listed from that day on; older prices are left out. `nil` for all
  ///   past prices.
  /// - Returns: A catalogue file, which the store's own pipeline file does not list.
  func priceListText(since: Int64? = nil) -> String {
    var text = "# What App Store Connect knows of prices, in every storefront.\n"
    text += "asked_on: \(day(end))\nproducts:\n"
    for index in products.indices {
      let product = products[index]
      text += "  - product_id: \(product.id)\n" + appLine(ofProduct: index)
      text += "    kind: \(product.kind.rawValue)\n"
      if let group = product.group {
        text += "    subscription_group: \"\(group)\"\n"
        text += "    subscription_period: \(product.periodText)\n"
      }
      text += "    prices:\n"
      for storefront in storefronts.indices { text += priceLines(index, storefront, since: since) }
      let offers = storefronts.indices.reduce(into: "") { text, storefront in
        text += offerLines(index, storefront, since: since)
      }
      if !offers.isEmpty { text += "    offers:\n" + offers }
    }
    return text
  }

  private func day(_ moment: Int64) -> String { Instant(milliseconds: moment).day.text }

  private func priceLines(_ product: Int, _ storefront: Int, since: Int64?) -> String {
    let steps = prices.steps(product, storefront)
    var text = ""
    for (index, step) in steps.enumerated() {
      let next = index + 1 < steps.count ? steps[index + 1] : nil
      if let since, let next, next.at <= since { continue }
      let from = since.map { max(step.at, $0) } ?? step.at
      let kept = next.map { $0.effect == .preserved } ?? false
      text +=
        "      - {storefront: \(storefronts[storefront].code), currency: \(step.currency.code), "
      text += "price: \"\(step.currency.text(step.price))\", "
      text += from == .min ? "" : "from: \(day(from)), "
      text += (kept ? "preserved: true, " : "") + "first_seen: \(day(since ?? earliestPurchase))}\n"
    }
    return text
  }

  /// Creates the catalogue lines of a product's offers in a storefront, each with a price and its
  /// first day.
  private func offerLines(_ product: Int, _ storefront: Int, since: Int64?) -> String {
    let steps = prices.steps(product, storefront)
    let lasting =
      offers.codes[product].map { ("offer_code", $0) }
      + offers.winBacks[product].map { ("promo", $0) }
    var text = ""
    for (kind, offer) in lasting where offer.mode != .freeTrial {
      text += lines(kind, offer, by: steps, storefront, from: since ?? earliestPurchase, to: .max)
    }
    for offer in offers.promotional[product] where offer.mode != .freeTrial {
      let change = offers.repriced[offer.identifier]
      let start = since ?? earliestPurchase
      text += lines("promo", offer, by: steps, storefront, from: start, to: change?.from ?? .max)
      guard let change else { continue }
      var later = offer
      later.percent = change.percent
      text += lines(
        "promo", later, by: steps, storefront, from: max(change.from, start), to: .max)
    }
    let eras = offers.eras(product, storefront)
    for (index, era) in eras.enumerated() {
      guard let offer = era.offer, offer.mode != .freeTrial else { continue }
      let end = index + 1 < eras.count ? eras[index + 1].from : .max
      text += lines(
        "introductory", offer, by: steps, storefront,
        from: max(era.from, since ?? earliestPurchase), to: end)
    }
    return text
  }

  /// Creates the catalogue lines of one offer between two moments, each with a price and its first
  /// day.
  private func lines(
    _ kind: String, _ offer: WorldOffer, by steps: [PriceStep], _ storefront: Int, from: Int64,
    to: Int64
  ) -> String {
    var text = ""
    for (index, step) in steps.enumerated() {
      let end = index + 1 < steps.count ? min(to, steps[index + 1].at) : to
      let first = max(step.at, from)
      // A price of less than a day has no day in the list.
      guard first < end, end == .max || day(first) != day(end) else { continue }
      text += line(kind, offer, by: step, storefront, first: first)
    }
    return text
  }

  private func line(
    _ kind: String, _ offer: WorldOffer, by step: PriceStep, _ storefront: Int, first: Int64
  ) -> String {
    let identifier = offer.identifier.isEmpty ? "" : "identifier: \"\(offer.identifier)\", "
    let price = step.currency.text(priced(offer, by: step).price)
    return "      - {kind: \(kind), \(identifier)storefront: \(storefronts[storefront].code), "
      + "currency: \(step.currency.code), price: \"\(price)\", payment_mode: \(offer.mode.name), "
      + "number_of_periods: \(offer.periods), subscription_period: \(offer.periodText), "
      + "first_seen: \(day(first))}\n"
  }
}
