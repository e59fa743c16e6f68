internal import CivilTime

extension World {
  /// Invents exchange rates in the form of the European Central Bank's history file.
  ///
  /// There is one line for each working day from a week before the first purchase, newest first.
  func ratesText() -> String {
    var text = "Date," + quotes.map(\.code).joined(separator: ",") + ",\n"
    let middle = Instant(milliseconds: start).day.advanced(by: Int64(days / 2) - 7)
    let first = Instant(milliseconds: earliestPurchase).day.advanced(by: -7)
    var day = Instant(milliseconds: end).day
    while day > first {
      day = day.advanced(by: -1)
      guard day.weekday <= 5 else { continue }
      text += day.text
      for quote in quotes {
        text += "," + (quote.endsHalfway && day >= middle ? "N/A" : quote.text(on: day))
      }
      text += ",\n"
    }
    return text
  }
}

/// An invented exchange rate: constant, or slowly rising and falling by two percent.
struct RateQuote: Sendable {
  /// The currency's ISO 4217 code.
  var code: String
  /// The middle of the rate, in units of its last decimal: 11950 with 4 decimals is 1.1950.
  var middle: Int64
  var decimals: Int
  /// The length of a rise, and of a fall, in days; 0 for a constant rate.
  var period: Int64 = 0
  /// Whether the euro replaces the currency in the middle of the store.
  var endsHalfway = false

  /// A constant rate for every currency.
  static let constant = WorldCurrency.all.filter { $0.code != "EUR" }.map {
    RateQuote(code: $0.code, middle: $0.perEuro, decimals: 6)
  }

  /// The rates of the sample app.
  ///
  /// Kuwaiti dinars are missing, as in the bank's file. The rates of the kuna end halfway, as if
  /// Croatia had adopted the euro.
  static let sample = [
    RateQuote(code: "USD", middle: 11_950, decimals: 4, period: 97),
    RateQuote(code: "JPY", middle: 13_010, decimals: 2, period: 71),
    RateQuote(code: "GBP", middle: 86_400, decimals: 5, period: 113),
    RateQuote(code: "HRK", middle: 75_300, decimals: 4, period: 89, endsHalfway: true),
    RateQuote(code: "PLN", middle: 45_500, decimals: 4, period: 61),
    RateQuote(code: "BRL", middle: 63_800, decimals: 4, period: 83),
  ]

  /// The rate of a day as text, such as `1.2271`.
  func text(on day: CivilDay) -> String {
    var rate = middle
    if period > 0 {
      let step = day.daysSinceEpoch % (2 * period)
      let height = step < period ? step : 2 * period - step  // 0 … period
      rate += middle * (2 * height - period) / (50 * period)
    }
    let digits = String(rate)
    let whole = digits.dropLast(decimals)
    return (whole.isEmpty ? "0" : whole) + "." + digits.suffix(decimals)
  }
}
