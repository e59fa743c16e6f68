internal import CivilTime
internal import PurchaseModel

/// A product of the sample app; the raw value is its position in ``World/products``.
///
/// A customer has only one plan of group 20611001 at a time; the weekly plan is in another group.
enum SampleProduct: Int, CaseIterable {
  case proMonthly, proYearly, plusMonthly, newsWeekly, coinsSmall, coinsLarge, lifetime, season
}

/// A storefront of the sample app; the raw value is its position in ``World/storefronts``.
enum SampleMarket: Int, CaseIterable {
  case usa, deu, fra, gbr, jpn, kwt, pol, bra
}

extension World {
  /// Creates the world of the sample app, which is the same for every seed.
  ///
  /// Some prices change once, at a percentage of the store's days.
  static func sample(seed: UInt64, firstDay: CivilDay, days: Int) -> World {
    let storefronts = WorldStorefront.sample
    let products = WorldProduct.sample
    var world = World(
      seed: seed, firstDay: firstDay, days: days, storefronts, products,
      PriceLists(sampleTable, storefronts), .sample(products))
    world.change(.proMonthly, "USD", perCent: 35, to: 12_990, .preserved)
    world.change(.proMonthly, "EUR", perCent: 45, to: 10_990, .moved)
    world.change(.plusMonthly, "USD", perCent: 50, to: 5_990, .consent)
    world.change(.newsWeekly, "GBP", perCent: 60, to: 1_190, .everyone)
    world.change(.proYearly, "JPY", perCent: 40, to: 6_800_000, .everyone)
    world.change(.coinsLarge, "USD", perCent: 55, to: 8_990, .everyone)
    world.listedPrices[SampleProduct.season.rawValue] = ["USD", "EUR", "GBP", "PLN"].map {
      .named($0)
    }
    world.listedPrices[SampleProduct.lifetime.rawValue] = ["PLN", "BRL"].map { .named($0) }
    world.catalogueHead = sampleHead
    world.catalogueEnd = world.proceedsText
    world.quotes = RateQuote.sample
    world.habits.restores = 250
    world.habits.reversedRefunds = 100
    world.habits.upgradeIsCancelled = 300
    return world
  }

  /// The catalogue has only rises of plans that need no consent.
  private mutating func change(
    _ product: SampleProduct, _ currency: String, perCent: Int, to price: Int64,
    _ effect: PriceStep.Effect
  ) {
    for storefront in storefronts(in: currency) {
      prices.set(
        product.rawValue, storefront, from: midnight(perCent: perCent), to: price, effect,
        isCatalogued: effect == .preserved || effect == .moved)
    }
  }

  /// The list prices before any change, in thousandths of the main unit.
  private static let sampleTable: [[WorldCurrency: Int64]] = [
    // USD  EUR    GBP       JPY    KWD     PLN     BRL
    [9_990, 8_990, 7_990, 1_200_000, 2_990, 39_990, 34_900],
    [59_990, 54_990, 49_990, 7_800_000, 17_990, 249_990, 199_900],
    [4_990, 4_490, 3_990, 600_000, 1_490, 19_990, 17_900],
    [1_990, 1_790, 1_490, 250_000, 590, 7_990, 6_900],
    [990, 990, 890, 160_000, 290, 4_990, 4_900],
    [7_990, 7_990, 6_990, 1_100_000, 2_490, 34_990, 29_900],
    [79_990, 74_990, 69_990, 9_800_000, 24_990, 329_990, 279_900],
    [14_990, 13_990, 12_990, 1_900_000, 4_490, 59_990, 49_900],
  ].map { (prices: [Int64]) in
    let codes = ["USD", "EUR", "GBP", "JPY", "KWD", "PLN", "BRL"]
    return Dictionary(uniqueKeysWithValues: zip(codes.map { .named($0) }, prices))
  }

  private static let sampleHead = """
    # What App Store Connect knows about the sample app and a receipt does not.
    # The rise of plus.monthly, the cuts of news.basic and pro.yearly, and the offer code
    # "PODCAST" are missing on purpose: they must be found in the data, or stay unknown.

    """

  /// The catalogue's rates of commission and tax, for estimates of proceeds.
  ///
  /// Apple's Small Business Program applies from the middle of the store's time on.
  private var proceedsText: String {
    let middle = Instant(milliseconds: start).day.advanced(by: Int64(days / 2))
    return """
      # What Apple keeps and what tax is in the price: for estimates of proceeds.
      proceeds:
        small_business:
          - {from: \(middle.text)}
        taxes:
          - {from: 2008-07-10, percent: 0, included: false}
          - {storefront: DEU, from: 2007-01-01, percent: 19, included: true}
          - {storefront: FRA, from: 2014-01-01, percent: 20, included: true}
          - {storefront: GBR, from: 2011-01-04, percent: 20, included: true}
          - {storefront: JPN, from: 2019-10-01, percent: 10, included: true}
          - {storefront: POL, from: 2011-01-01, percent: 23, included: true}

      """
  }
}

