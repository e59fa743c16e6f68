internal import CivilTime
internal import PurchaseModel

/// The owner gives away App Store promo codes: purchases with a code are free, but seem to be paid.
///
/// Each product except consumables has codes in two periods of forty days. In these periods, a code
/// is used in one of eight first purchases. Receipts do not show codes, and the app reports the
/// list price with the purchase. A subscription with a code does not renew.
///
/// The exports have no evidence. The catalogue has the days of the codes only if ``isListed`` is
/// true.
struct PromoCodes: Phenomenon {
  /// The number of purchases with a code, per thousand first purchases while codes exist.
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
