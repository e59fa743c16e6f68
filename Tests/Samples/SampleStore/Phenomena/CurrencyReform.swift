internal import CivilTime

/// A currency drops two zeros and keeps its code.
///
/// On a day in the middle of the store's time, every price of a storefront is divided by a hundred.
/// Subscriptions renew at the new list prices. Reports in the new currency look like reports of an
/// app version that sends another unit.
///
/// The evidence is a line in the owner's catalogue. Without this line, nothing explains why all
/// phones report the new prices.
struct CurrencyReform: Phenomenon {
  /// The currency that drops zeros.
  var currency = "HUF"
  /// The weight of the currency's storefront when customers are distributed; the USA has 300.
  var weight = 60
  /// The number of old units that one new unit is worth.
  var factor: Int64 = 100
  /// Whether the catalogue has a line with the day of the reform.
  var isListed = true

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    let moment = world.midnight(perCent: random.within(35...65))
    if isListed {
      world.rebasedLines.append(
        "{currency: \(currency), from: \(Instant(milliseconds: moment).day.text), "
          + "factor: \(factor)}")
    }
    for storefront in world.storefronts(in: currency) {
      world.storefronts[storefront].weight = weight
      for product in world.products.indices {
        _ = world.claim(product, currency)
        world.prices.rebase(product, storefront, from: moment, dividedBy: factor)
      }
    }
  }
}
