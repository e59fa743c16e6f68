internal import Amounts
@testable internal import ExportReading
internal import PurchaseModel
internal import Testing

/// Prices as spreadsheets of most European countries write them.
struct DecimalCommaTests {
  @Test(arguments: [
    ("9,99", "9.99"), ("1.299,00", "1299.00"), ("1 299,5", "1299.5"), ("12", "12"),
    ("1.299", "1299"), ("1'000.000,10", "1000000.10"),
  ])
  func `a comma divides main units from hundredths`(_ text: String, _ plain: String) {
    let bytes = Array(text.utf8)
    #expect(DecimalComma.plain(bytes.span).map { String(decoding: $0, as: UTF8.self) } == plain)
  }

  @Test(arguments: ["9.99", "1.29,00", "1,299,00", ".999", "12.34.567", "149,000"])
  func `a point that separates no thousands is no amount`(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(DecimalComma.plain(bytes.span) == nil)
  }

  @Test func `the entry says it, and a price with a point is rejected`() throws {
    let layout = try PriceLayout(format: nil, hasDecimalComma: true)
    let content = try readExport(
      bytes: Array(
        """
        product_id;currency;price;reported_at;storefront
        pro;EUR;9,99;2024-05-01T10:00:00Z;Germany
        pro;EUR;9.99;2024-05-01T10:00:00Z;DE

        """.utf8), name: "p.csv", kind: .prices,
      fieldMapping: FieldMapping(layout: layout, namesUnit: false))
    #expect(content.set.reports.map(\.price.rawValue) == [9990])
    #expect(content.set.reports.map { $0.storefront?.code } == ["DEU"])
    #expect(content.codes == ["3 price_not_a_decimal"])
  }

  @Test func `a payload may stand in a column of any name`() throws {
    let format = try #require(PriceFormat.named("revenuecat_webhook"))
    let layout = try PriceLayout(format: format, keys: [("payload", ["raw_event"])])
    let event =
      #"{""event"":{""type"":""INITIAL_PURCHASE"",""product_id"":""pro"",""price"":5.92,"#
      + #"""currency"":""KRW"",""price_in_purchased_currency"":7900,"#
      + #"""purchased_at_ms"":1714557605000,""environment"":""PRODUCTION"",""store"":""APP_STORE""}}"#
    let content = try readExport(
      bytes: Array("id,raw_event\n1,\"\(event)\"\n".utf8), name: "p.csv", kind: .prices,
      fieldMapping: FieldMapping(layout: layout, namesUnit: true))
    #expect(content.set.reports.map(\.price.rawValue) == [7_900_000])
    #expect(throws: PriceLayout.Fault.noPath(key: "payload", text: "a.b")) {
      try PriceLayout(format: format, keys: [("payload", ["a.b"])])
    }
  }
}
