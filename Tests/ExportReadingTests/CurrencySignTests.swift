internal import Amounts
@testable internal import ExportReading
internal import PurchaseModel
internal import Testing

/// Prices as labels show them, with a sign or code of their currency.
struct CurrencySignTests {
  @Test(arguments: [
    ("9,99 €", "EUR", "9.99"), ("9,99\u{A0}€", "EUR", "9.99"), ("€9.99", "EUR", "9.99"),
    ("US$9.99", "USD", "9.99"), ("$ 9.99", "CAD", "9.99"), ("PLN 49.99", "PLN", "49.99"),
    ("49.99\u{202F}zł", "PLN", "49.99"), ("¥1200", "JPY", "1200"), ("-9.99 €", "EUR", "-9.99"),
    ("R$ 1.299,00", "BRL", "1299.00"), ("1 299,00 zł", "PLN", "1299.00"), ("$1,299", "USD", "1299"),
    ("1\u{202F}299,5\u{A0}€", "EUR", "1299.5"), ("¥1.299", "JPY", "1299"),
    ("₹1,49,900.00", "INR", "149900.00"), ("CHF 1'299.90", "CHF", "1299.90"),
    ("KWD 1.5", "KWD", "1.5"),
  ])
  func `a sign of the report's currency is skipped`(
    _ text: String, _ code: String, _ number: String
  ) throws {
    let bytes = Array(text.utf8)
    let found = CurrencySign.number(in: bytes.span, of: try #require(Currency(code)))
    #expect(found.map { String(decoding: $0, as: UTF8.self) } == number)
  }

  @Test(arguments: [
    "9.99 USD", "$9.99", "from 9.99 €", "€9.99 €", "9.99€/month", "€", "9.99 x", "", "1,29,9 €",
    "12345,678 €", "1.299,000.00 €",
  ])
  func `another currency and other words make the price unreadable`(_ text: String) throws {
    let bytes = Array(text.utf8)
    #expect(CurrencySign.number(in: bytes.span, of: try #require(Currency("EUR"))) == nil)
  }

  @Test func `three digits of a currency with three decimals do not show what they are`() throws {
    let bytes = Array("KWD 1.299".utf8)
    #expect(CurrencySign.number(in: bytes.span, of: try #require(Currency("KWD"))) == nil)
  }

  @Test(arguments: [
    ("9,99 €", "EUR"), ("US$9.99", "USD"), ("PLN 9.99", "PLN"), ("9.99 lei", "RON"), ("$9.99", nil),
    ("£9.99", nil), ("99 kr", nil), ("9.99", nil), ("9.99 per", nil), ("9.99 ABC", nil),
  ])
  func `a sign of one currency names it`(_ text: String, _ code: String?) {
    let bytes = Array(text.utf8)
    #expect(CurrencySign.currency(in: bytes.span)?.code == code)
  }

  @Test func `a label is read with either decimal sign, and its sign may give the currency`() throws
  {
    for (comma, price, other) in [(true, "9,99 €", "9.99 €"), (false, "9.99 €", "9,99 €")] {
      let layout = try PriceLayout(format: nil, hasDecimalComma: comma)
      let content = try readExport(
        bytes: Array(
          """
          product_id;currency;price;reported_at
          pro;EUR;\(price);2024-05-01T10:00:00Z
          pro;EUR;\(other);2024-05-02T10:00:00Z
          pro;PLN;\(price);2024-05-03T10:00:00Z
          pro;;\(price);2024-05-04T10:00:00Z
          pro;;$9.99;2024-05-05T10:00:00Z

          """.utf8), name: "p.csv", kind: .prices,
        fieldMapping: FieldMapping(layout: layout, namesUnit: false))
      #expect(content.set.reports.map(\.price.rawValue) == [9990, 9990, 9990])
      #expect(content.set.reports.map(\.currency.code) == ["EUR", "EUR", "EUR"])
      #expect(content.codes == ["4 price_not_a_decimal", "6 price_without_currency"])
    }
  }
}
