internal import CivilTime

extension StorePlan {
  /// Invents exchange rates in the form of the European Central Bank's history file.
  ///
  /// There is one line for each working day from a week before the store, newest first. Each rate
  /// rises and falls slowly around a plausible value. Kuwaiti dinars are missing, as in the bank's
  /// file. The rates of the kuna end halfway, as if Croatia had adopted the euro.
  func ratesText() -> String {
    var text = "Date,USD,JPY,GBP,HRK,PLN,BRL,\n"
    let last = Instant(milliseconds: end).day
    let first = Instant(milliseconds: start).day.advanced(by: -7)
    var day = last
    while day > first {
      day = day.advanced(by: -1)
      guard day.weekday <= 5 else { continue }
      text += day.text
      for quote in Self.quotes {
        let isOver = quote.endsHalfway && day >= first.advanced(by: Int64(days / 2))
        text += "," + (isOver ? "N/A" : quote.text(on: day))
      }
      text += ",\n"
    }
    return text
  }

  private static let quotes = [
    Quote(middle: 11_950, decimals: 4, period: 97), Quote(middle: 13_010, decimals: 2, period: 71),
    Quote(middle: 86_400, decimals: 5, period: 113),
    Quote(middle: 75_300, decimals: 4, period: 89, endsHalfway: true),
    Quote(middle: 45_500, decimals: 4, period: 61), Quote(middle: 63_800, decimals: 4, period: 83),
  ]
}

/// An invented rate that rises and falls by two percent.
private struct Quote {
  /// The middle of the rate, in units of its last decimal: 11950 with 4 decimals is 1.1950.
  var middle: Int64
  var decimals: Int
  /// The length of a rise in days; a fall is equally long.
  var period: Int64
  /// Whether the euro replaces the currency in the middle of the store.
  var endsHalfway = false

  /// The rate of a day as text, such as `1.2271`.
  func text(on day: CivilDay) -> String {
    let step = day.daysSinceEpoch % (2 * period)
    let height = step < period ? step : 2 * period - step  // 0 … period
    let rate = middle + middle * (2 * height - period) / (50 * period)
    let digits = String(rate)
    let whole = digits.dropLast(decimals)
    return (whole.isEmpty ? "0" : whole) + "." + digits.suffix(decimals)
  }
}
