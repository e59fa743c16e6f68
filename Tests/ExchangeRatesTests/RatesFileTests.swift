internal import Amounts
internal import ExchangeRates
internal import TestSupport
internal import Testing

private struct Broken: CustomTestStringConvertible {
  var text: String
  var line: Int
  var message: String
  var testDescription: String { message }

  init(_ text: String, line: Int, _ message: String) {
    self.text = text
    self.line = line
    self.message = message
  }
}

private let broken = [
  Broken("", line: 1, "expected the header Date,USD,…, found an empty file"),
  Broken(
    "PK\u{3}\u{4}zip", line: 1,
    "found a zip archive; unpack it, and name its file eurofxref-hist.csv in the pipeline"),
  Broken(
    "<html>", line: 1,
    "expected the header Date,USD,… of the European Central Bank's eurofxref-hist.csv, found "
      + "\"<html>\""),
  Broken(
    "Date;USD;\n2021-05-03;1,2\n", line: 1,
    "expected the header Date,USD,… of the European Central Bank's eurofxref-hist.csv, found "
      + "\"Date;USD;\""),
  // The bank's file for one day has spaces after commas, and another date format.
  Broken(
    "Date, USD, JPY, \n03 May 2021, 1.2044, 131.85, \n", line: 1,
    "found the rates of one day (\"03 May 2021\"), as in eurofxref.csv; use the history instead: "
      + "eurofxref-hist.csv from the European Central Bank's eurofxref-hist.zip"),
  Broken(
    "Date,EUR,\n2021-05-03,1,\n", line: 1,
    "expected the header to name currencies of three capital letters other than EUR, found "
      + "\"EUR\""),
  Broken(
    "Date,USD,JPY,USD,\n", line: 1,
    "expected the header to name each currency once, found USD twice"),
  Broken("Date,\n", line: 1, "expected the header to name currencies, found none"),
  Broken("Date,USD,\n", line: 2, "expected a day and its rates, found the end of the file"),
  Broken(
    "Date,USD,\n2021-05-03,1.2,\n03.05.2021,1.2,\n", line: 3,
    "expected a day such as 2021-05-03, found \"03.05.2021\""),
  Broken(
    "Date,USD,\n2021-02-30,1.2,\n", line: 2,
    "expected a day such as 2021-05-03, found \"2021-02-30\""),
  Broken(
    "Date,USD,\n\n2021-05-03,1.2,\n", line: 2,
    "expected a day such as 2021-05-03, found \"\""),
  Broken(
    "Date,USD,\n2021-05-03,1.2,\n2021-05-04,1.2,\n", line: 3,
    "expected a day before 2021-05-03, newest first, found 2021-05-04"),
  Broken(
    "Date,USD,\n2021-05-03,1.2,\n2021-05-03,1.2,\n", line: 3,
    "expected a day before 2021-05-03, newest first, found 2021-05-03"),
  Broken(
    "Date,USD,JPY,\n2021-05-03,1.2,\n", line: 2,
    "expected JPY to be a positive decimal with at most nine digits before and after the point, "
      + "or N/A, found \"\""),
  Broken(
    "Date,USD,\n2021-05-03,1.2,131.85,\n", line: 2,
    "expected 1 rates as in the header, found 3"),
]

struct RatesFileTests {
  @Test(arguments: broken)
  private func `a file that is not the history is refused with its line`(_ example: Broken) {
    #expect(throws: RatesFileError(line: example.line, message: example.message)) {
      try ExchangeRates(historyFile: Array(example.text.utf8))
    }
  }

  @Test(arguments: [
    "", "n/a", "-1.2", "+1.2", "1,2", "1.2e3", ".5", "1.", "0", "0.000", "1.2.3", "1 2",
    "1234567890.0", "1.1234567890", " 1.2", "\u{661}",
  ])
  func `a cell is a positive decimal or N/A`(_ cell: String) {
    let error = #expect(throws: RatesFileError.self) {
      try ExchangeRates(
        historyFile: Array("Date,USD,JPY,\n2021-05-03,\(cell),131.85,\n".utf8))
    }
    #expect(error?.line == 2)
    #expect(
      error?.message.hasPrefix(cell.contains(",") ? "expected 2 rates" : "expected USD") == true)
  }

  @Test(arguments: [
    "Date,USD,\n2021-05-03,1.2,\n", "Date,USD\n2021-05-03,1.2\n", "Date,USD,\n2021-05-03,1.2,",
    "Date,USD,\r\n2021-05-03,1.2,\r\n",
  ])
  func `the last comma, the last line end and the kind of line end do not matter`(_ text: String)
    throws
  {
    // 10 ÷ 1.2 = 8.333333…
    let found = try ExchangeRates(historyFile: Array(text.utf8)).convert(
      Milliunits(10_000), from: currency("USD"), to: currency("EUR"), on: day("2021-05-03"))
    #expect(found?.micros == Micros(8_333_333))
  }

  @Test func `nine digits before and behind the point are exact`() throws {
    // 0.001 EUR × 999999999.999999999 = 999999.999999999999 → 1000000.000000
    let text = "Date,XXA,XXB,\n2021-05-03,999999999.999999999,0.000000001,\n"
    let rates = try ExchangeRates(historyFile: Array(text.utf8))
    let monday = day("2021-05-03")
    #expect(
      try rates.convert(Milliunits(1), from: currency("EUR"), to: currency("XXA"), on: monday)?
        .micros == Micros(1_000_000_000_000))
    // 1,000 EUR × 0.000000001 = 0.000001
    #expect(
      try rates.convert(
        Milliunits(1_000_000), from: currency("EUR"), to: currency("XXB"), on: monday)?.micros
        == Micros(1))
  }
}
