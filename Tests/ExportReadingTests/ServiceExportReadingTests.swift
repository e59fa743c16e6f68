internal import Amounts
internal import CivilTime
internal import Diagnostics
@testable internal import ExportReading
internal import PurchaseModel
internal import Testing

/// Exports of services as databases, spreadsheets and owners' servers hand them on.
struct ServiceExportReadingTests {
  @Test func `a table with other names is not told of keys, which the section does not know`()
    throws
  {
    let layout = try RecordLayout(export: #require(.named("revenuecat_export")))
    let content = try readExport(
      bytes: Array("transaction_id,is_sandbox\n7,false\n".utf8), name: "t.csv", kind: .exports,
      fieldMapping: FieldMapping(records: layout))
    let detail = try #require(content.rejects.first).detail
    #expect(
      detail.contains("rename them in the query or view: SELECT own_name AS store_transaction_id"))
    #expect(!detail.contains("keys"), "\(detail)")
  }

  private static let columns =
    "rc_original_app_user_id,product_identifier,store_transaction_id,"
    + "original_store_transaction_id,start_time,end_time,store,is_sandbox,is_trial_period,"
    + "refunded_at,country,country_source,purchased_currency,"
    + "purchase_price_in_purchased_currency,renewal_number"

  /// A row of RevenueCat's export; arguments replace single values.
  private static func row(
    id: String = "5002", original: String = "5001", start: String = "2024-05-30 09:05:07",
    isSandbox: String = "false", refundedAt: String = "", source: String = "from_sdk",
    price: String = "9.99", number: String = "2"
  ) -> String {
    "ana,pro,\(id),\(original),\(start),2024-06-30 09:05:07,app_store,\(isSandbox),false,"
      + "\(refundedAt),US,\(source),USD,\(price),\(number)"
  }

  private static func read(
    _ text: String, _ format: String = "revenuecat_export", hasDecimalComma: Bool = false
  ) throws -> ExportContent {
    let export = try #require(ServiceExport.named(format))
    let layout = try RecordLayout(export: export, hasDecimalComma: hasDecimalComma)
    return try readExport(
      bytes: Array(text.utf8), name: "e.csv", kind: .exports,
      fieldMapping: FieldMapping(records: layout))
  }

  private static func read(row: String) throws -> ExportContent {
    try read("\(columns)\n\(row)\n")
  }

