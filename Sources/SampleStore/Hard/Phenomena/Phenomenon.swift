/// A way in which a store is hard: it changes the world, and what exports tell of each account.
///
/// Its sizes and shares are its properties. Whatever it draws comes from a stream of its own, so
/// that a store with another phenomenon besides has the same customers.
protocol Phenomenon: Sendable {
  /// Changes what Apple asks, what the owner writes down, and what customers do.
  mutating func shape(_ world: inout World, _ random: inout SampleRandom)

  /// Changes what phones and servers tell of an account whose life is over.
  func disturb(_ account: inout Account, in world: World, _ random: inout SampleRandom)
}

extension Phenomenon {
  /// Changes nothing: most phenomena only change the world.
  func disturb(_ account: inout Account, in world: World, _ random: inout SampleRandom) {}
}

extension HardPhenomenon {
  /// The phenomenon with its usual sizes.
  var usual: any Phenomenon {
    switch self {
    case .storefrontPrices: StorefrontPrices()
    case .movers: Movers()
    case .currencySwitch: CurrencySwitch()
    case .lateReports: LateReports()
    case .anonymous: Anonymous()
    case .appBug: AppBug()
    case .extensions: Extensions()
    case .consent: Consent()
    case .sales: Sales()
    case .adversarial: Adversarial()
    case .offers: OfferMixture()
    case .sparse: Sparse()
    }
  }

  /// The stream of what it draws for the world; bits 8 to 47 are left for accounts.
  var stream: UInt64 {
    1 << 48 | UInt64(HardPhenomenon.allCases.firstIndex(of: self) ?? 0)
  }
}
