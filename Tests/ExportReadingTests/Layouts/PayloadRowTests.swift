internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing

/// Payloads in forms that the samples lack.
///
/// The expected content was determined by hand.
struct PayloadRowTests {
  private static let time = "2024-05-01T10:00:07Z"
  private static let monthly = "com.app.monthly list USD 9990 \(time)"

  /// A record that contains a payload.
  private static func record(_ payload: String, under name: String = "payload") -> String {
    #"{"reported_at":"\#(time)","customer_id":"c-1","storefront":"USA","\#(name)":\#(payload)}"#
  }

  private static func read(_ text: String, _ format: String?, events: [String]? = nil) throws
    -> ExportContent
  {
    let layout = try PriceLayout(format: format.flatMap(PriceFormat.named), events: events)
    return try readExport(
      bytes: Array(text.utf8), name: "p.txt", kind: .prices,
      fieldMapping: FieldMapping(layout: layout, namesUnit: true))
  }

  private static let hybrid =
    #"{"identifier":"com.app.monthly","price":9.99,"priceString":"$9.99","currencyCode":"USD"}"#

  @Test(arguments: ["payload", "product", "event", "data", "body"])
  func `a payload stands under any of five names, as an object, a text or a list`(name: String)
    throws
  {
    let expected = ["\(Self.monthly) c-1 USA - |"]
    for payload in [Self.hybrid, JSONTree.quoted(Self.hybrid), "[\(Self.hybrid)]"] {
      let content = try Self.read(Self.record(payload, under: name), "revenuecat")
      #expect(content.codes == [] && content.reportLines == expected, "\(payload)")
    }
    let plain = #"{"productIdentifier":"com.app.monthly","price":"9.99","currency":"USD"}"#
    #expect(try prices(Self.record(plain, under: name)).reportLines == expected)
  }

  @Test func `a platform beside the payload leaves out other stores`() throws {
    let layout = try PriceLayout(
      format: PriceFormat.named("revenuecat"), keys: [("platform", ["platform"])])
    func read(_ platform: String) throws -> ExportContent {
      let text = Self.record(Self.hybrid).replacing(
        "\"customer_id\"", with: "\"platform\":\"\(platform)\",\"customer_id\"")
      return try readExport(
        bytes: Array(text.utf8), name: "p.txt", kind: .prices,
        fieldMapping: FieldMapping(layout: layout, namesUnit: true))
    }
    #expect(try read("ios").reportLines == ["\(Self.monthly) c-1 USA - |"])
    let other = try read("android")
    #expect(other.reportLines == [] && other.codes == [] && other.notices.otherEvents == 1)
  }

  @Test func `each report of a list stands for itself`() throws {
    let broken = Self.hybrid.replacing("9.99,", with: "\"free\",")
    let content = try Self.read(Self.record("[\(Self.hybrid),\(broken)]"), "revenuecat")
    #expect(content.reportLines == ["\(Self.monthly) c-1 USA - |"])
    #expect(content.codes == ["1 price_not_a_decimal"])
    #expect(content.tally.used == 1 && content.tally.rejected == 0)
    let empty = try Self.read(Self.record("[]"), "revenuecat")
    #expect(empty.codes == ["1 price_without_product"])
  }

