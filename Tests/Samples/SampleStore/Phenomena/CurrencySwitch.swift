internal import CivilTime

/// A storefront changes its currency on a day that the catalogue lacks.
///
/// From midnight of that day all products are sold in the new currency. Running subscriptions renew
/// at the list price in the new currency, even if they had a preserved price before. Some phones
/// show the old prices for a while, from a cache.
///
/// The evidence is other customers' reports from the storefront before and after the day.
struct CurrencySwitch: Phenomenon {
  /// The storefronts that may change, with their new currencies.
  var candidates = [
    ("POL", "EUR"), ("CZE", "EUR"), ("HUN", "EUR"), ("ROU", "EUR"), ("TUR", "USD"),
    ("BRA", "USD"), ("ARG", "ARS"), ("UKR", "UAH"), ("KWT", "KWD"), ("SWE", "EUR"),
  ]
  /// The number of storefronts that change their currency.
  var count = 4
  /// The weight of each changing storefront among all storefronts; the United States has 300.
  var weight = 70
  /// The number of reports with the old prices, per thousand reports in the ``staleDays`` days
  /// after the change.
  var stale = 200
  /// The number of days after the change in which phones may show the old prices.
  var staleDays = 30
  private var switches: [(storefront: Int, at: Int64)] = []

  mutating func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    var left = candidates
    for _ in 0..<min(count, left.count) {
      let (code, currency) = left.remove(at: random.below(left.count))
      let day = random.within(world.days * 25 / 100...world.days * 75 / 100)
      change(code, to: currency, at: world.start + Int64(day) * BillingClock.day, &world)
    }
  }

  private mutating func change(
    _ code: String, to currency: String, at moment: Int64, _ world: inout World
  ) {
    guard let storefront = world.storefronts.firstIndex(where: { $0.code == code }) else { return }
    world.storefronts[storefront].weight = weight
    // Prices follow the largest storefront that already has the currency.
    let model = world.storefronts(in: currency).first
    for product in world.products.indices {
      world.prices.switchCurrency(
        product, storefront, at: moment, to: .named(currency), following: model)
    }
    switches.append((storefront, moment))
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    for index in account.prices.indices {
      let report = account.prices[index]
      for (storefront, moment) in switches where report.storefront == storefront {
        let age = (report.shownAt - moment) / BillingClock.day
        guard report.shownAt >= moment, age < Int64(staleDays),
          random.happens(perMille: stale)
        else { continue }
        account.prices[index].displayed = world.displayed(
          report.product, storefront, at: moment - 1)
      }
    }
  }
}
