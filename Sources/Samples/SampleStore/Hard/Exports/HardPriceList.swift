internal import CivilTime
internal import PurchaseModel

extension World {
  /// The price list in the format of `paidline-fetch prices`, with all past prices.
  ///
  /// - Parameter since: The first moment for which App Store Connect has prices, in Unix
  ///   milliseconds; `nil` for the whole past. The price at that moment then applies from that day
  ///   on.
  /// - Returns: A catalogue file, which the pipeline does not use.
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
      text += (kept ? "preserved: true, " : "") + "first_seen: \(day(since ?? dawn))}\n"
    }
    return text
  }

  /// The prices of offers, each from its first day on.
  private func offerLines(_ product: Int, _ storefront: Int, since: Int64?) -> String {
    let steps = prices.steps(product, storefront)
    let lasting =
      offers.codes[product].map { ("offer_code", $0) }
      + offers.winBacks[product].map { ("promo", $0) }
    var text = ""
    for (kind, offer) in lasting where offer.mode != .freeTrial {
      for step in steps where since.map({ step.at >= $0 || step == steps.last }) ?? true {
        text += line(kind, offer, by: step, storefront, first: max(step.at, since ?? dawn))
      }
    }
    for era in offers.eras(product, storefront) {
      guard let offer = era.offer, offer.mode != .freeTrial else { continue }
      for step in steps where since == nil || step == steps.last {
        let first = max(era.from, step.at, since ?? dawn)
        text += line("introductory", offer, by: step, storefront, first: first)
      }
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
