/// A difficulty of a store: it changes the world and the exported data of each account.
///
/// Rates, such as customers per thousand, are properties of the phenomenon. Each phenomenon has its
/// own stream of random numbers, so the numbers of one phenomenon do not depend on other phenomena.
protocol Phenomenon: Sendable {
  /// Changes Apple's prices, the owner's catalogue, and the customers' behavior.
  mutating func changeWorld(_ world: inout World, _ random: inout SampleRandom)

  /// Changes the data that phones and servers sent about an account.
  ///
  /// The account is already simulated, until the end of the store's time.
  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom)
}

extension Phenomenon {
  /// Changes nothing: the default for phenomena that change only the world.
  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {}
}

extension HardPhenomenon {
  /// The phenomenon with its default numbers.
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
    case .severalApps: SeveralApps()
    case .sharedDevices: TwoAccounts()
    case .sdkIntroductory: LyingSDK(fault: .regularAsIntroductory)
    case .sdkDollars: LyingSDK(fault: .dollars)
    case .sdkFloats: LyingSDK(fault: .floats)
    case .sdkMonths: LyingSDK(fault: .months)
    case .sdkQuantities: LyingSDK(fault: .quantities)
    case .promoCodes: PromoCodes()
    case .priceTests: PriceTests()
    case .taxChanges: TaxChanges()
    case .currencyReform: CurrencyReform()
    case .lostWeeks: LostWeeks()
    case .askToBuy: AskToBuy()
    case .oddDates: OddDates()
    case .upgradeRefunds: UpgradeRefunds()
    case .smallShop: SmallShop()
    case .replayedPurchases: ReplayedPurchases()
    case .commaPrices: CommaPrices()
    case .accountSwitch: AccountSwitch()
    case .promoCodesUnlisted: PromoCodes(isListed: false)
    case .currencyReformUnlisted: CurrencyReform(isListed: false)
    case .commitment: Commitments()
    case .upsertReports: UpsertReports()
    case .parseFloat: CutPrices()
    case .otherStore: OtherStore()
    case .testFiles: TestFiles()
    case .renamedProducts: RenamedProducts()
    case .decoded: DecodedTransactions()
    case .charges: ChargeTable()
    case .webhooks: ServiceWebhooks()
    case .ipCountry: AddressCountry()
    case .zeroOffers: ZeroOffers()
    case .regionalPricing: RegionalPricing()
    case .restoreStorm: RestoreStorm()
    case .askToBuyUndated: AskToBuy(isUndated: true)
    case .sharedMoments: TwoAccounts(isRecordWrong: true)
    case .originalIDs: OriginalIDs()
    case .roundedPrices: RoundedPrices()
    case .paywallPrices: PaywallPrices()
    case .silent: Sparse(phones: 0)
    }
  }

  /// The number of the random stream with which the phenomenon changes the world.
  ///
  /// Bits 8 to 47 are 0. A stream for changes of an account has the account's number plus 1 in
  /// these bits. `promo-codes-unlisted` has the stream of `promo-codes`, so that stores with either
  /// phenomenon have equal codes. `currency-reform-unlisted` has the stream of `currency-reform`.
  var stream: UInt64 {
    let drawn: HardPhenomenon =
      switch self {
      case .promoCodesUnlisted: .promoCodes
      case .currencyReformUnlisted: .currencyReform
      default: self
      }
    return 1 << 48 | UInt64(HardPhenomenon.allCases.firstIndex(of: drawn) ?? 0)
  }
}
