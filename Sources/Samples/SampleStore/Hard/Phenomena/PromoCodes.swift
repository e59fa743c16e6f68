internal import CivilTime
internal import PurchaseModel

/// The owner gives away App Store promo codes: purchases with a code are free, but look paid.
///
/// Twice in the life of the store there are codes for some weeks. One new subscriber in eight, and
/// one buyer of a one-time product in eight, redeems one. The receipt does not show the code, the
/// app reports the list price with it, and the subscription does not renew.
///
/// The exports have no evidence. The catalogue has the days of the codes, or lacks them.
struct PromoCodes: Phenomenon {
  /// The number in a thousand of first purchases in these weeks that are free.
  var share = 125
  /// The length of each campaign, in days.
  var days = 40
  /// Whether the catalogue has the days.
  var isListed = true

  func shape(_ world: inout World, _ random: inout SampleRandom) {
    world.habits.promoCodes = share
    world.arePromoCodesListed = isListed
    for product in world.products.indices where world.products[product].kind != .consumable {
      for _ in 0..<2 {
        let from = world.midnight(perCent: random.within(5...85))
        world.promoCodes.append(
          PromoCodeTime(
            product: product, from: from, to: from + Int64(days) * BillingClock.day))
      }
    }
  }
}
