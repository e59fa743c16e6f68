internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing
internal import TestSupport

/// Transaction rows without a response around them.
@Suite struct `Bare rows` {
  private static let row = "{\(fields("1001"))}"
  private static let other = "{\(fields("1002"))}"
  private static let text = row.replacing("\"", with: "\\\"")

  @Test(arguments: [
    row, "[\(row)]\n[\(other)]", "[\(row),\(other)]", #"{"response":\#(row)}"#,
    #"{"response":[\#(row)]}"#, #"{"response":"\#(text)"}"#, #"{"response":"[\#(text)]"}"#,
    "{\(fields("1001")),\"status\":\"0\"}",
  ])
  func `are read as the latest state`(text: String) throws {
    let content = try receipts(text)
    #expect(content.codes == [])
    #expect(Set(content.ids).isSubset(of: ["1001", "1002"]) && content.ids.contains("1001"))
    #expect(content.set.observations.allSatisfy { $0.rank == .latest })
    #expect(content.set.records.allSatisfy { !$0.isSandbox })
  }

  @Test(arguments: [
    #"{"in_app":[\#(row)]}"#, #"{"inApp":[\#(row)]}"#, #"{"response":{"in_app":[\#(row)]}}"#,
    #"{"status":0,"in_app":[\#(row)],"environment":"Production"}"#,
  ])
  func `in a list of the receipt rank as it does`(text: String) throws {
    let content = try receipts(text)
    #expect(content.codes == [] && content.ids == ["1001"])
    #expect(content.set.observations.map(\.rank) == [.inApp])
  }

  @Test func `take customer, storefront and time from beside them`() throws {
    let content = try receipts(
      #"{"customer_id":"c-1","storefront":"POL","received_at":"2021-08-09T18:26:02Z","#
        + #""environment":"Sandbox",\#(fields("1001"))}"#)
    let record = try #require(content.set.records.first)
    #expect(record.customer.map { content.set.symbols.text($0.symbol) } == "c-1")
    #expect(record.storefront?.code == "POL" && record.isSandbox)
    #expect(record.snapshotAt == instant("2021-08-09T18:26:02Z"))
  }

  @Test func `without a time around them are as old as the newest of them`() throws {
    #expect(
      try receipts(Self.row).set.records.map(\.snapshotAt.milliseconds) == [1_600_000_000_000])
  }

  @Test(arguments: [
    (#"{"transaction_id":"1","product_id":"pro"}"#, "1 row_without_purchase_date"),
    (#"{"transaction_id":"1","purchase_date_ms":"1600000000000"}"#, "1 row_without_product_id"),
    (#"{"response":[{"x":1}]}"#, "1 row_without_transaction_id"),
  ])
  func `that cannot be used are rejected`(text: String, code: String) throws {
    let content = try receipts(text + "\n" + Self.other)
    #expect(content.codes.filter { $0.hasPrefix("1 ") } == ["1 no_usable_row", code])
    #expect(content.tally.rejected == 1)
  }

  @Test func `some of which cannot be used cost only themselves`() throws {
    let content = try receipts(#"{"response":[{"product_id":"pro"},\#(Self.row)]}"#)
    #expect(content.codes == ["1 row_without_transaction_id"])
    #expect(content.rejects.first?.detail == "response[0].transaction_id")
    #expect(content.ids == ["1001"] && content.tally.rows.rejected == 1)
  }

  // Data of the App Store Server API has other key names, and Apple's own price.
  @Test func `are no rows under other names`() throws {
    let content = try receipts(#"{"transactionId":"1","productId":"pro","price":9990}"#)
    #expect(content.codes == ["1 not_a_receipt"])
  }
}

/// Key names and units that a pipeline declares.
@Suite struct `A spelling of one's own` {
  private func prices(_ text: String, _ fieldMapping: FieldMapping) throws -> ExportContent {
    try readExport(
      bytes: Array(text.utf8), name: "p", kind: .prices, fieldMapping: fieldMapping)
  }

  private let own = FieldMapping(
    receiptKeys: [:],
    priceKeys: [
      "product_id": "sku", "currency": "cur", "price": "amount", "reported_at": "ts",
      "customer_id": "uid",
    ], priceUnit: .main)

  @Test func `names the keys of a report`() throws {
    let content = try prices(
      #"{"sku":"pro","cur":"USD","amount":"9.99","price":"$9.99","ts":1619638921000,"uid":"c-1"}"#,
      own)
    #expect(content.codes == [])
    let report = try #require(content.set.reports.first)
    #expect(report.price.text(in: report.currency) == "9.99 USD")
    #expect(report.customer.map { content.set.symbols.text($0.symbol) } == "c-1")
    #expect(report.reportedAt == instant("2021-04-28T19:42:01Z"))
  }

  @Test func `leaves the standard names without a meaning`() throws {
    let content = try prices(report(), own)
    #expect(content.codes == ["1 price_without_product"])
    #expect(content.rejects.map(\.detail) == ["sku"], "it is the pipeline's name that is missing")
  }

  @Test func `names the keys of a record, those of its report included`() throws {
    let fieldMapping = FieldMapping(
      receiptKeys: ["customer_id": "user_id", "response": "payload", "price_report": "shown"],
      priceKeys: ["price": "amount"], priceUnit: .minor)
    let line =
      #"{"user_id":"u-1","customer_id":"nobody","payload":\#(sound()),"shown":"#
      + #"{"product_id":"pro","currency":"USD","amount":999,"reported_at":"2021-04-28T19:42:01Z"}}"#
    let content = try readExport(
      bytes: Array(line.utf8), name: "r", kind: .receipts, fieldMapping: fieldMapping)
    #expect(content.codes == [])
    let customer = content.set.records.first?.customer
    #expect(customer.map { content.set.symbols.text($0.symbol) } == "u-1")
    #expect(content.set.reports.map(\.price.rawValue) == [9990])
  }

  @Test(arguments: [
    ("999", "USD", "minor", 9990), ("99.5", "USD", "minor", 995), ("120", "JPY", "minor", 120_000),
    ("1250", "KWD", "minor", 1250), ("9990", "USD", "thousandth", 9990),
    ("120000", "JPY", "thousandth", 120_000), ("1499000000", "IDR", "thousandth", 1_499_000_000),
    ("9.99", "USD", "main", 9990),
  ])
  func `counts in a unit`(price: String, currency: String, unit: String, milli: Int64) throws {
    let fieldMapping = FieldMapping(
      receiptKeys: [:], priceKeys: [:], priceUnit: try #require(.init(rawValue: unit)))
    let content = try prices(
      report(currency: #""currency":"\#(currency)","#, price: #""price":"\#(price)","#),
      fieldMapping)
    #expect(content.set.reports.map(\.price.rawValue) == [milli], "\(content.codes)")
  }

  @Test func `counts the prices of offers in the same unit, and refuses what is none of it`() throws
  {
    let minor = FieldMapping(receiptKeys: [:], priceKeys: [:], priceUnit: .minor)
    let offers =
      #""introductory_price":{"price":99,"payment_mode":1},"#
      + #""discounts":[{"identifier":"w","price":"499","payment_mode":0}]"#
    let content = try prices(report(price: #""price":999,"#, more: offers), minor)
    #expect(content.set.offers.map(\.price.rawValue) == [990, 4990])
    // 9.995 cents are not a whole number of thousandths of a dollar.
    let odd = try prices(report(price: #""price":"9.995","#), minor)
    #expect(odd.codes == ["1 price_too_precise"])
  }
}