  @Test(arguments: ["NULL", "null", "None", "nan", "NaT", "NA", "N/A", "<NA>", " ", #"\N"#])
  func `a word for an absent value is no value`(_ word: String) throws {
    let content = try Self.read(row: Self.row(refundedAt: word))
    #expect(content.codes == [])
    #expect(content.ids == ["5002"])
    #expect(content.set.observations.first?.cancelledAt == nil)
  }

  @Test func `NA is the storefront of Namibia`() throws {
    let content = try Self.read(row: Self.row().replacing(",US,", with: ",NA,"))
    #expect(content.set.records.first?.storefront?.code == "NAM")
  }

  @Test(arguments: ["TRUE", "t", "1", "yes", "Y", "1.0"])
  func `a test purchase is marked in any notation`(_ flag: String) throws {
    #expect(try Self.read(row: Self.row(isSandbox: flag)).set.records.first?.isSandbox == true)
  }

  @Test func `an id through floating point is the id`() throws {
    let content = try Self.read(row: Self.row(id: "5002.0", original: "5001.0", number: "2.0"))
    #expect(content.ids == ["5002"])
    #expect(content.codes == [])
    #expect(content.set.observations.first?.service?.isFirst == false)
  }

  @Test func `an id that a spreadsheet rounded is refused, not shared by many`() throws {
    let content = try Self.read(row: Self.row(id: "7.00001E+11"))
    #expect(content.codes == ["2 wrong_type"])
    #expect(content.rejects.first?.detail.contains("spreadsheet") == true)
  }

  @Test(arguments: [
    "2024-05-30 9:05:07", "2024-05-30T09:05:07Z", "2024-05-30 09:05:07.000 UTC",
    "30.05.2024 09:05:07", "2024/05/30 9:05:07", "1717059907", "1717059907000", "1717059907.0",
  ])
  func `a purchase date is read in any notation that shows the month`(_ text: String) throws {
    let content = try Self.read(row: Self.row(start: text))
    // 2024-05-30 is day 19,873: 19,873 × 86,400 s + 9 h 5 min 7 s = 1,717,059,907 s.
    #expect(content.set.observations.first?.purchasedAt.milliseconds == 1_717_059_907_000)
  }

  @Test func `a spreadsheet's time without seconds is read to the minute`() throws {
    let content = try Self.read(row: Self.row(start: "2024-05-30 9:05"))
    #expect(content.set.observations.first?.purchasedAt.milliseconds == 1_717_059_900_000)
  }

  @Test func `a date that does not show which number is the month is refused`() throws {
    #expect(try Self.read(row: Self.row(start: "5/6/2024 9:05")).codes == ["2 row_invalid_date"])
  }

  @Test func `column names may be in capitals, between blanks, or in camel case`() throws {
    let upper = try Self.read("\(Self.columns.uppercased())\n\(Self.row())\n")
    #expect(upper.ids == ["5002"])
    let blanks = Self.columns.replacing(",", with: " , ")
    #expect(try Self.read("\(blanks)\n\(Self.row())\n").ids == ["5002"])
    let camel = Self.columns.replacing("store_transaction_id", with: "StoreTransactionId")
    #expect(try Self.read("\(camel)\n\(Self.row())\n").ids == ["5002"])
  }

  @Test(arguments: [("from_sdk", "USA"), ("", "USA"), ("estimated", nil), ("last_seen", nil)])
  func `a country is the storefront unless it is that of an IP address`(
    _ source: String, _ storefront: String?
  ) throws {
    let content = try Self.read(row: Self.row(source: source))
    #expect(content.set.records.first?.storefront?.code == storefront)
  }

  /// The table of one row without a column.
  private static func read(without column: String, _ row: String) throws -> ExportContent {
    let names = columns.split(separator: ",").map(String.init)
    let place = try #require(names.firstIndex(of: column))
    func rest(_ line: String) -> String {
      var cells = line.split(separator: ",", omittingEmptySubsequences: false)
      cells.remove(at: place)
      return cells.joined(separator: ",")
    }
    return try read("\(rest(columns))\n\(rest(row))\n")
  }

  @Test func `a renewal without its end is refused, not a one-time purchase`() throws {
    let content = try Self.read(without: "end_time", Self.row())
    #expect(content.set.observations.isEmpty)
    #expect(content.rejects.map(\.reason) == [.rowInvalidDate])
  }

  @Test func `the end of a subscription follows from its length where the export lacks it`() throws
  {
    let text = "\(Self.columns),is_auto_renewable,product_duration\n\(Self.row()),true,P1M\n"
      .replacing("end_time", with: "ends")
    let row = try #require(try Self.read(text).set.observations.first)
    // 2024-05-30 09:05:07 and a twelfth of 365.25 days, in whole hours: 30 days and 11 hours.
    #expect(row.expiresAt == Instant(text: "2024-06-29T20:05:07Z"))
  }

  @Test(arguments: ["GPA.3372-4150-8523-17", "amzn1.receipt.1", "in_1Mx8Jk", "sub_1Mx8Jk"])
  func `an id of another store is no purchase here where the export does not name the store`(
    _ id: String
  ) throws {
    let content = try Self.read(without: "store", Self.row(id: id, original: id, number: "1"))
    #expect(content.set.observations.isEmpty)
    #expect(content.notices.otherStoreRows == 1)
    #expect(try Self.read(without: "store", Self.row()).set.observations.count == 1)
  }

  @Test func `amounts may have a decimal comma`() throws {
    let text = "\(Self.columns)\n\(Self.row())\n".replacing(",", with: ";")
      .replacing("9.99", with: "9,99")
    let content = try Self.read(text, hasDecimalComma: true)
    #expect(content.set.observations.first?.service?.charged?.amount.rawValue == 9990)
  }

  private static func event(_ name: String = "renewal", price: String = "9.99") -> String {
    #"{"object":"event","type":"\#(name)","timestamp":1717059907000,"data":{"name":"\#(name)","#
      + #""periodType":"NORMAL","countryCode":"US","priceInPurchasedCurrency":\#(price),"#
      + #""expirationAt":1719738307000,"transactionId":"5002","originalTransactionId":"5001","#
      + #""originalAppUserId":"ana","store":"APP_STORE","purchasedAt":1717059907000,"#
      + #""currencyCode":"USD","productId":"pro","environment":"PRODUCTION"}}"#
  }

  /// A JSON text with a text as its value.
  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  @Test func `a webhook is found in the record of the owner's server`() throws {
    let event = Self.event()
    let twice = Self.quoted(Self.quoted(event))
    for record in [
      #"{"id":7,"received_at":"2024-06-01T00:00:00Z","payload":\#(event)}"#,
      #"{"id":7,"payload":\#(Self.quoted(event))}"#, #"{"message":\#(twice)}"#,
      #"{"request":{"method":"POST","body":\#(Self.quoted(event))}}"#,
      #"{"Item":{"id":{"S":"7"},"payload":{"S":\#(Self.quoted(event))}}}"#,
    ] {
      let content = try Self.read(record + "\n", "superwall_webhook")
      #expect(content.codes == [], "\(record)")
      #expect(content.ids == ["5002"], "\(record)")
      #expect(content.set.records.first?.storefront?.code == "USA", "\(record)")
    }
  }

  @Test func `a webhook is found in a column of any name`() throws {
    let cell = "\"" + Self.event().replacing("\"", with: "\"\"") + "\""
    let content = try Self.read("id,ok,raw_body\n7,t,\(cell)\n", "superwall_webhook")
    #expect(content.codes == [])
    #expect(content.ids == ["5002"])
  }

  @Test func `an event in columns is read with the separator of any database`() throws {
    let names = [
      "type", "data_name", "data_periodType", "data_transactionId", "data_originalTransactionId",
      "data_productId", "data_purchasedAt", "data_expirationAt", "data_store", "data_environment",
    ]
    let row =
      "renewal,renewal,NORMAL,5002,5001,pro,1717059907000,1719738307000,APP_STORE,PRODUCTION"
    let header = names.joined(separator: ",")
    for text in [header, header.replacing("_", with: ".")] {
      #expect(try Self.read("\(text)\n\(row)\n", "superwall_webhook").ids == ["5002"], "\(text)")
    }
  }

  @Test(arguments: ["0", "0.00", "-9.99"])
  func `a refund in the price of its row does not say what was paid`(_ price: String) throws {
    let refunded = try Self.read(row: Self.row(refundedAt: "2024-06-02 00:00:00", price: price))
    #expect(refunded.codes == [])
    let row = try #require(refunded.set.observations.first)
    #expect(row.cancelledAt != nil && row.service?.charged == nil)
  }

  @Test func `an event with a negative price is a refund, whatever its name`() throws {
    let content = try Self.read(
      Self.event("cancellation", price: "-9.99") + "\n", "superwall_webhook")
    #expect(content.codes == [])
    #expect(content.set.observations.first?.cancelledAt?.milliseconds == 1_717_059_907_000)
    #expect(content.set.renewals.isEmpty)
  }

  @Test(arguments: [
    ("subscription_started", "0", "169.99", 0, true), ("in_app_purchase", "0.0", "4.99", 0, true),
    ("trial_started", "0", "169.99", 0, false),
    ("subscription_started", "169.99", "169.99", 169_990, false),
    // The revenue may be the proceeds.
    ("subscription_started", "118.99", "169.99", 169_990, false),
  ])
  func `an event of Qonversion without revenue charged nobody, whatever the product costs`(
    _ name: String, _ revenue: String, _ price: String, _ charged: Int64, _ isFamily: Bool
  ) throws {
    let event =
      #"{"event_name":"\#(name)","time":1717059907,"product_id":"pro","revenue":{"value":\#(revenue),"#
      + #""currency":"USD"},"price":{"value":\#(price),"currency":"USD"},"transaction":{"#
      + #""transaction_id":5001,"original_transaction_id":5001,"expires":1719738307},"#
      + #""environment":"production","platform":"iOS"}"# + "\n"
    let content = try Self.read(event, "qonversion_webhook")
    let row = try #require(content.set.observations.first)
    #expect(row.service?.charged?.amount.rawValue == charged)
    #expect((row.ownership == .familyShared) == isFamily)
    #expect(content.set.reports.count == (charged > 0 ? 1 : 0))
  }
}
