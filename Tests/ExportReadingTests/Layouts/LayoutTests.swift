internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing

struct LayoutTests {
  static let keys: [(key: String, paths: [String])] = [
    ("product_id", [#"a\.b.sku"#]), ("price", ["list[name=price].value"]),
    ("currency", ["money.code", "code"]), ("reported_at", ["at"]),
  ]

  @Test func `a path leads through dots, lists and texts`() throws {
    let line =
      #"{"at":1714557607,"a.b":"{\"sku\":\"pro\"}","list":[{"name":"x","value":1},"#
      + #"{"value":9.99,"name":"price"},7],"code":"EUR","money":{"code":"USD"}}"#
    let content = try prices(line, keys: Self.keys)
    #expect(content.codes == [])
    #expect(content.reportLines == ["pro list USD 9990 2024-05-01T10:00:07Z - - - |"])
  }

  @Test func `each element of a list is a report`() throws {
    let line =
      #"{"items":[{"sku":"a","price":1},{"sku":"b","price":2}],"currency":"USD","reported_at":1714557607}"#
    let content = try prices(
      line, keys: [("product_id", ["items[].sku"]), ("price", ["items[].price"])])
    #expect(
      content.reportLines == [
        "a list USD 1000 2024-05-01T10:00:07Z - - - |",
        "b list USD 2000 2024-05-01T10:00:07Z - - - |",
      ])
    #expect(content.tally.used == 1)
  }

  @Test func `a reject names the paths that were looked for`() throws {
    let content = try prices(#"{"at":1714557607,"code":"USD"}"#, keys: Self.keys)
    #expect(content.codes == ["1 price_without_product"])
    #expect(content.rejects.map(\.detail) == [#"product_id (a\.b.sku)"#])
  }

  @Test(arguments: ["", ".a", "a.", "a..b", "a[", "a[]b", "[]", "a[=x]", "a[k=]", "a[]"])
  func `a text that is no path is refused`(_ text: String) throws {
    #expect(throws: PriceLayout.Fault.noPath(key: "price", text: text)) {
      _ = try PriceLayout(format: nil, keys: [("price", [text])])
    }
  }

  @Test(arguments: [PriceReadingTests.own, PriceReadingTests.storeKit])
  func `the own form is read alike with and without keys in the entry`(line: String) throws {
    let plain = try prices(line)
    let declared = try prices(line, keys: [])
    #expect(declared.codes == plain.codes)
    #expect(declared.reportLines == plain.reportLines)
    #expect(declared.set.reports.map(\.evidenceID) == plain.set.reports.map(\.evidenceID))
  }

  @Test(arguments: [
    ("1714557607", "2024-05-01T10:00:07Z"), ("1714557607.5", "2024-05-01T10:00:07Z"),
    ("1714557607000", "2024-05-01T10:00:07Z"), ("1714557607000000", "2024-05-01T10:00:07Z"),
    (#""2024-05-01T10:00:07.000Z+0000""#, "2024-05-01T10:00:07Z"),
    (#""2024-05-01 12:00:07+02:00""#, "2024-05-01T10:00:07Z"),
  ])
  func `a time is told by its size or its zone`(_ given: (text: String, time: String)) throws {
    let line = report(time: #""reported_at":\#(given.text),"#)
    #expect(try prices(line).set.reports.map(\.reportedAt.text) == [given.time])
  }

  @Test(arguments: [
    ("33.49", "33.4900016784668"), ("39.99", "39.9900016784668"), ("99.99", "99.98999786376953"),
    ("499.99", "499.989990234375"), ("1299.99", "1299.989990234375"),
  ])
  func `a 32-bit float is the price that it is nearest to`(_ given: (String, String)) throws {
    let (price, float) = given
    #expect("\(Float(price) ?? 0)" != "" && "\(Double(Float(price) ?? 0))" == float)
    let content = try prices(report(price: "\"price\":\(float),"))
    #expect(content.set.reports.map { $0.price.text(decimals: 2) } == [price])
  }

  @Test func `a record of another layout is read under its standard names`() throws {
    let records = try RecordLayout(
      kind: .receipts, keys: [("customer_id", ["user.id"]), ("response", ["payload.apple"])])
    let text =
      #"{"user":{"id":"c-9"},"received_at":"2021-08-09T18:26:02Z","payload":{"apple":\#(sound("1001"))}}"#
    let content = try readExport(
      bytes: Array(text.utf8), name: "r.ndjson", kind: .receipts,
      fieldMapping: FieldMapping(records: records))
    #expect(content.ids == ["1001"])
    #expect(
      content.set.records.first?.customer.map { content.set.symbols.text($0.symbol) } == "c-9")
  }
}
