public import Amounts
public import CivilTime
internal import Parallel

/// The reference rates of the European Central Bank per day: the value of one euro in each
/// currency.
///
/// The rates are read from a file and never downloaded, so that past figures do not change.
public struct ExchangeRates: Hashable, Sendable {
  /// The rates of one currency, each with its day.
  struct Series: Hashable {
    var currency: Currency
    /// The days, as numbers of days since 1970-01-01, ascending.
    var days: [Int32] = []
    /// The rates, in the order of their ``days``.
    var rates: [ExchangeRate] = []
  }

  /// The rates per currency, sorted by currency code; without the euro, which is the base.
  ///
  /// The order allows a binary search, which costs less than hashing the currency twice per row.
  private(set) var series: [Series] = []
  /// The currencies whose rates come from the owner's file, not from the file of the European
  /// Central Bank.
  var ownCurrencies: Set<Currency> = []

  /// The largest age of a usable rate, in days; longer than weekends and the longest holidays.
  public static let oldestRate: Int64 = 7

  /// The currency in which all rates are quoted.
  public static let base = Currency("EUR") ?? Currency(rawValue: 0)

  /// Creates an empty table, which converts an amount only to its own currency.
  public init() {}

  /// The newest day with a rate; `nil` without rates.
  public var newestDay: CivilDay? {
    series.compactMap(\.days.last).max().map { CivilDay(daysSinceEpoch: Int64($0)) }
  }

  /// Returns true if both currencies have rates, or if they are the same currency.
  ///
  /// Example: the bank publishes no rates of the Kuwaiti dinar, so the result is false for KWD and
  /// USD. The days of the rates are not compared.
  public func connects(_ currency: Currency, with wanted: Currency) -> Bool {
    func isQuoted(_ currency: Currency) -> Bool {
      currency == Self.base || series.contains { $0.currency == currency && !$0.days.isEmpty }
    }
    return currency == wanted || (isQuoted(currency) && isQuoted(wanted))
  }

  /// Converts an amount at the rates of a day, through the euro, and rounds only once.
  ///
  /// Uses the newest day, at most ``oldestRate`` days back, on which both currencies have a rate.
  /// An amount of 0, or an amount in the wanted currency, needs no rate; its rate date is then the
  /// requested day.
  ///
  /// Example: 10.00 USD on a day with 1.25 USD and 0.85 GBP per euro → 6.80 GBP.
  ///
  /// - Returns: The amount and the day of its rates; `nil` if the currency is unknown or no usable
  ///   rates exist.
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

  /// Finds the rates of two currencies on the newest day on which both have a rate.
  ///
  /// `nil` if they have no such day, or if this day is more than ``oldestRate`` days before `day`.
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

  /// Finds the newest rate of a currency on or before a day; for the euro always 1.
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

  /// Adds the rates of a currency that is not in the table.
  mutating func add(_ rates: Series) {
    let place = series.firstPosition { $0.currency.rawValue > rates.currency.rawValue }
    series.insert(rates, at: place)
  }
}

/// The result of a conversion to another currency: the amount, and the day of the rates.
public struct ConvertedAmount: Hashable, Sendable {
  /// The converted amount, in millionths of the target currency's main unit.
  public var micros: Micros
  /// The day of the rates; the requested day if no rate was needed.
  public var rateDate: CivilDay
}

/// The currency in which the owner wants revenue to be reported, and the rates for conversion.
public struct ReportingCurrency: Hashable, Sendable {
  /// The currency of the reported figures.
  public var currency: Currency
  /// The rates; empty if the pipeline names no file.
  public var rates: ExchangeRates

  /// Creates a reporting currency from its rates.
  public init(_ currency: Currency, rates: ExchangeRates) {
    self.currency = currency
    self.rates = rates
  }

  /// Converts an amount to this currency; see ``ExchangeRates/convert(_:from:to:on:)``.
  public func converted(_ amount: Milliunits, from currency: Currency?, on day: CivilDay)
    throws(AmountError) -> ConvertedAmount?
  {
    try rates.convert(amount, from: currency, to: self.currency, on: day)
  }
}
