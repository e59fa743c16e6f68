/// Prices fall to a third in some countries, and rise threefold in others, on one day each.
///
/// The owner adapts prices to the wages of a country: on one day, all products of a storefront get
/// other prices. A cut applies to all customers, a rise to new subscribers only. The catalogue
/// lacks these changes.
///
/// The evidence is the reports of the storefront's customers.
struct RegionalPricing: Phenomenon {
  /// The storefronts whose prices may fall, and the number that fall.
  var cheaper = ["IND", "TUR", "BRA", "MEX", "ARG", "UKR", "POL", "ECU"]
  var cuts = 4
  /// The storefronts whose prices may rise, and the number that rise.
  var dearer = ["CHE", "SWE", "AUS", "KOR", "GBR", "KWT"]
  var rises = 3
  /// The weight of each changing storefront among all storefronts; the United States has 300.
  var weight = 40

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    change(cheaper, cuts, percent: 30, &world, &random)
    change(dearer, rises, percent: 300, &world, &random)
  }

  private func change(
    _ codes: [String], _ count: Int, percent: Int64, _ world: inout World,
    _ random: inout SampleRandom
  ) {
    var left = codes
    for _ in 0..<count {
      let code = left.remove(at: random.below(left.count))
      let moment = world.midnight(perCent: random.within(20...75))
      for storefront in world.storefronts.indices where world.storefronts[storefront].code == code {
        world.storefronts[storefront].weight = max(world.storefronts[storefront].weight, weight)
        for product in world.products.indices {
          // A currency of a single storefront gets no other changes.
          _ = world.claim(product, world.storefronts[storefront].currency.code)
          let isPlan = world.products[product].isSubscription
          world.prices.scale(
            product, storefront, from: moment, percent: percent,
            percent < 100 || !isPlan ? .everyone : .preserved, withOffers: true)
        }
      }
    }
  }
}
