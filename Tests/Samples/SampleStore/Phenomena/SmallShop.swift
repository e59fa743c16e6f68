/// The store has forty customers in twenty-five countries.
///
/// There is little evidence everywhere: one or two customers per storefront, and few products with
/// reports of other customers.
struct SmallShop: Phenomenon {
  /// The largest number of customers; the options may set a smaller number.
  static let customers = 40
  /// The number of storefronts with customers; all have the same weight.
  var countries = 25

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    var left = Array(world.storefronts.indices)
    for _ in 0..<left.count - countries {
      world.storefronts[left.remove(at: random.below(left.count))].weight = 0
    }
    for storefront in left { world.storefronts[storefront].weight = 1 }
  }
}
