internal import CivilTime
internal import PurchaseModel

/// The owner gives App Store promo codes away: what they pay for looks bought, and was free.
///
/// Twice in the life of the store there are codes for some weeks. One new subscriber in eight, and
/// one buyer of a one-time product in eight, redeems one. The row of the receipt carries no mark,
/// the app reports the list price with it, and the subscription does not renew.
///
/// The exports hold no evidence. The owner's catalogue has the days of the codes, or not.
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
