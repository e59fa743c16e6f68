/// One way in which real stores are harder than the friendly one.
///
/// Each is a file in `Phenomena`, which describes the events in the world and their traces in the
/// exports. They combine: `movers,late-reports` is a store with both.
public enum HardPhenomenon: String, CaseIterable, Sendable {
  /// Storefronts of one currency ask different prices.
  case storefrontPrices = "storefront-prices"
  /// Customers move to another country while a subscription runs.
  case movers
  /// A storefront changes its currency on a day that no table knows.
  case currencySwitch = "currency-switch"
  /// Reports wait for weeks, clocks are wrong, and reports arrive twice.
  case lateReports = "late-reports"
  /// Customers without ids, with changing ids, and with one id for many.
  case anonymous
  /// A version of the app reports wrongly for two weeks.
  case appBug = "app-bug"
  /// Renewal dates are extended, cards are declined, and old rows are cut off.
  case extensions
  /// Prices rise twice in a year: with consent, with notice, and for new subscribers only.
  case consent
  /// Prices fall for a fortnight and come back.
  case sales
  /// A fifth of the phones report half the price.
  case adversarial
  /// Offers of all kinds, one after another.
  case offers
  /// One customer in twenty ever reports a price.
  case sparse

  /// Reads a list such as `movers,late-reports`; `nil` for an unknown name.
  ///
  /// `none` is the hard world without phenomena. `all` is everything but `sparse`, which would take
  /// the evidence away from the others; `all,sparse` has that too.
  public static func list(_ text: String) -> [HardPhenomenon]? {
    var found: Set<HardPhenomenon> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      switch name {
      case "none": continue
      case "all": found.formUnion(allCases.filter { $0 != .sparse })
      default:
        guard let phenomenon = HardPhenomenon(rawValue: String(name)) else { return nil }
        found.insert(phenomenon)
      }
    }
    return allCases.filter(found.contains)
  }
}
