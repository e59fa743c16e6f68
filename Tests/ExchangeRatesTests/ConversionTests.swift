internal import Amounts
internal import CivilTime
internal import ExchangeRates
internal import TestSupport
internal import Testing

/// Rates that are easy to convert by hand; May 1 and 2, 2021 are a weekend, and the yen was not
/// quoted on May 4.
private let history = """
  Date,USD,JPY,CYP,HUF,XXA,
  2021-05-07,1.2059,131.64,N/A,359.0,0.0005,
  2021-05-04,1.2021,N/A,N/A,360.5,0.0005,
  2021-05-03,1.2044,131.85,N/A,361.12,0.0005,
  2021-04-30,1.2082,132.08,N/A,360.22,0.0005,
  2007-12-31,1.4721,164.93,0.585274,253.73,N/A,

  """

private func rates(_ text: String = history) throws -> ExchangeRates {
  try ExchangeRates(historyFile: Array(text.utf8))
}

private struct Case: CustomTestStringConvertible {
  var story: String
  var amount: String
  var from: String
  var to: String
  var on: String
  /// The amount in millionths and the day of the rates; `nil` if there is no rate.
  var expected: String?
  var testDescription: String { story }
}

private let cases = [
  // 9.99 × 1.2082 = 12.069918
  Case(
    story: "a Saturday has Friday's rate", amount: "9.99", from: "EUR", to: "USD",
    on: "2021-05-01", expected: "12069918 2021-04-30"),
  Case(
    story: "a Sunday too", amount: "9.99", from: "EUR", to: "USD", on: "2021-05-02",
    expected: "12069918 2021-04-30"),
  // 9.99 × 1.2044 = 12.031956
  Case(
    story: "a working day has its own", amount: "9.99", from: "EUR", to: "USD",
    on: "2021-05-03", expected: "12031956 2021-05-03"),
  // 9.99 ÷ 1.2044 = 8.294586…
  Case(
    story: "into the euro", amount: "9.99", from: "USD", to: "EUR", on: "2021-05-03",
    expected: "8294587 2021-05-03"),
  // 120 × 1.2044 ÷ 131.85 = 144.528 ÷ 131.85 = 1.0961547…; with rounding to euros in between it
  // would be 0.910125 × 1.2044 = 1.096154…
  Case(
    story: "a cross rate by the euro, rounded once", amount: "120", from: "JPY", to: "USD",
    on: "2021-05-03", expected: "1096155 2021-05-03"),
  // The yen was not quoted on May 4, so both rates are those of May 3: 1.0961547….
  Case(
    story: "both rates are of one day", amount: "120", from: "JPY", to: "USD",
    on: "2021-05-04", expected: "1096155 2021-05-03"),
  // 120 × 1.2059 ÷ 131.64 = 144.708 ÷ 131.64 = 1.0992707…
  Case(
    story: "a rate is seven days old", amount: "120", from: "JPY", to: "USD", on: "2021-05-14",
    expected: "1099271 2021-05-07"),
  Case(
    story: "no rate is eight days old", amount: "120", from: "JPY", to: "USD",
    on: "2021-05-15", expected: nil),
  Case(
    story: "nothing before the first day", amount: "120", from: "JPY", to: "USD",
    on: "2007-12-30", expected: nil),
  Case(
    story: "a currency that joined the euro has none later", amount: "5", from: "CYP", to: "EUR",
    on: "2021-05-03", expected: nil),
  // 5 ÷ 0.585274 = 8.5430072…
  Case(
    story: "and had one before", amount: "5", from: "CYP", to: "EUR", on: "2008-01-02",
    expected: "8543007 2007-12-31"),
  Case(
    story: "the bank never quoted the dinar", amount: "2.25", from: "KWD", to: "USD",
    on: "2021-05-03", expected: nil),
  Case(
    story: "the wanted currency needs no rate", amount: "9.99", from: "USD", to: "USD",
    on: "1999-01-01", expected: "9990000 1999-01-01"),
  Case(
    story: "and not even a known one", amount: "2.25", from: "KWD", to: "KWD",
    on: "2021-05-03", expected: "2250000 2021-05-03"),
  Case(
    story: "nothing is nothing in every currency", amount: "0", from: "KWD", to: "USD",
    on: "2021-05-03", expected: "0 2021-05-03"),
  // 1,000 × 0.0005 = 0.5 → 0; 3,000 × 0.0005 = 1.5 → 2; 5,000 × 0.0005 = 2.5 → 2.
  Case(
    story: "half rounds to even: down from 0.5", amount: "0.001", from: "EUR", to: "XXA",
    on: "2021-05-03", expected: "0 2021-05-03"),
  Case(
    story: "half rounds to even: up from 1.5", amount: "0.003", from: "EUR", to: "XXA",
    on: "2021-05-03", expected: "2 2021-05-03"),
  Case(
    story: "half rounds to even: down from 2.5", amount: "0.005", from: "EUR", to: "XXA",
    on: "2021-05-03", expected: "2 2021-05-03"),
]

struct ConversionTests {
  @Test(arguments: cases)
  private func `an amount is converted`(_ example: Case) throws {
    let found = try rates().convert(
      milliunits(example.amount), from: currency(example.from), to: currency(example.to),
      on: day(example.on))
    let text = found.map { "\($0.micros.rawValue) \($0.rateDate.text)" }
    #expect(text == example.expected, "\(example.story)")
  }

  @Test func `a refund converts to the opposite amount`() throws {
    // −9.99 × 1.2082 = −12.069918
    let found = try rates().convert(
      Milliunits(-9990), from: currency("EUR"), to: currency("USD"), on: day("2021-05-01"))
    #expect(found?.micros == Micros(-12_069_918))
  }

  @Test func `an amount in an unknown currency has no rate`() throws {
    let found = try rates().convert(
      Milliunits(9990), from: nil, to: currency("USD"), on: day("2021-05-03"))
    #expect(found == nil)
  }

  @Test func `without rates only the wanted currency can be told`() throws {
    let none = ReportingCurrency(currency("USD"), rates: ExchangeRates())
    let monday = day("2021-05-03")
    #expect(try none.converted(Milliunits(990), from: currency("USD"), on: monday) != nil)
    #expect(try none.converted(Milliunits(990), from: currency("EUR"), on: monday) == nil)
  }

  @Test func `an amount that does not fit is an error, never a wrap`() throws {
    // 9,223,372,036,854,775 thousandths are the largest amount that fits in 64 bits as millionths.
    let most = Milliunits(9_223_372_036_854_775)
    let monday = day("2021-05-03")
    let table = try rates()
    #expect(
      try table.convert(most, from: currency("EUR"), to: currency("EUR"), on: monday)?.micros
        == Micros(9_223_372_036_854_775_000))
    #expect(throws: AmountError.overflow) {
      try table.convert(
        Milliunits(9_223_372_036_854_776), from: currency("EUR"), to: currency("EUR"), on: monday)
    }
    #expect(throws: AmountError.overflow) {
      try table.convert(most, from: currency("EUR"), to: currency("HUF"), on: monday)
    }
    // 1,000,000,000 HUF × 0.0005 ÷ 361.12 is small, although the product in between is large.
    #expect(
      try table.convert(
        .largestPrice, from: currency("HUF"), to: currency("XXA"), on: monday)?.micros
        == Micros(1_384_581_303))
  }
}
