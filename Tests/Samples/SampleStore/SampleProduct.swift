internal import CivilTime
internal import PurchaseModel

/// A product of the sample app.
///
/// A customer has only one plan of group 20611001 at a time; the weekly plan is in another group.
enum SampleProduct: Int, CaseIterable, Sendable {
  case proMonthly, proYearly, plusMonthly, newsWeekly, coinsSmall, coinsLarge, lifetime, season

  /// The product id, such as `pro.monthly`.
  var id: String {
    switch self {
    case .proMonthly: "pro.monthly"
    case .proYearly: "pro.yearly"
    case .plusMonthly: "plus.monthly"
    case .newsWeekly: "news.basic"
    case .coinsSmall: "coins.100"
    case .coinsLarge: "coins.1000"
    case .lifetime: "lifetime.unlock"
    case .season: "season.pass"
    }
  }

  var kind: ProductKind {
    switch self {
    case .proMonthly, .proYearly, .plusMonthly, .newsWeekly: .autoRenewableSubscription
    case .coinsSmall, .coinsLarge: .consumable
    case .lifetime: .nonConsumable
    case .season: .nonRenewingSubscription
    }
  }

  var isSubscription: Bool { kind == .autoRenewableSubscription }

  /// The subscription group; `nil` for products that do not renew.
  var group: String? {
    switch self {
    case .proMonthly, .proYearly, .plusMonthly: "20611001"
    case .newsWeekly: "20611002"
    default: nil
    }
  }

  /// One billing period, in ISO 8601.
  var periodText: String {
    switch self {
    case .proYearly: "P1Y"
    case .newsWeekly: "P1W"
    default: "P1M"
    }
  }

  var period: Period {
    switch self {
    case .proYearly: .sample("P1Y")
    case .newsWeekly: .sample("P1W")
    default: .sample("P1M")
    }
  }

  /// The list price before any price change, in thousandths of the main unit.
  func basePrice(_ currency: SampleCurrency) -> Int64 {
    let prices: [Int64] =
      switch self {
      //                     USD     EUR     GBP       JPY     KWD      PLN      BRL
      case .proMonthly: [9_990, 8_990, 7_990, 1_200_000, 2_990, 39_990, 34_900]
      case .proYearly: [59_990, 54_990, 49_990, 7_800_000, 17_990, 249_990, 199_900]
      case .plusMonthly: [4_990, 4_490, 3_990, 600_000, 1_490, 19_990, 17_900]
      case .newsWeekly: [1_990, 1_790, 1_490, 250_000, 590, 7_990, 6_900]
      case .coinsSmall: [990, 990, 890, 160_000, 290, 4_990, 4_900]
      case .coinsLarge: [7_990, 7_990, 6_990, 1_100_000, 2_490, 34_990, 29_900]
      case .lifetime: [79_990, 74_990, 69_990, 9_800_000, 24_990, 329_990, 279_900]
      case .season: [14_990, 13_990, 12_990, 1_900_000, 4_490, 59_990, 49_900]
      }
    return prices[currency.rawValue]
  }
}

/// The payment mode, the length and the price of an offer.
struct SampleOffer: Sendable {
  /// The id of a promotional offer, or the reference name of an offer code; empty for introductory
  /// offers.
  var identifier = ""
  /// The offer's name in the catalogue; receipts do not contain it.
  var name: String?
  /// The payment mode: free, a charge per period, or one charge for the whole length.
  var mode: PaymentMode
  /// The number of periods that the offer lasts.
  var periods = 1
  /// The length of one period, in ISO 8601.
  var periodText: String
  /// The price of one charge in thousandths; 0 for free offers.
  var price: Int64
}

