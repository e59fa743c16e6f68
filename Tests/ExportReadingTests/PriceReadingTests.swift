internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing
internal import TestSupport

struct PriceReadingTests {
  static let own = #"""
    {"reported_at":"2021-04-28T19:42:01Z","customer_id":"c-1","transaction_id":"1000000831360853",
    "product_id":"basic","storefront":"USA","currency":"USD","price":"9.99",
    "introductory_price":{"price":"0.99","payment_mode":"pay_as_you_go","number_of_periods":3,"subscription_period":"P1M"},
    "discounts":[{"identifier":"win50","price":"4.99","payment_mode":"pay_up_front","number_of_periods":1,"subscription_period":"P3M"},
    {"identifier":"free","price":0,"number_of_periods":"1","subscription_period":"P1W"}],
    "applied_discount":"win50"}
    """#.replacing("\n", with: "")
  static let storeKit = #"""
    {"reportedAt":1619638921000,"appUserId":"c-1","transactionIdentifier":"1000000831360853",
    "productIdentifier":"basic","countryCode":"us","priceLocale":{"currencyCode":"USD","identifier":"en_US"},"price":9.9900000000000002,
    "introductoryPrice":{"price":0.99,"paymentMode":0,"numberOfPeriods":3,"subscriptionPeriod":{"unit":2,"numberOfUnits":1},"type":0},
    "discounts":[{"identifier":"free","price":0.0,"paymentMode":2,"numberOfPeriods":1,"subscriptionPeriod":{"unit":"week","numberOfUnits":1}},
    {"identifier":"win50","price":4.99,"paymentMode":"payUpFront","numberOfPeriods":1,"subscriptionPeriod":{"unit":"MONTH","value":3}}],
    "paymentDiscount":{"identifier":"win50","keyIdentifier":"k","nonce":"n","signature":"s","timestamp":1}}
    """#.replacing("\n", with: "")

  @Test(arguments: [own, storeKit])
  func `both spellings say the same`(line: String) throws {
    let content = try prices(line)
    #expect(content.rejects.isEmpty)
    let set = content.set
    let report = try #require(set.reports.first)
    #expect(report.customer.map { set.symbols.text($0.symbol) } == "c-1")
    #expect(report.transactionID?.number.rawValue == 1_000_000_831_360_853)
    #expect(set.symbols.text(report.productID.symbol) == "basic")
    #expect(report.storefront?.code == "USA")
    #expect(report.currency.code == "USD")
    #expect(report.price.rawValue == 9990)
    #expect(report.reportedAt == instant("2021-04-28T19:42:01Z"))
    #expect(report.appliedDiscount.map { set.symbols.text($0.symbol) } == "win50")
    let offers = set.offers[report.offers]
    #expect(
      offers.map { $0.offerID.map { set.symbols.text($0.symbol) } } == [nil, "free", "win50"])
    #expect(offers.map(\.price.rawValue) == [990, 0, 4990])
    #expect(offers.map(\.paymentMode) == [.payAsYouGo, .freeTrial, .payUpFront])
    #expect(offers.map(\.numberOfPeriods) == [3, 1, 1])
    #expect(offers.map { $0.period?.text } == ["P1M", "P1W", "P3M"])
  }

  @Test func `equal reports have one identity and are kept once`() throws {
    let content = try prices("\(Self.own)\n\(Self.storeKit)\n\(Self.own)\n\(Self.own) ")
    #expect(content.tally.used == 1)
    #expect(content.tally.duplicates == 3)
    #expect(content.set.reports.map(\.source.line) == [1])
    #expect(content.set.offers.count == 3)
  }

  @Test func `the identity is the first eight bytes of a SHA-256`() throws {
    // printf 'c-1\x1f1000000831360853\x1fbasic\x1fUSA\x1fUSD\x1f1619638921000\x1f9990\x1fwin50
    // \x1f\x1f990\x1fpay_as_you_go\x1f3\x1fP1M\x1ffree\x1f0\x1ffree_trial\x1f1\x1fP1W
    // \x1fwin50\x1f4990\x1fpay_up_front\x1f1\x1fP3M' (on one line) | sha256sum
    let report = try #require(try prices(Self.own).set.reports.first)
    #expect(report.evidenceID == 0x2DD15335360B6EE4)
    #expect(report.evidenceID >= 0)
  }

  @Test(arguments: [
    #""customer_id":"c-2""#, #""customer_id":"c-1","transaction_id":"7""#,
    #""customer_id":"c-1","storefront":"USA""#, #""customer_id":"c-1","applied_discount":"a""#,
    #""customer_id":"c-1","introductory_price":{"price":0}"#,
    #""customer_id":"c-1","introductory_price":{"price":0,"number_of_periods":2}"#,
    #""customer_id":"c-1","discounts":[{"identifier":"a","price":0}]"#,
    #""customer_id":"c-1","discounts":[{"identifier":"b","price":0}]"#,
    #""customer_id":"c-1","discounts":[{"identifier":"b","price":"0.01","payment_mode":0}]"#,
    #""customer_id":"c-1","discounts":[{"identifier":"b","price":"0.01","payment_mode":1}]"#,
  ])
  func `any difference in content is another identity`(more: String) throws {
    let content = try prices("\(report(more: #""customer_id":"c-1""#))\n\(report(more: more))")
    #expect(content.set.reports.count == 2)
    #expect(Set(content.set.reports.map(\.evidenceID)).count == 2)
  }

  @Test(arguments: [
    (#""9.99""#, 9990), ("9.99", 9990), (#""9.990000000000000213""#, 9990),
    ("4.9900000000000002", 4990), ("4.989999999999999", 4990),
    (#""120""#, 120_000), ("120.0", 120_000), (#""1.250""#, 1250), ("0", 0),
    ("1000000000", 1_000_000_000_000),
  ])
  func `a price is exact from its digits`(text: String, milliunits: Int64) throws {
    let content = try prices(report(price: #""price":\#(text),"#))
    #expect(content.set.reports.map(\.price.rawValue) == [milliunits])
  }

  @Test(arguments: [
    (#""2021-04-28T19:42:01Z""#, "2021-04-28T19:42:01Z"),
    (#""2021-04-28T21:42:01+02:00""#, "2021-04-28T19:42:01Z"),
    ("1619638921000", "2021-04-28T19:42:01Z"), (#""1619638921000""#, "2021-04-28T19:42:01Z"),
  ])
  func `a report's time is a date or milliseconds`(text: String, time: String) throws {
    let content = try prices(report(time: #""reported_at":\#(text),"#))
    #expect(content.set.reports.map(\.reportedAt) == [instant(time)])
  }

  @Test func `an embedded report takes what it lacks from its record`() throws {
    func line(_ report: String, receivedAt: String) -> String {
      #"{"price_report":\#(report),"response":\#(sound()),"customer_id":"c-7","storefront":"DE"\#(receivedAt)}"#
    }
    let bare = report(time: "", more: #""transaction_id":"1001""#)
    let received = try receipts(
      line(bare, receivedAt: #","received_at":"2021-01-01T00:00:00Z""#)
    ).set
    let report1 = try #require(received.reports.first)
    #expect(report1.reportedAt == instant("2021-01-01T00:00:00Z"))
    #expect(report1.customer.map { received.symbols.text($0.symbol) } == "c-7")
    #expect(report1.storefront?.code == "DEU")
    // Without a time in the record, the snapshot's time is used: here the newest purchase,
    // 1,600,000,000 s.
    let snapshot = try receipts(line(bare, receivedAt: "")).set
    #expect(snapshot.reports.first?.reportedAt == instant("2020-09-13T12:26:40Z"))
    // The report's own customer and storefront have priority.
    let own = try receipts(
      line(report(more: #""customer_id":"x","storefront":"FRA""#), receivedAt: ""))
    let report2 = try #require(own.set.reports.first)
    #expect(report2.customer.map { own.set.symbols.text($0.symbol) } == "x")
    #expect(report2.storefront?.code == "FRA")
    #expect(report2.reportedAt == instant("2021-04-28T19:42:01Z"))
  }

  @Test(arguments: [
    (report(price: #""price":"4,99","#), RejectReason.priceNotADecimal, "price_report.price"),
    (report(product: ""), .priceWithoutProduct, "price_report.product_id"),
    ("[1]", .wrongType, "price_report.price_report"),
    (report(more: #""price":"1""#), .duplicateKey, "price_report.price"),
    (
      report(more: #""discounts":[{"identifier":"a","price":"x"}]"#), .priceNotADecimal,
      "price_report.discounts.price"
    ),
  ])
  func `a bad embedded report does not cost the receipt`(
    report: String, reason: RejectReason, detail: String
  ) throws {
    let content = try receipts(#"{"price_report":\#(report),"response":\#(sound())}"#)
    #expect(content.tally.used == 1)
    #expect(content.ids == ["1001"])
    #expect(content.set.reports.isEmpty)
    #expect(content.set.offers.isEmpty)
    #expect(content.codes == ["1 \(reason.rawValue)"])
    #expect(content.rejects.first?.detail == detail)
    #expect(content.notices.rejectedReports == 1)
  }

  @Test(arguments: [
    (#""productId":"b""#, "duplicate_key product_id occurs twice"),
    (#""customer_id":"c","customerId":"d""#, "duplicate_key customer_id occurs twice"),
    (#""app_user_id":"c","appUserId":"d""#, "duplicate_key app_user_id occurs twice"),
    (#""customer_id":"c","app_user_id":"d""#, nil),
    (#""storefront":"USA","store_country":"DEU""#, nil),
    (#""reported_at_ms":"2021-04-28T19:42:01Z""#, "price_invalid_time reported_at"),
    (#""reported_at_ms":1619638921000"#, nil),
    (#""applied_discount":{"offer_id":"a"}"#, nil), (#""payload":{"price":"1"}"#, nil),
    (#""currency":{"code":"USD"}"#, "duplicate_key currency occurs twice"),
    (#""transaction_id":["1"]"#, "wrong_type transaction_id"),
    (
      #""priceMicros":null"#,
      "price_unnamed_format found priceMicros beside price: name the format cordova"
    ),
  ])
  func `a key of the own form has one name and one type`(more: String, reject: String?) throws {
    let content = try prices(report(more: more))
    let rejects = content.rejects.map { "\($0.reason.rawValue) \($0.detail.prefix { $0 != "," })" }
    #expect(rejects == (reject.map { [$0] } ?? []))
    #expect(content.set.reports.map(\.price.rawValue) == (reject == nil ? [9990] : []))
  }

  @Test func `a report inside a sandbox response is left out, counted`() throws {
    let line =
      #"{"price_report":\#(report()),"response":\#(response(row: fields("1"), more: #","environment":"Sandbox""#))}"#
    let content = try receipts(line)
    #expect(content.set.reports.isEmpty)
    #expect(content.notices.sandboxReports == 1)
    #expect(content.tally.used == 1)
  }

  /// Request bodies of one SDK in several forms.
  ///
  /// Keys of the same name in other places are not offers.
  @Test(arguments: [
    (#""offers":[{"offer_identifier":"o","payment_mode":0,"price":"12"}]"#, 1),
    (#""payment_mode":0"#, 0),
    (#""introductory_price":"4.99","payment_mode":1,"intro_duration":"P3M""#, 1),
    (#""introductory_price":0,"intro_duration":"P3D""#, 1),
    (#""introductory_price":null,"discounts":null,"offers":[]"#, 0),
  ])
  func `the bodies of an SDK's requests are understood`(more: String, offers: Int) throws {
    let content = try prices(
      report(
        currency: #""currency":"UYU","#, more: #""app_user_id":"u","store_country":"ESP",\#(more)"#)
    )
    #expect(content.rejects.isEmpty)
    #expect(content.set.reports.first?.offers.count == offers)
    #expect(content.set.reports.first?.storefront?.code == "ESP")
    #expect(content.set.reports.first?.currency.code == "UYU")
  }
}