extension WorldStorefront {
  /// The storefronts of the sample app, in the order of ``SampleMarket``.
  ///
  /// In reality Apple charges US dollars in Kuwait, but the sample app sells in dinars. This is
  /// intentional: dinars have three decimals, and a pipeline that trusts its table of storefronts
  /// more than customers' reports must fail.
  fileprivate static let sample: [WorldStorefront] = [
    ("USA", "US", "USD", 44), ("DEU", "DE", "EUR", 14), ("FRA", "FR", "EUR", 8),
    ("GBR", "GB", "GBP", 12), ("JPN", "JP", "JPY", 9), ("KWT", "KW", "KWD", 4),
    ("POL", "PL", "PLN", 4), ("BRA", "BR", "BRL", 5),
  ].map { WorldStorefront(code: $0, alpha2: $1, currency: .named($2), weight: $3) }
}

extension WorldProduct {
  /// The products of the sample app, in the order of ``SampleProduct``.
  fileprivate static let sample: [WorldProduct] = {
    func plan(_ id: String, _ group: String, _ level: Int, _ period: String, _ weight: Int)
      -> WorldProduct
    {
      WorldProduct(
        id: id, kind: .autoRenewableSubscription, group: group, level: level, periodText: period,
        dollars: 0, weight: weight)
    }
    return [
      plan("pro.monthly", "20611001", 1, "P1M", 45), plan("pro.yearly", "20611001", 0, "P1Y", 16),
      plan("plus.monthly", "20611001", 2, "P1M", 18), plan("news.basic", "20611002", 0, "P1W", 21),
      WorldProduct(id: "coins.100", kind: .consumable, dollars: 0, weight: 65),
      WorldProduct(id: "coins.1000", kind: .consumable, dollars: 0, weight: 35),
      WorldProduct(id: "lifetime.unlock", kind: .nonConsumable, dollars: 0, weight: 55),
      WorldProduct(id: "season.pass", kind: .nonRenewingSubscription, dollars: 0, weight: 45),
    ]
  }()
}

extension AppOffers {
  /// The offers of the sample app, which never change.
  fileprivate static func sample(_ products: [WorldProduct]) -> AppOffers {
    let pro = products[SampleProduct.proMonthly.rawValue]
    let news = products[SampleProduct.newsWeekly.rawValue]
    var promotional = [[WorldOffer]](repeating: [], count: products.count)
    promotional[SampleProduct.proMonthly.rawValue] = [
      .free("P1M", "freemonth"), .reduced(pro, times: 3, percent: 50, "half3"),
      .upFront("P3M", percent: 150, "win50"),
    ]
    promotional[SampleProduct.proYearly.rawValue] = [
      .upFront("P1Y", percent: 60, "winback_year")
    ]
    promotional[SampleProduct.proYearly.rawValue][0].name = "Welcome back, a year for 60 %"
    promotional[SampleProduct.newsWeekly.rawValue] = [
      .reduced(news, times: 4, percent: 50, "newshalf")
    ]
    var codes = [[WorldOffer]](repeating: [], count: products.count)
    codes[SampleProduct.proMonthly.rawValue] = [
      .reduced(pro, times: 2, percent: 80, "SPRING21"), .upFront("P2M", percent: 90, "PODCAST"),
    ]
    codes[SampleProduct.proYearly.rawValue] = [.free("P1Y", "GIFT YEAR")]
    return AppOffers(
      introductory: SampleProduct.allCases.map { product in
        SampleMarket.allCases.map { introduction(product, $0, pro, news) }
      },
      promotional: promotional, codes: codes, catalogued: ["SPRING21", "winback_year"],
      storefronts: SampleMarket.allCases.count)
  }

  private static func introduction(
    _ product: SampleProduct, _ market: SampleMarket, _ pro: WorldProduct, _ news: WorldProduct
  ) -> WorldOffer? {
    switch (product, market) {
    case (.proMonthly, .usa), (.proMonthly, .gbr): .free("P1W")
    case (.proMonthly, .pol): .free("P3D")
    case (.proMonthly, .deu), (.proMonthly, .jpn): .reduced(pro, times: 3, percent: 10)
    case (.proMonthly, .bra): .reduced(pro, times: 2, percent: 30)
    case (.proMonthly, .fra): .upFront("P3M", percent: 55)
    case (.proMonthly, .kwt): .upFront("P3M", percent: 75)
    case (.proYearly, _): .free("P2W")
    case (.plusMonthly, .usa): .upFront("P3M", percent: 160)
    case (.newsWeekly, .usa): .free("P3D")
    case (.newsWeekly, .gbr): .reduced(news, times: 4, percent: 30)
    default: nil
    }
  }
}