extension SampleProduct {
  /// The introductory offer in a market, which never changes; `nil` for none.
  func introductoryOffer(in market: SampleMarket) -> SampleOffer? {
    switch (self, market) {
    case (.proMonthly, .usa), (.proMonthly, .gbr):
      SampleOffer(mode: .freeTrial, periodText: "P1W", price: 0)
    case (.proMonthly, .pol): SampleOffer(mode: .freeTrial, periodText: "P3D", price: 0)
    case (.proMonthly, .deu):
      SampleOffer(mode: .payAsYouGo, periods: 3, periodText: "P1M", price: 990)
    case (.proMonthly, .jpn):
      SampleOffer(mode: .payAsYouGo, periods: 3, periodText: "P1M", price: 120_000)
    case (.proMonthly, .bra):
      SampleOffer(mode: .payAsYouGo, periods: 2, periodText: "P1M", price: 9_900)
    case (.proMonthly, .fra): SampleOffer(mode: .payUpFront, periodText: "P3M", price: 4_990)
    case (.proMonthly, .kwt): SampleOffer(mode: .payUpFront, periodText: "P3M", price: 2_250)
    case (.proYearly, _): SampleOffer(mode: .freeTrial, periodText: "P2W", price: 0)
    case (.plusMonthly, .usa): SampleOffer(mode: .payUpFront, periodText: "P3M", price: 7_990)
    case (.newsWeekly, .usa): SampleOffer(mode: .freeTrial, periodText: "P3D", price: 0)
    case (.newsWeekly, .gbr):
      SampleOffer(mode: .payAsYouGo, periods: 4, periodText: "P1W", price: 490)
    default: nil
    }
  }

  /// The promotional offers that StoreKit lists in `discounts`, sorted by identifier.
  ///
  /// They are constant over time.
  func promotionalOffers(_ currency: SampleCurrency) -> [SampleOffer] {
    let price = basePrice(currency)
    func part(_ percent: Int64) -> Int64 { price * percent / 100 / currency.step * currency.step }
    switch self {
    case .proMonthly:
      return [
        SampleOffer(identifier: "freemonth", mode: .freeTrial, periodText: "P1M", price: 0),
        SampleOffer(
          identifier: "half3", mode: .payAsYouGo, periods: 3, periodText: "P1M", price: part(50)),
        SampleOffer(identifier: "win50", mode: .payUpFront, periodText: "P3M", price: part(150)),
      ]
    case .proYearly:
      return [
        SampleOffer(
          identifier: "winback_year", name: "Welcome back, a year for 60 %", mode: .payUpFront,
          periodText: "P1Y", price: part(60))
      ]
    case .newsWeekly:
      return [
        SampleOffer(
          identifier: "newshalf", mode: .payAsYouGo, periods: 4, periodText: "P1W",
          price: part(50))
      ]
    default: return []
    }
  }

  /// The offer codes, sorted by reference name; StoreKit does not list them.
  func offerCodes(_ currency: SampleCurrency) -> [SampleOffer] {
    let price = basePrice(currency)
    func part(_ percent: Int64) -> Int64 { price * percent / 100 / currency.step * currency.step }
    switch self {
    case .proMonthly:
      return [
        SampleOffer(
          identifier: "SPRING21", mode: .payAsYouGo, periods: 2, periodText: "P1M",
          price: part(80)),
        SampleOffer(identifier: "PODCAST", mode: .payUpFront, periodText: "P2M", price: part(90)),
      ]
    case .proYearly:
      return [SampleOffer(identifier: "GIFT YEAR", mode: .freeTrial, periodText: "P1Y", price: 0)]
    default: return []
    }
  }

  /// Returns Apple's id of the offer code to which the developer gave a reference name.
  static func codeID(_ referenceName: String) -> String {
    switch referenceName {
    case "SPRING21": "3f2b8a52-2f0e-4d8e-9a3c-5b1d7e90c411"
    case "PODCAST": "a86d1c1e-77b0-4a0f-8c55-0c4b8d1f6e02"
    default: "d1e7f9b4-6c3d-4f7a-b2a8-91e5c07d3a63"
    }
  }
}

extension Period {
  /// Parses a literal in ISO 8601, such as `P1M`.
  static func sample(_ text: String) -> Period {
    guard let period = Period(text: text) else { preconditionFailure("no period: \(text)") }
    return period
  }
}
