internal import CivilTime
internal import PurchaseModel

/// The owner gives away App Store promo codes: purchases with a code are free, but seem to be paid.
///
/// In two periods of some weeks there are codes. One new subscriber in eight, and one buyer of a
/// one-time product in eight, redeems a code. The receipt does not show the code, the app reports
/// the list price with the purchase, and the subscription does not renew.
///
/// The exports have no evidence. The catalogue has the days of the codes only if ``isListed`` is
/// true.
struct PromoCodes: Phenomenon {
  /// The number of free purchases, per thousand first purchases in these weeks.
  var share = 125
  /// The length of each of the two periods, in days.
  var days = 40
  /// Whether the catalogue has the days of the codes.
  var isListed = true

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
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
