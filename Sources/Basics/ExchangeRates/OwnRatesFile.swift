internal import Amounts
internal import CivilTime

extension ExchangeRates {
  /// Adds the owner's rates of currencies that the European Central Bank does not publish.
  ///
  /// The first line is `day,currency,rate`. Each other line has a day, a currency and the value of
  /// one euro in that currency; the order of lines does not matter. Example:
  /// `2024-05-03,TWD,34.71`. A currency in the bank's file is refused, because two sources could
  /// contradict each other.
  public mutating func add(ownFile bytes: [UInt8]) throws(RatesFileError) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    guard let header = lines.popFirst(), Self.texts(header) == ["day", "currency", "rate"] else {
      throw RatesFileError(line: 1, message: "expected the header day,currency,rate")
    }
    var known: [Currency: [Int32: ExchangeRate]] = [:]
    for (index, line) in lines.enumerated() {
      let number = index + 2
      let (day, currency, rate) = try Self.entry(line, number: number)
      guard currency != Self.base, !series.contains(where: { $0.currency == currency }) else {
        throw RatesFileError(
          line: number,
          message: "expected a currency that inputs.rates does not list, found "
            + currency.code)
      }
      guard known[currency, default: [:]].updateValue(rate, forKey: day) == nil else {
        throw RatesFileError(
          line: number, message: "expected one rate of \(currency.code) for each day, found two")
      }
    }
    ownCurrencies.formUnion(known.keys)
    for (currency, rates) in known {
      let days = rates.keys.sorted()
      add(Series(currency: currency, days: days, rates: days.compactMap { rates[$0] }))
    }
  }

  /// Reads a line such as `2024-05-03,TWD,34.71`.
  private static func entry(_ line: ArraySlice<UInt8>, number: Int) throws(RatesFileError) -> (
    day: Int32, currency: Currency, rate: ExchangeRate
  ) {
    let texts = texts(line)
    guard texts.count == 3, let day = CivilDay(text: texts[0]), let currency = Currency(texts[1]),
      currency.code == texts[1], let rate = ExchangeRate(decimal: Array(texts[2].utf8)[...])
    else {
      throw RatesFileError(
        line: number,
        message: "expected a day, a currency and a positive decimal, such as 2024-05-03,TWD,34.71")
    }
    return (Int32(day.daysSinceEpoch), currency, rate)
  }

  private static func texts(_ line: ArraySlice<UInt8>) -> [String] {
    cells(line).map { String(decoding: $0, as: UTF8.self) }
  }
}
