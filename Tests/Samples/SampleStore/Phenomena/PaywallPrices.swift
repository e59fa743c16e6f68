/// Apps report the introductory price as the price of the product.
///
/// A quarter of the phones report what their paywall shows. While the customer may still use an
/// introductory offer, the paywall shows its price in large figures, and the report has this price
/// and no offer. Customers who have used an offer of the group see and report the regular price.
///
/// The evidence is the other phones, which report both prices, and the flag of the receipt that
/// marks an introductory row.
struct PaywallPrices: Phenomenon {
  /// The number of phones per thousand that report what the paywall shows.
  var share = 250

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    // Two plans have a paid introductory offer everywhere.
    for plan in world.plans.prefix(3) where world.products[plan].periodText == "P1M" {
      let offer = WorldOffer.reduced(
        world.products[plan], times: random.within(1...3), percent: [30, 50][random.below(2)])
      for storefront in world.storefronts.indices {
        world.offers.introduce(offer, plan, storefront, from: .min)
      }
    }
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: share) else { return }
    for index in account.prices.indices {
      let report = account.prices[index]
      let group = world.products[report.product].group
      let isUsed = account.purchases.contains {
        world.products[$0.product].group == group && ($0.isIntro || $0.isTrial)
          && $0.purchasedAt < report.shownAt
      }
      guard !isUsed, let offer = report.displayed.introductory, offer.price > 0 else { continue }
      account.prices[index].displayed.price = offer.price
      account.prices[index].displayed.introductory = nil
    }
  }
}
