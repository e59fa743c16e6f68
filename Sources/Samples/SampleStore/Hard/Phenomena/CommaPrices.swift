internal import CivilTime

/// An app parses prices from the text that StoreKit displays, and drops the comma.
///
/// Where a price is written `10,99`, the app's pattern finds 1099. From one release on, two fifths
/// of the phones in countries with a decimal comma have this version until the end. For currencies
/// with two decimals they send a hundred times the price, also for offers. Phones in
/// English-speaking storefronts of the same currency and old versions send right prices.
///
/// The other three fifths of the phones, the prices before the release, and the prices of the same
/// products in other currencies are the evidence.
struct CommaPrices: Phenomenon {
  /// The storefronts whose language writes a decimal comma.
  var storefronts: Set<String> = [
    "DEU", "FRA", "ITA", "ESP", "NLD", "AUT", "BEL", "FIN", "PRT", "GRC", "BRA", "POL", "TUR",
    "SWE", "CZE", "ROU", "HUN", "ARG", "ECU", "UKR",
  ]
  /// The number of phones in these storefronts, per thousand of them, that have the version.
  var share = 400
  private var from: Int64 = 0

  mutating func shape(_ world: inout World, _ random: inout SampleRandom) {
    from = world.midnight(perCent: random.within(20...50))
  }

  func disturb(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: share) else { return }
    for index in account.prices.indices {
      let report = account.prices[index]
      guard report.shownAt >= from, report.shelf.currency.decimals == 2,
        storefronts.contains(world.storefronts[report.storefront].code)
      else { continue }
      account.prices[index].shelf.multiply(by: 100)
    }
  }
}
