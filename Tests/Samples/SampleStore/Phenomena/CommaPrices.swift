internal import CivilTime

/// An app parses prices from the text that StoreKit displays, and drops the comma.
///
/// From a price that is written `10,99`, the app reads 1099. From one release until the end of the
/// store, two fifths of the phones in countries with a decimal comma have this version. In
/// currencies with two decimals, these phones send a hundred times the price, for offers too. All
/// other phones send right prices, for example phones in Ireland, which has no decimal comma.
///
/// The evidence is the reports of the other three fifths of the phones, the prices before the
/// release, and the prices of the same products in other currencies.
struct CommaPrices: Phenomenon {
  /// The storefronts with a language that writes a decimal comma.
  var storefronts: Set<String> = [
    "DEU", "FRA", "ITA", "ESP", "NLD", "AUT", "BEL", "FIN", "PRT", "GRC", "BRA", "POL", "TUR",
    "SWE", "CZE", "ROU", "HUN", "ARG", "ECU", "UKR",
  ]
  /// The number of phones that drop the comma, per thousand phones in ``storefronts``.
  var share = 400
  private var from: Int64 = 0

  mutating func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    from = world.midnight(perCent: random.within(20...50))
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: share) else { return }
    for index in account.prices.indices {
      let report = account.prices[index]
      guard report.shownAt >= from, report.displayed.currency.decimals == 2,
        storefronts.contains(world.storefronts[report.storefront].code)
      else { continue }
      account.prices[index].displayed.multiply(by: 100)
    }
  }
}
