public import Amounts
public import CivilTime
internal import Parallel

/// The European Central Bank's reference rates, day by day: the worth of one euro.
///
/// The rates come from a file and are never fetched, so that a figure of last year is the same next
/// year.
public struct ExchangeRates: Hashable, Sendable {
  /// The rates of one currency, by day.
  struct Series: Hashable {
    var currency: Currency
    /// Days since 1970-01-01, rising.
    var days: [Int32] = []
    /// The rate of each day.
    var rates: [ExchangeRate] = []
  }

  /// The rates, by their currencies' codes; the euro is missing, because it is the base.
  ///
  /// Sorted, because a search is cheaper than hashing the currency twice a row.
  private(set) var series: [Series] = []

  /// The greatest age of a rate in days: it covers weekends and the longest holidays.
  public static let oldestRate: Int64 = 7

  /// The currency in which all rates are quoted.
  public static let base = Currency("EUR") ?? Currency(rawValue: 0)

  /// No rates at all: only amounts of the reporting currency itself can be expressed in it.
  public init() {}

  /// The newest day with a rate; `nil` without rates.
  public var newestDay: CivilDay? {
    series.compactMap(\.days.last).max().map { CivilDay(daysSinceEpoch: Int64($0)) }
  }

  /// Whether amounts of one currency can be converted to another on at least one day.
  ///
  /// Example: the bank quotes no Kuwaiti dinar, so no amount in KWD is ever converted to USD.
  public func connects(_ currency: Currency, with wanted: Currency) -> Bool {
    func isQuoted(_ currency: Currency) -> Bool {
      currency == Self.base || series.contains { $0.currency == currency && !$0.days.isEmpty }
    }
    return currency == wanted || (isQuoted(currency) && isQuoted(wanted))
  }

  /// Converts an amount at the rates of a day, by way of the euro, and rounds once.
  ///
  /// The rates are those of the newest day, at most ``oldestRate`` days back, on which both
  /// currencies have a rate. An amount of the wanted currency, and an amount of 0, need no rate:
  /// their rate date is the day itself.
  ///
  /// - Returns: `nil` if the currency is unknown or no such rates exist.
  /// - Throws: ``AmountError/overflow`` when the result does not fit.
  public func convert(
    _ amount: Milliunits, from currency: Currency?, to wanted: Currency, on day: CivilDay
  ) throws(AmountError) -> ConvertedAmount? {
    let micros = try Micros(amount)
    if amount == .zero || currency == wanted {
      return ConvertedAmount(micros: micros, rateDate: day)
    }
    guard let currency, let quote = quotes(of: currency, wanted, on: day) else { return nil }
    return ConvertedAmount(
      micros: try micros.share(quote.wanted.rawValue, of: quote.own.rawValue), rateDate: quote.day)
  }

  /// The rates of two currencies on the newest day on which both have a rate.
  private func quotes(of own: Currency, _ wanted: Currency, on day: CivilDay) -> (
    own: ExchangeRate, wanted: ExchangeRate, day: CivilDay
  )? {
    let oldest = day.advanced(by: -Self.oldestRate)
    var limit = day
    while let left = newest(of: own, through: limit),
      let right = newest(of: wanted, through: limit),
      min(left.day, right.day) >= oldest
    {
      if left.day == right.day { return (left.rate, right.rate, left.day) }
      limit = min(left.day, right.day)
    }
    return nil
  }

  /// The newest rate of a currency, not later than a day; the euro has one every day.
  private func newest(of currency: Currency, through day: CivilDay) -> (
    rate: ExchangeRate, day: CivilDay
  )? {
    if currency == Self.base { return (.one, day) }
    let place = series.firstPosition { $0.currency.rawValue >= currency.rawValue }
    guard place < series.count, series[place].currency == currency else { return nil }
    let later = series[place].days.firstPosition { Int64($0) > day.daysSinceEpoch }
    guard later > 0 else { return nil }
    return (
      series[place].rates[later - 1],
      CivilDay(daysSinceEpoch: Int64(series[place].days[later - 1]))
    )
  }

  /// Adds the rates of a currency that is still missing.
  mutating func add(_ rates: Series) {
    let place = series.firstPosition { $0.currency.rawValue > rates.currency.rawValue }
    series.insert(rates, at: place)
  }
}

/// An amount in another currency.
public struct ConvertedAmount: Hashable, Sendable {
  /// The amount, in millionths of the wanted currency's main unit.
  public var micros: Micros
  /// The day whose rates were used; without need of rates, the day that was requested.
  public var rateDate: CivilDay
}

/// The currency an owner wants to see sums in, and the rates that lead to it.
public struct ReportingCurrency: Hashable, Sendable {
  /// The currency.
  public var currency: Currency
  /// The rates; empty if the pipeline names no file.
  public var rates: ExchangeRates

  /// Names a currency and its rates.
  public init(_ currency: Currency, rates: ExchangeRates) {
    self.currency = currency
    self.rates = rates
  }

  /// An amount in this currency; see ``ExchangeRates/convert(_:from:to:on:)``.
  ///
  /// - Throws: ``AmountError/overflow`` when the result does not fit.
  public func converted(_ amount: Milliunits, from currency: Currency?, on day: CivilDay)
    throws(AmountError) -> ConvertedAmount?
  {
    try rates.convert(amount, from: currency, to: self.currency, on: day)
  }
}
