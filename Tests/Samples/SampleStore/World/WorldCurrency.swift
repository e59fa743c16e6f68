internal import Amounts

/// A currency of a store: its exchange rate and its price points.
struct WorldCurrency: Hashable, Sendable {
  /// The ISO 4217 code of the currency.
  let code: String
  /// The number of decimals in written prices.
  let decimals: Int
  /// The value of one euro in millionths of this currency: 1.08 dollars → 1,080,000.
  let perEuro: Int64

  /// The price point nearest to an amount: `9.99` for 9.70, `1500` yen for 1489.
  func price(near milliunits: Int64) -> Int64 {
    let step = gridStep(near: milliunits)
    let steps = max(1, (milliunits + step / 2 + shortfall) / step)
    return steps * step - shortfall
  }

  /// The next higher or lower price point.
  ///
  /// The lowest price point has no lower neighbor; the result is then the price itself.
  func neighbor(of price: Int64, isHigher: Bool) -> Int64 {
    let step = gridStep(near: price)
    let next = isHigher ? price + step : price - step
    return next > 0 ? next : price
  }

  /// Converts an amount from another currency, without rounding to a price point.
  func converted(_ milliunits: Int64, from other: WorldCurrency) -> Int64 {
    let whole = milliunits.multipliedFullWidth(by: perEuro)
    return Int64(other.perEuro.dividingFullWidth(whole).quotient)
  }

  /// A price as it is written in this currency: 9990 thousandths → `9.99`.
  func text(_ milliunits: Int64) -> String {
    Milliunits(milliunits).text(decimals: decimals)
  }

  /// The distance between the price points near an amount, in thousandths.
  private func gridStep(near milliunits: Int64) -> Int64 {
    switch (decimals, milliunits) {
    case (0, ..<1_000_000): 50_000
    case (0, _): 100_000
    case (3, _): 250
    case (_, ..<900): 500
    case (_, ..<200_000): 1000
    default: 10_000
    }
  }

  /// The distance of a price point below a round amount, in thousandths: 10 for `9.99`.
  ///
  /// 0 for a currency without decimals.
  private var shortfall: Int64 {
    switch decimals {
    case 0: 0
    default: 10
    }
  }

  static func named(_ code: String) -> WorldCurrency {
    guard let currency = table[code] else { preconditionFailure("no currency: \(code)") }
    return currency
  }

  /// All currencies, in order of their codes.
  static let all = table.values.sorted { $0.code < $1.code }

  private static let table: [String: WorldCurrency] = {
    let rates: [(String, Int, Int64)] = [
      ("ARS", 2, 960_000_000), ("AUD", 2, 1_640_000), ("BRL", 2, 5_900_000),
      ("CAD", 2, 1_470_000), ("CHF", 2, 960_000), ("CZK", 2, 25_100_000), ("EUR", 2, 1_000_000),
      ("GBP", 2, 860_000), ("HRK", 2, 7_534_500), ("HUF", 2, 392_000_000),
      ("INR", 2, 90_500_000), ("JPY", 0, 160_000_000), ("KRW", 0, 1_460_000_000),
      ("KWD", 3, 332_000), ("MXN", 2, 18_500_000), ("PLN", 2, 4_320_000), ("RON", 2, 4_970_000),
      ("SEK", 2, 11_400_000), ("TRY", 2, 35_000_000), ("UAH", 2, 43_500_000),
      ("USD", 2, 1_080_000),
    ]
    return Dictionary(
      uniqueKeysWithValues: rates.map {
        ($0, WorldCurrency(code: $0, decimals: $1, perEuro: $2))
      })
  }()
}
