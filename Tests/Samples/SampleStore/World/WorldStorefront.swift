/// A country's App Store.
struct WorldStorefront: Sendable {
  /// The ISO 3166-1 alpha-3 code, as in StoreKit.
  let code: String
  /// The ISO 3166-1 alpha-2 code, as some apps write it.
  let alpha2: String
  /// The currency at the beginning of the store.
  let currency: WorldCurrency
  /// The weight of the storefront: customers are distributed in proportion to the weights.
  var weight: Int

  /// All storefronts: five with US dollars, eleven with euros, and fifteen with a currency of their
  /// own.
  static let all: [WorldStorefront] = {
    let table: [(String, String, String, Int)] = [
      ("USA", "US", "USD", 300), ("UKR", "UA", "USD", 10), ("ARG", "AR", "USD", 10),
      ("KWT", "KW", "USD", 6), ("ECU", "EC", "USD", 6),
      ("DEU", "DE", "EUR", 110), ("FRA", "FR", "EUR", 70), ("ITA", "IT", "EUR", 45),
      ("ESP", "ES", "EUR", 45), ("NLD", "NL", "EUR", 35), ("AUT", "AT", "EUR", 18),
      ("BEL", "BE", "EUR", 16), ("FIN", "FI", "EUR", 14), ("IRL", "IE", "EUR", 12),
      ("PRT", "PT", "EUR", 12), ("GRC", "GR", "EUR", 8),
      ("GBR", "GB", "GBP", 90), ("JPN", "JP", "JPY", 60), ("CAN", "CA", "CAD", 45),
      ("AUS", "AU", "AUD", 40), ("BRA", "BR", "BRL", 30), ("POL", "PL", "PLN", 25),
      ("MEX", "MX", "MXN", 20), ("KOR", "KR", "KRW", 20), ("TUR", "TR", "TRY", 20),
      ("IND", "IN", "INR", 20), ("SWE", "SE", "SEK", 15), ("CHE", "CH", "CHF", 15),
      ("CZE", "CZ", "CZK", 8), ("ROU", "RO", "RON", 8), ("HUN", "HU", "HUF", 8),
    ]
    return table.map {
      WorldStorefront(code: $0, alpha2: $1, currency: .named($2), weight: $3)
    }
  }()
}
