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
}