  @Test func `the request of a validation in Adapty's SDK stands under data too`() throws {
    let request = """
      {"data":{"attributes":{"vendor_product_id":"weekly","original_price":5.99,\
      "discount_price":0.99,"price_locale":"USD","store_country":"USA","transaction_id":"1001",\
      "offer":{"type":"pay_as_you_go","period_unit":"month","number_of_units":1,\
      "category":"introductory"}}}}
      """
    for name in ["payload", "data"] {
      let content = try Self.read(Self.record(request, under: name), "adapty")
      #expect(
        content.reportLines
          == ["weekly list USD 5990 \(Self.time) c-1 USA 1001 | intro 990 pay_as_you_go ?xP1M"])
    }
  }

  @Test func `a purchase of openiap names product, currency, storefront and time in its own words`()
    throws
  {
    // The id of this purchase is its transaction id.
    let purchase = """
      {"id":"1001","productId":"com.app.monthly","transactionId":"1001",\
      "transactionDate":1714557607000.0,"price":9.989999771118164,"currencyCodeIOS":"USD",\
      "storefrontCountryCodeIOS":"USA","environmentIOS":"Production","platform":"ios"}
      """
    let content = try Self.read(purchase, "openiap")
    #expect(content.reportLines == ["\(Self.monthly) - USA 1001 |"])
    let test = try Self.read(purchase.replacing("Production", with: "Sandbox"), "openiap")
    #expect(test.reportLines == [] && test.notices.sandboxReports == 1)
    let other = try Self.read(purchase.replacing("\"ios\"", with: "\"android\""), "openiap")
    #expect(other.reportLines == [] && other.notices.otherEvents == 1)
  }

  @Test(arguments: [
    (
      "flutter",
      #"{"id":"com.app.monthly","rawPrice":9.99,"price":"$9.99","currencyCode":"USD","#
        + #""purchaseID":"1001","transactionDate":"1714557607000"}"#
    ),
    (
      "flutter",
      #"{"productIdentifier":"com.app.monthly","price":"9.99","#
        + #""priceLocale":{"currencyCode":"USD"},"transactionIdentifier":"1001","#
        + #""transactionTimeStamp":1714557607.5}"#
    ),
    (
      "react_native_iap",
      #"{"productId":"com.app.monthly","price":"9.99","currency":"USD","transactionId":"1001","#
        + #""transactionDate":1714557607000}"#
    ),
    (
      "appsflyer",
      #"{"productIdentifier":"com.app.monthly","price":"9.99","currency":"USD","#
        + #""transactionId":"1001","reported_at":"2024-05-01T10:00:07Z"}"#
    ),
    (
      "apphud",
      #"{"reported_at":"2024-05-01T10:00:07Z","transaction_id":"1001","#
        + #""product_info":{"product_id":"com.app.monthly","price":9.989999771118164,"#
        + #""currency_code":"USD"}}"#
    ),
    (
      "superwall",
      #"{"reported_at":"2024-05-01T10:00:07Z","#
        + #""payload":{"primary_product_id":"com.app.monthly","product_raw_price":9.99,"#
        + #""product_price":"$9.99","product_currency_code":"USD","store_transaction_id":"1001"}}"#
    ),
  ])
  func `a purchase brings its transaction and its time`(_ given: (String, String)) throws {
    let content = try Self.read(given.1, given.0)
    #expect(content.codes == [] && content.reportLines == ["\(Self.monthly) - - 1001 |"])
  }

  @Test func `the time of the record goes before that of a transaction`() throws {
    let replayed = """
      {"productId":"com.app.monthly","price":9.99,"currency":"USD",\
      "transactionDate":1600000000000}
      """
    let content = try Self.read(Self.record(replayed), "react_native_iap")
    #expect(content.reportLines == ["\(Self.monthly) c-1 USA - |"])
  }

  @Test(arguments: [
    (
      "amplitude",
      #"{"event_type":"revenue_amount","time":1714557607000,"platform":"iOS","#
        + #""event_properties":{"$productId":"com.app.monthly","$price":9.99,"$currency":"USD"}}"#
    ),
    (
      "ga4",
      #"{"event_name":"in_app_purchase","event_timestamp":"1714557607000000","platform":"iOS","#
        + #""event_params":[{"key":"product_id","value":{"string_value":"com.app.monthly"}},"#
        + #"{"key":"value","value":{"int_value":"19980000"}},{"key":"quantity","#
        + #""value":{"int_value":"2"}},{"key":"currency","value":{"string_value":"USD"}}]}"#
    ),
    (
      "appsflyer",
      #"{"event_name":"af_purchase","event_time":"2024-05-01 10:00:07","platform":"iOS","#
        + #""event_value":"{\"af_content_id\":\"com.app.monthly\",\"af_price\":\"9.99\","#
        + #"\"af_currency\":\"USD\"}"}"#
    ),
    (
      "branch",
      #"{"name":"PURCHASE","timestamp":1714557607000,"user_data":{"os":"iOS"},"#
        + #""event_data":{"currency":"USD"},"content_items":[{"$sku":"com.app.monthly","#
        + #""$price":9.99}]}"#
    ),
  ])
  func `a purchase in another store is counted apart`(_ given: (format: String, event: String))
    throws
  {
    let content = try Self.read(given.event, given.format)
    #expect(content.codes == [] && content.reportLines == ["\(Self.monthly) - - - |"])
    let other = try Self.read(given.event.replacing("iOS", with: "Android"), given.format)
    #expect(other.reportLines == [] && other.codes == [] && other.notices.otherEvents == 1)
  }

  @Test func `events of one's own choice leave out other stores, too`() throws {
    let event = """
      {"type":"NON_RENEWING_PURCHASE","store":"PLAY_STORE","product_id":"p","currency":"KRW",\
      "price_in_purchased_currency":9000,"purchased_at_ms":1714557607000,"transaction_id":"1001"}
      """
    let names = ["NON_RENEWING_PURCHASE"]
    let content = try Self.read(event, "revenuecat_webhook", events: names)
    #expect(content.reportLines == [] && content.notices.otherEvents == 1)
    let own = try Self.read(
      event.replacing("PLAY_STORE", with: "APP_STORE"), "revenuecat_webhook", events: names)
    #expect(own.reportLines == ["p charged KRW 9000000 \(Self.time) - - 1001 |"])
  }

  @Test func `a restored purchase shows today's price, and is no evidence`() throws {
    let event = """
      {"_eventName":"fb_mobile_purchase_restored","_logTime":1714557607,"_valueToSum":9.99,\
      "fb_content_id":"p","fb_currency":"USD","fb_transaction_id":"1001"}
      """
    let content = try Self.read(event, "facebook")
    #expect(content.reportLines == [] && content.notices.otherEvents == 1)
  }

  @Test func `the raw data of AppsFlyer is read under the names of its columns`() throws {
    let table = """
      AppsFlyer ID,Event Time,Event Name,Event Value,Event Revenue Currency,Platform,\
      Customer User ID,Country Code
      1,2024-05-01 10:00:07,af_purchase,\
      "{""af_content_id"":""com.app.monthly"",""af_price"":9.99}",USD,ios,c-1,PL
      1,2024-05-01 10:00:08,af_login,,,ios,c-1,PL
      """
    let content = try Self.read(table, "appsflyer")
    #expect(content.codes == [] && content.notices.otherEvents == 1)
    // The country is where the phone was, which is not the storefront.
    #expect(content.reportLines == ["\(Self.monthly) c-1 - - |"])
  }

  /// In these exports 5.92 is the price in dollars and 7.90 the price in euros.
  ///
  /// So 5.92 EUR is wrong.
  @Test(arguments: [
    (
      "product_id,price,price_in_purchased_currency,currency,reported_at\n"
        + "p,5.92,7.90,EUR,1714557607\n",
      [], "revenuecat_webhook"
    ),
    (
      #"{"event":{"product_id":"p","price":5.92,"price_in_purchased_currency":7.90,"#
        + #""currency":"EUR","purchased_at_ms":1714557607000}}"#,
      ["event.product_id", "event.price", "event.currency", "event.purchased_at_ms"],
      "revenuecat_webhook"
    ),
    (
      #"{"at":1714557607,"p":{"vendor_product_id":"p","price_usd":5.92,"price_local":7.90,"#
        + #""currency":"EUR"}}"#,
      ["p.vendor_product_id", "p.price_usd", "p.currency", "at"], "adapty_webhook"
    ),
    (
      #"{"reported_at":1714557607,"payload":{"product_id":"p","price":5.92,"#
        + #""price_in_purchased_currency":7.90,"currency":"EUR"}}"#,
      [], "revenuecat_webhook"
    ),
  ])
  func `keys and tables are no way around the mark of a format`(
    _ given: (text: String, paths: [String], format: String)
  ) throws {
    let names = ["product_id", "price", "currency", "reported_at"]
    let content = try prices(
      given.text, keys: zip(names, given.paths).map { (key: $0, paths: [$1]) })
    #expect(content.reportLines == [])
    #expect(content.rejects.map(\.reason) == [.priceUnnamedFormat])
    #expect(content.rejects.allSatisfy { $0.detail.hasSuffix("format \(given.format)") })
    var limits = ExportLimits()
    limits.reportsAllFaults = true
    let layout = try PriceLayout(
      format: nil, keys: zip(names, given.paths).map { (key: $0, paths: [$1]) })
    let preview = try readExport(
      bytes: Array(given.text.utf8), name: "p.txt", kind: .prices,
      fieldMapping: FieldMapping(layout: layout, namesUnit: false), limits: limits)
    #expect(!preview.previews.flatMap(\.fields).contains { $0.name == "mark" })
    // A mapping to the local price is correct.
    let local = given.paths.map { path in
      path.replacing("price_usd", with: "price_local").replacing(
        ".price", with: ".price_in_purchased_currency"
      ).replacing("price_in_purchased_currency_local", with: "price_local")
    }
    guard !local.isEmpty else { return }
    let meant = try prices(given.text, keys: zip(names, local).map { (key: $0, paths: [$1]) })
    #expect(meant.reportLines == ["p list EUR 7900 \(Self.time) - - - |"])
  }
}
