internal import Amounts
internal import CivilTime
internal import ExchangeRates
internal import Testing

/// The owner's rates, in addition to those of the European Central Bank.
@Suite struct `Rates of the owner` {
  private static let bank = "Date,USD,\n2024-05-06,1.0000,\n2024-05-03,1.0800,\n"

  private static func rates(_ own: String) throws -> ExchangeRates {
    var rates = try ExchangeRates(historyFile: Array(bank.utf8))
    try rates.add(ownFile: Array(own.utf8))
    return rates
  }

  private static func currency(_ code: String) throws -> Currency { try #require(Currency(code)) }

  @Test func `a currency that the bank does not list is converted by way of the euro`() throws {
    let rates = try Self.rates(
      "day,currency,rate\n2024-05-06,TWD,35\n2024-05-03,TWD,36\r\n2024-05-03,SAR,4.05\n")
    let (twd, usd) = (try Self.currency("TWD"), try Self.currency("USD"))
    let friday = try #require(CivilDay(text: "2024-05-03"))
    // 300 TWD / 36 × 1.08 = 9.00 USD
    #expect(
      try rates.convert(Milliunits(300_000), from: twd, to: usd, on: friday)?.micros
        == Micros(9_000_000))
    // On Monday 350 TWD / 35 × 1.00 = 10.00 USD.
    #expect(
      try rates.convert(
        Milliunits(350_000), from: twd, to: usd, on: friday.advanced(by: 3))?.micros
        == Micros(10_000_000))
    #expect(rates.connects(try Self.currency("SAR"), with: usd))
    #expect(!rates.connects(try Self.currency("COP"), with: usd))
  }

  @Test(arguments: [
    ("", 1, "expected the header day,currency,rate"),
    ("Date,USD\n", 1, "expected the header day,currency,rate"),
    (
      "day,currency,rate\n2024-05-03,USD,1.08\n", 2,
      "expected a currency that inputs.rates does not list, found USD"
    ),
    (
      "day,currency,rate\n2024-05-03,TWD,36\n2024-05-03,TWD,37\n", 3,
      "expected one rate of TWD for each day, found two"
    ),
    (
      "day,currency,rate\n2024-05-03,TWD,0\n", 2,
      "expected a day, a currency and a positive decimal, such as 2024-05-03,TWD,34.71"
    ),
    (
      "day,currency,rate\n03.05.2024,TWD,36\n", 2,
      "expected a day, a currency and a positive decimal, such as 2024-05-03,TWD,34.71"
    ),
  ])
  func `a line that cannot be right is refused with its number`(
    text: String, line: Int, message: String
  ) throws {
    #expect(throws: RatesFileError(line: line, message: message)) { _ = try Self.rates(text) }
  }
  /// Finds the gaps of two months as `TWD 2024-05-11 2024-05-19`.
  private static func gaps(_ own: String, to wanted: String, from first: String) throws
    -> [String]
  {
    try rates("day,currency,rate\n" + own).gaps(
      to: currency(wanted), from: #require(CivilDay(text: first)),
      through: #require(CivilDay(text: "2024-06-30"))
    ).map { "\($0.currency.code) \($0.firstDay.text) \($0.lastDay.text)" }
  }

  @Test func `days between two rates that are further apart than a week are a gap`() throws {
    // The rate of May 3 is used until May 10. One of May 11 leaves no gap, one of May 12 leaves one
    // day.
    let first = "2024-05-03,TWD,36\n"
    #expect(try Self.gaps(first + "2024-05-11,TWD,36\n", to: "EUR", from: "2024-05-01") == [])
    #expect(
      try Self.gaps(first + "2024-05-12,TWD,36\n", to: "EUR", from: "2024-05-01")
        == ["TWD 2024-05-11 2024-05-11"])
    // Days before the first purchase and after the end of the facts are not checked, and neither
    // are days before the first and after the last rate.
    let long = first + "2024-05-20,TWD,36\n2024-07-20,TWD,36\n2024-05-03,SAR,4\n"
    #expect(
      try Self.gaps(long, to: "EUR", from: "2024-05-15")
        == ["TWD 2024-05-15 2024-05-19", "TWD 2024-05-28 2024-06-30"])
    #expect(
      try Self.gaps(long, to: "EUR", from: "2024-05-20") == ["TWD 2024-05-28 2024-06-30"])
  }

  @Test func `a rate on a day without a rate of the wanted currency is not usable`() throws {
    // The bank has rates on May 3 and May 6. Amounts in euros need no rate of the bank.
    let weekly = ["03", "06", "12", "19"].map { "2024-05-\($0),TWD,36\n" }.joined()
    #expect(try Self.gaps(weekly, to: "EUR", from: "2024-05-01") == [])
    let bank = Self.bank.replacing("Date,USD,\n", with: "Date,USD,\n2024-05-19,1.0000,\n")
    var rates = try ExchangeRates(historyFile: Array(bank.utf8))
    try rates.add(ownFile: Array("day,currency,rate\n\(weekly)".utf8))
    // For dollars there is none between May 6 and May 19: the first is used until May 13.
    let found = rates.gaps(
      to: try Self.currency("USD"), from: try #require(CivilDay(text: "2024-05-01")),
      through: try #require(CivilDay(text: "2024-06-30")))
    #expect(found.map(\.firstDay.text) == ["2024-05-14"])
    #expect(found.map(\.lastDay.text) == ["2024-05-18"])
  }
}
