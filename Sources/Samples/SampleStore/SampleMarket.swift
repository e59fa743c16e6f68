/// A country's App Store with the currency in which the sample app sells there.
///
/// Apple really charges US dollars in Kuwait; the sample sells in dinars there on purpose, because
/// KWD has three decimals, and because a reader that trusts a table of storefronts more than its
/// customers' reports must fail on it.
enum SampleMarket: Int, CaseIterable, Sendable {
  case usa, deu, fra, gbr, jpn, kwt, pol, bra

  /// ISO 3166-1 alpha-3, as StoreKit names a storefront.
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

  /// ISO 3166-1 alpha-2, as some clients write it.
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

  /// The currency of every price.
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

  /// The number of customers in a hundred who live there.
  static let weights = [44, 14, 8, 12, 9, 4, 4, 5]
}

/// A currency of the sample store.
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

  /// The decimals people write.
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
