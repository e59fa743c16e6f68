internal import CivilTime

/// An app cuts prices at their first comma: it reads the text that StoreKit displays with a parser
/// that knows only the decimal point.
///
/// From `12,99 €` it reads 12, and from `¥1,550` it reads 1, because there the comma groups
/// thousands. Two fifths of the phones have this version for 140 days. Prices with a decimal point
/// are right. Some prices fall, without a line in the catalogue.
///
/// The evidence is the other phones, and the days before and after.
struct CutPrices: Phenomenon {
  /// The storefronts with a language that writes a decimal comma.
  var storefronts = CommaPrices().storefronts
  /// The number of phones per thousand with this version.
  var share = 400
  /// The number of days for which the version is in use.
  var days = 140
  private var from: Int64 = 0

  mutating func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    from = world.midnight(perCent: random.within(20...60))
    world.changePlans(
      in: ["EUR", "JPY", "EUR", "BRL"], within: 20...75, percent: 70...92, .everyone,
      isCatalogued: false, &random)
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: share) else { return }
    let until = from + Int64(days) * BillingClock.day
    for index in account.prices.indices {
      let report = account.prices[index]
      guard from <= report.shownAt, report.shownAt < until else { continue }
      let hasComma =
        report.displayed.currency.decimals > 0
        && storefronts.contains(world.storefronts[report.storefront].code)
      account.prices[index].displayed.map { price in
        if price < 1_000_000 { return hasComma ? price / 1000 * 1000 : price }
        return price / 1_000_000 * 1000  // the comma, point or space before the last three digits
      }
    }
  }
}
