/// A country's App Store with the currency of the sample app's prices there.
///
/// In reality Apple charges US dollars in Kuwait, but the sample app sells in dinars. This is
/// intentional: dinars have three decimals, and a pipeline that trusts its table of storefronts
/// more than customers' reports must fail.
enum SampleMarket: Int, CaseIterable, Sendable {
  case usa, deu, fra, gbr, jpn, kwt, pol, bra

  /// ISO 3166-1 alpha-3, as in StoreKit.
  var storefront: String {
    switch self {
    case .usa: "USA"
    case .deu: "DEU"
    case .fra: "FRA"
    case .gbr: "GBR"
    case .jpn: "JPN"
    case .kwt: "KWT"
    case .pol: "POL"
    case .bra: "BRA"
    }
  }

  /// ISO 3166-1 alpha-2, as some apps write it.
  var alpha2: String {
    switch self {
    case .usa: "US"
    case .deu: "DE"
    case .fra: "FR"
    case .gbr: "GB"
    case .jpn: "JP"
    case .kwt: "KW"
    case .pol: "PL"
    case .bra: "BR"
    }
  }

  var currency: SampleCurrency {
    switch self {
    case .usa: .usd
    case .deu, .fra: .eur
    case .gbr: .gbp
    case .jpn: .jpy
    case .kwt: .kwd
    case .pol: .pln
    case .bra: .brl
    }
  }

  /// The percentages of customers who live in each market, in the order of the cases.
  static let weights = [44, 14, 8, 12, 9, 4, 4, 5]
}

enum SampleCurrency: Int, CaseIterable, Sendable {
  case usd, eur, gbp, jpy, kwd, pln, brl

  /// The ISO 4217 code of the currency.
  var code: String {
    switch self {
    case .usd: "USD"
    case .eur: "EUR"
    case .gbp: "GBP"
    case .jpy: "JPY"
    case .kwd: "KWD"
    case .pln: "PLN"
    case .brl: "BRL"
    }
  }

  /// The number of decimals in written prices.
  var decimals: Int {
    switch self {
    case .jpy: 0
    case .kwd: 3
    default: 2
    }
  }

  /// The smallest step of a price, in thousandths of the main unit.
  var step: Int64 {
    switch self {
    case .jpy: 1000
    case .kwd: 5
    default: 10
    }
  }
}
