internal import CivilTime

/// Apple changes the prices of a storefront because a tax changed there.
///
/// On four days the prices of one storefront rise or fall to a nearby price point. One-time
/// products have the new price at once; after a rise, subscribers keep their price. The other
/// storefronts of the currency do not change, and the catalogue lacks the change.
///
/// The evidence is the reports of that storefront's customers.
struct TaxChanges: Phenomenon {
  /// The storefronts whose taxes may change; six of them share their currency with others.
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
