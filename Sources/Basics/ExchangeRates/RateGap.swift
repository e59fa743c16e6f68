public import Amounts
public import CivilTime

/// Days without a usable rate, between two rates in the owner's file.
///
/// Example: the file has rates of TWD on May 3 and May 20. The rate of May 3 is used until May 10,
/// so the days from May 11 to May 19 are a gap.
public struct RateGap: Hashable, Sendable {
  /// The currency without a rate.
  public var currency: Currency
  /// The first day without a rate.
  public var firstDay: CivilDay
  /// The last day without a rate.
  public var lastDay: CivilDay
}

extension ExchangeRates {
  /// Finds the days on which amounts cannot be converted, because the owner's rates have gaps.
  ///
  /// A conversion needs a day on which both currencies have a rate. Example: the owner has rates of
  /// TWD only on Sundays, and the bank has rates of USD on working days. Then no amount in TWD is
  /// converted to USD.
  ///
  /// - Parameters:
  ///   - first: The first day to check.
  ///   - last: The last day to check.
  /// - Returns: The gaps between two days on which both currencies have a rate, limited to the
  ///   checked days, sorted by first day.
  public func gaps(to wanted: Currency, from first: CivilDay, through last: CivilDay) -> [RateGap] {
    var gaps: [RateGap] = []
    for currency in ownCurrencies {
      let days = usableDays(of: currency, with: wanted)
      for (day, next) in zip(days, days.dropFirst()) {
        let firstDay = max(CivilDay(daysSinceEpoch: Int64(day) + Self.oldestRate + 1), first)
        let lastDay = min(CivilDay(daysSinceEpoch: Int64(next) - 1), last)
        guard firstDay <= lastDay else { continue }
        gaps.append(RateGap(currency: currency, firstDay: firstDay, lastDay: lastDay))
      }
    }
    return gaps.sorted { ($0.firstDay, $0.currency) < ($1.firstDay, $1.currency) }
  }

  /// The days on which both currencies have a rate, ascending.
  private func usableDays(of currency: Currency, with wanted: Currency) -> [Int32] {
    let own = series.first { $0.currency == currency }?.days ?? []
    guard wanted != Self.base, wanted != currency else { return own }
    let others = Set(series.first { $0.currency == wanted }?.days ?? [])
    return own.filter(others.contains)
  }
}
