/// The price changes of every difficult store: a few changes on different days.
///
/// The catalogue has the rises of plans, with their effect on existing subscribers. It lacks cuts
/// and the changes of one-time products, because they apply to all customers. Reports show the
/// prices before and after each change, so every change can be explained.
struct UsualChanges: Phenomenon {
  /// The currencies in which a random plan becomes more expensive, with the effect on subscribers.
  var rises: [(currency: String, effect: PriceStep.Effect)] = [
    ("USD", .preserved), ("EUR", .moved), ("GBP", .preserved), ("JPY", .moved),
  ]
  /// The currencies in which a random plan becomes cheaper.
  var cuts = ["EUR", "GBP", "CAD"]
  /// The currencies in which a random one-time product becomes more expensive.
  var coins = ["USD", "EUR"]

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    for (currency, effect) in rises {
      guard let plan = free(world.plans, currency, &world, &random) else { continue }
      world.change(
        plan, currency, from: world.midnight(perCent: random.within(25...75)),
        percent: Int64(random.within(115...145)), effect, isCatalogued: true)
    }
    for currency in cuts {
      guard let plan = free(world.plans, currency, &world, &random) else { continue }
      world.change(
        plan, currency, from: world.midnight(perCent: random.within(25...75)),
        percent: Int64(random.within(65...88)), .everyone, isCatalogued: false)
    }
    let things = world.products.indices.filter { !world.products[$0].isSubscription }
    for currency in coins {
      guard let thing = free(things, currency, &world, &random) else { continue }
      world.change(
        thing, currency, from: world.midnight(perCent: random.within(25...75)),
        percent: Int64(random.within(112...135)), .everyone, isCatalogued: false)
    }
  }

  /// Reserves a random product in a currency for a price change, and returns the product.
  ///
  /// Draws up to eight products; `nil` if all of them are already reserved.
  private func free(
    _ products: [Int], _ currency: String, _ world: inout World, _ random: inout SampleRandom
  ) -> Int? {
    for _ in 0..<8 {
      let product = products[random.below(products.count)]
      if world.claim(product, currency) { return product }
    }
    return nil
  }
}
