internal import CivilTime

/// Apple changes the prices of a storefront because a tax changed there.
///
/// There are four changes, each in a different storefront and at a different time. Prices rise or
/// fall to a nearby price point. A fall applies to all customers. A rise of a plan applies only to
/// new subscribers. Other storefronts with the same currency keep their prices, and the catalogue
/// lacks the change.
///
/// The evidence is the reports of customers in the changed storefront.
struct TaxChanges: Phenomenon {
  /// The storefronts whose taxes may change: six with euros or US dollars, and four with a currency
  /// of their own.
  var candidates = ["DEU", "FRA", "ITA", "ESP", "NLD", "GBR", "JPN", "POL", "TUR", "UKR"]
  var count = 4

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    var left = candidates
    for _ in 0..<min(count, left.count) {
      let code = left.remove(at: random.below(left.count))
      guard let storefront = world.storefronts.firstIndex(where: { $0.code == code }) else {
        continue
      }
      let moment = world.midnight(perCent: random.within(20...80))
      let percent = Int64([92, 104, 107, 112][random.below(4)])
      for product in world.products.indices
      where world.prices.isQuiet(product, storefront, from: .min, to: .max) {
        let isPlan = world.products[product].isSubscription
        world.prices.scale(
          product, storefront, from: moment, percent: percent,
          isPlan ? .preserved : .everyone, withOffers: true)
      }
    }
  }
}
