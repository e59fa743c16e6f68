internal import CivilTime

/// An app parses prices from StoreKit's displayed text, and loses the comma.
///
/// Where a price is written `10,99`, the app's pattern finds 1099. From its release on two fifths
/// of the phones of such countries have the version, for good: whole currencies send a hundredfold
/// prices, offers included, while phones in English-speaking storefronts of the same currency, and
/// old versions, send right ones.
///
/// The evidence is the other three fifths, the prices before the release, and the prices of the
/// same products in other currencies.
struct CommaPrices: Phenomenon {
  /// Storefronts whose language writes a comma.
  var storefronts: Set<String> = [
    "DEU", "FRA", "ITA", "ESP", "NLD", "AUT", "BEL", "FIN", "PRT", "GRC", "BRA", "POL", "TUR",
    "SWE", "CZE", "ROU", "HUN", "ARG", "ECU", "UKR",
  ]
  /// The number in a thousand of phones there that have the version.
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
