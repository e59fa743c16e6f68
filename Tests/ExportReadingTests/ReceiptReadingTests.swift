internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing
internal import TestSupport

/// A response and the expected values of its record.
struct OriginCase: Sendable, CustomTestStringConvertible {
  var story: String
  var line: String
  var at: String?
  var isSandbox = false
  var testDescription: String { story }
}

struct ReceiptReadingTests {
  @Test func `a row keeps every field`() throws {
    let row = #"""
      "quantity":"2","product_id":"pro.monthly","transaction_id":"370000534697384",
      "original_transaction_id":"370000534697380","purchase_date_ms":"1596222702000",
      "purchase_date":"2020-07-31 19:11:42 Etc/GMT","original_purchase_date_ms":"1596222703197",
      "expires_date_ms":"1598901102000","web_order_line_item_id":"370000180000001",
      "is_trial_period":"false","is_in_intro_offer_period":"true","is_upgraded":"true",
      "cancellation_date":"2020-08-02 07:00:00 Etc/GMT","cancellation_reason":"0",
      "promotional_offer_id":"win50","offer_code_ref_name":"Frühling",
      "in_app_ownership_type":"FAMILY_SHARED","subscription_group_identifier":"20611001",
      "app_account_token":"x"
      """#
    let content = try receipts(response(row: row).replacing("\n", with: " "))
    let set = content.set
    let observation = try #require(set.observations.first)
    #expect(observation.rank == .latest)
    #expect(observation.quantity == 2)
    #expect(set.symbols.text(observation.productID.symbol) == "pro.monthly")
    #expect(observation.transactionID.number.rawValue == 370_000_534_697_384)
    #expect(observation.originalTransactionID.number.rawValue == 370_000_534_697_380)
    #expect(observation.lineItemID?.number.rawValue == 370_000_180_000_001)
    #expect(observation.purchasedAt == instant("2020-07-31T19:11:42Z"))
    #expect(observation.originalPurchasedAt?.milliseconds == 1_596_222_703_197)
    #expect(observation.expiresAt == instant("2020-08-31T19:11:42Z"))
    #expect(observation.cancelledAt == instant("2020-08-02T07:00:00Z"))
    #expect(observation.cancellationReason.map(set.symbols.text) == "0")
    #expect(observation.isTrialPeriod == false)
    #expect(observation.isInIntroOfferPeriod == true)
    #expect(observation.isUpgraded == true)
    #expect(observation.promotionalOfferID.map { set.symbols.text($0.symbol) } == "win50")
    #expect(observation.offerCodeRefName.map { set.symbols.text($0.symbol) } == "Frühling")
    #expect(observation.subscriptionGroupID.map { set.symbols.text($0.symbol) } == "20611001")
    #expect(observation.ownership == .familyShared)
  }

  @Test func `absent, null and empty fields stay absent`() throws {
    let row = fields("1") + #","expires_date":"","cancellation_date":null,"is_trial_period":null"#
    let content = try receipts(response(row: row + #","promotional_offer_id":"""#))
    let observation = try #require(content.set.observations.first)
    #expect(observation.quantity == 1)
    #expect(observation.isTrialPeriod == nil)
    #expect(observation.isUpgraded == nil)
    #expect(observation.expiresAt == nil)
    #expect(observation.cancelledAt == nil)
    #expect(observation.promotionalOfferID == nil)
    #expect(observation.ownership == nil)
    #expect(observation.lineItemID == nil)
    #expect(observation.originalTransactionID.number == observation.transactionID.number)
  }

  @Test(arguments: [
    ("true", true), (#""true""#, true), ("1", true), (#""1""#, true), ("false", false),
    (#""false""#, false), ("0", false), (#""0""#, false),
  ])
  func `a flag is read from text, number and boolean`(text: String, value: Bool) throws {
    let content = try receipts(response(row: fields("1") + #","is_trial_period":\#(text)"#))
    #expect(content.set.observations.first?.isTrialPeriod == value)
  }

  @Test(arguments: [
    ("numbers", #""transaction_id":1001,"product_id":7,"purchase_date_ms":1600000000000"#),
    ("a fraction", #""transaction_id":1001,"product_id":7,"purchase_date_ms":1600000000000.7"#),
    (
      "a date text",
      #""transaction_id":1001,"product_id":7,"purchase_date":"2020-09-13 12:26:40 Etc/GMT""#
    ),
    (
      "escapes",
      #""transaction\u005fid":"\u0031001","product_id":"\u0037","purchase_date_ms":"160\u0030000000000""#
    ),
    (
      "another order",
      #""purchase_date_ms":"1600000000000","x":[{"a":[]}],"product_id":"7","transaction_id":"1001""#
    ),
  ])
  func `the same row is read however it is written`(story: String, row: String) throws {
    let content = try receipts(response(row: row))
    let observation = try #require(content.set.observations.first)
    #expect(content.ids == ["1001"])
    #expect(content.set.symbols.text(observation.productID.symbol) == "7")
    #expect(observation.purchasedAt.milliseconds == 1_600_000_000_000)
  }

  @Test(arguments: [
    ("1.6e12", 1_600_000_000_000), ("1.600000000001E+12", 1_600_000_000_001),
    ("16e11", 1_600_000_000_000), ("1600000000000.9", 1_600_000_000_000),
    ("1.6000000000005e12", 1_600_000_000_000), ("7e3", 7000), ("-1.5e3", -1500), ("-1.5", -2),
  ])
  func `milliseconds are whole, however the number is written`(text: String, value: Int64) throws {
    let row = #""transaction_id":"1","product_id":"a","purchase_date_ms":\#(text)"#
    let content = try receipts(response(row: row))
    #expect(content.set.observations.first?.purchasedAt.milliseconds == value)
  }

  @Test(arguments: ["1.6e", "1e99", "1.6e-3", "16e+", "1e1000", "1.6e12x"])
  func `a text that is no number of milliseconds is no time`(text: String) throws {
    let row = #""transaction_id":"1","product_id":"a","purchase_date_ms":"\#(text)""#
    #expect(try receipts(response(row: row)).codes == ["1 no_usable_row", "1 row_invalid_date"])
  }

  @Test(arguments: [#""in_app":"""#, #""in_app":{}"#, #""in_app":null"#])
  func `a part that says nothing is no fault, and the rows beside it are used`(part: String) throws
  {
    let line = sound().replacing(#"{"status":0,"#, with: #"{"status":0,"receipt":{\#(part)},"#)
    let content = try receipts(line)
    #expect(content.codes.isEmpty)
    #expect(content.set.observations.count == 1)
  }

  @Test func `one renewal state may stand without its list`() throws {
    let state = #"{"original_transaction_id":"1","auto_renew_status":"1"}"#
    for (text, count) in [(state, 1), ("[\(state)]", 1), ("{}", 0), (#""""#, 0)] {
      let line = sound().replacing(
        #"{"status":0,"#, with: #"{"status":0,"pending_renewal_info":\#(text),"#)
      let content = try receipts(line)
      #expect(content.codes.isEmpty)
      #expect(content.set.renewals.count == count, "\(text)")
    }
  }

  @Test func `milliseconds win over the text beside them`() throws {
    let row = fields("1") + #","purchase_date":"1999-01-01 00:00:00 Etc/GMT""#
    let content = try receipts(response(row: row))
    #expect(content.set.observations.first?.purchasedAt.milliseconds == 1_600_000_000_000)
  }

  static let origins: [OriginCase] = [
    OriginCase(
      story: "the newest purchase, without anything else", line: sound(), at: "2020-09-13T12:26:40Z"
    ),
    OriginCase(
      story: "the record's time",
      line: #"{"received_at":"2021-01-01T00:00:00Z","response":\#(sound())}"#,
      at: "2021-01-01T00:00:00Z"),
    OriginCase(
      story: "the request's time wins",
      line:
        #"{"received_at":"2021-01-01T00:00:00Z","response":{"status":0,"receipt":{"request_date_ms":"1614556800000","in_app":[]}}}"#,
      at: "2021-03-01T00:00:00Z"),
    OriginCase(
      story: "the request's text",
      line: #"{"status":0,"receipt":{"request_date":"2021-03-01 00:00:00 Etc/GMT"}}"#,
      at: "2021-03-01T00:00:00Z"),
    OriginCase(
      story: "no time at all: nothing is kept, and the record is used",
      line: #"{"status":0,"pending_renewal_info":[{"original_transaction_id":"1"}]}"#, at: nil),
    OriginCase(
      story: "sandbox by environment",
      line: response(row: fields("1"), more: #","environment":"Sandbox""#),
      at: "2020-09-13T12:26:40Z", isSandbox: true),
    OriginCase(
      story: "notifications write PROD",
      line: response(row: fields("1"), more: #","environment":"PROD""#),
      at: "2020-09-13T12:26:40Z"),
    OriginCase(
      story: "sandbox by receipt type",
      line: response(row: fields("1"), more: #","receipt":{"receipt_type":"ProductionSandbox"}"#),
      at: "2020-09-13T12:26:40Z", isSandbox: true),
    OriginCase(
      story: "the environment wins over the receipt type",
      line: response(
        row: fields("1"),
        more: #","environment":"Production","receipt":{"receipt_type":"ProductionSandbox"}"#),
      at: "2020-09-13T12:26:40Z"),
    OriginCase(
      story: "21007 is a sandbox receipt",
      line: #"{"received_at":"2021-01-01T00:00:00Z","response":{"status":21007}}"#,
      at: "2021-01-01T00:00:00Z", isSandbox: true),
  ]

  @Test(arguments: origins)
  func `a record says when and where Apple answered`(_ story: OriginCase) throws {
    let content = try receipts(story.line)
    #expect(content.tally.used == 1)
    #expect(content.set.records.map(\.snapshotAt) == (story.at.map { [instant($0)] } ?? []))
    #expect(content.set.records.allSatisfy { $0.isSandbox == story.isSandbox })
    #expect(story.at != nil || content.set.renewals.isEmpty)
  }

  @Test(arguments: [
    (#"{"status":21006,"receipt":{FIELDS},"latest_expired_receipt_info":{FIELDS}}"#, 1),
    (#"{"latest_receipt_info":{FIELDS}}"#, 1), (#"{"status":"0","latest_receipt_info":[]}"#, 0),
    (#"{"status":0}"#, 0), (#"{"status":21007,"latest_receipt_info":[{FIELDS}]}"#, 0),
    (#"{"status":21010,"latest_receipt_info":[{FIELDS}]}"#, 0),
    (#"{"status":0,"latest_receipt_info":{}}"#, 0), (#"{"receipt":{"in_app":[]}}"#, 0),
    (#"{"status":0,"receipt":"MIIT","latest_receipt":"MIIT","latest_receipt_info":null}"#, 0),
  ])
  func `a status decides whether rows count`(line: String, rows: Int) throws {
    let content = try receipts(line.replacing("FIELDS", with: fields("1")))
    #expect(content.tally.used == 1)
    #expect(content.rejects.isEmpty)
    #expect(content.set.observations.count == rows)
  }

  @Test func `sandbox receipts and deleted accounts are noticed`() throws {
    let content = try receipts("{\"status\":21007}\n{\"status\":21010}\n{\"status\":21010 }")
    #expect(content.notices.sandboxReceipts == 1)
    #expect(content.notices.deletedAccounts == 2)
  }

  @Test func `a flat receipt of iOS 6 is a row, its bundle and its renewal`() throws {
    let content = try receipts(
      #"""
      {"status":21006,"auto_renew_status":0,"auto_renew_product_id":"pro","expiration_intent":"1",
      "receipt":{"bid":"com.example.app","transaction_id":"1001","original_transaction_id":"900",
      "product_id":"pro","purchase_date":"2014-04-27 21:08:00 Etc/GMT",
      "expires_date":"1401224880000","expires_date_formatted":"2014-05-27 21:08:00 Etc/GMT"}}
      """#.replacing("\n", with: ""))
    let set = content.set
    let row = try #require(set.observations.first)
    #expect(row.rank == .inApp)
    // 1401224880 is 2014-05-27 21:08:00 UTC, as in the formatted text.
    #expect(row.expiresAt == instant("2014-05-27T21:08:00Z"))
    #expect(set.records.first?.bundle.map { set.symbols.text($0.symbol) } == "com.example.app")
    let renewal = try #require(set.renewals.first)
    #expect(renewal.autoRenewStatus == false)
    #expect(renewal.originalTransactionID.number.rawValue == 900)
    #expect(renewal.expirationIntent.map(set.symbols.text) == "1")
  }

  @Test func `a version 1 notification is read from its unified receipt`() throws {
    let content = try receipts(
      #"""
      {"notification_type":"DID_RENEW","password":"secret-\u0000","environment":"PROD","bid":"my.app",
      "auto_renew_status":"true","auto_renew_product_id":"pro","unified_receipt":{"status":0,
      "environment":"Production","latest_receipt_info":[{\#(fields("1001"))}],
      "pending_renewal_info":[{"original_transaction_id":"1001","auto_renew_status":"1",
      "auto_renew_product_id":"pro","is_in_billing_retry_period":"0","price_consent_status":"0",
      "grace_period_expires_date":"","product_id":"pro","price_increase_status":"1"}]}}
      """#.replacing("\n", with: ""))
    let set = content.set
    #expect(content.ids == ["1001"])
    #expect(set.records.first?.isSandbox == false)
    #expect(set.records.first?.bundle.map { set.symbols.text($0.symbol) } == "my.app")
    #expect(set.renewals.count == 1)
    #expect(set.renewals.first?.isInBillingRetry == false)
    #expect(set.renewals.first?.priceConsentStatus.map(set.symbols.text) == "0")
    #expect(set.renewals.first?.priceIncreaseStatus.map(set.symbols.text) == "1")
    let texts = (0..<UInt32(set.symbols.count)).map { set.symbols.text(Symbol(rawValue: $0)) }
    #expect(!texts.contains { $0.contains("secret") })
  }

  @Test func `a renewal that is told for no single chain is left out`() throws {
    let two =
      #"{"status":0,"auto_renew_status":1,"latest_receipt_info":[{\#(fields("1"))},{\#(fields("2"))}]}"#
    #expect(try receipts(two).set.renewals.isEmpty)
  }

  @Test(arguments: ["object", "text"])
  func `a record around a response names customer and storefront`(form: String) throws {
    let inner = response(row: fields("1001"), more: #","environment":"Production""#)
    let text = "\"\(inner.replacing("\"", with: "\\\""))\""
    let line =
      #"{"app_user_id":"u-9","status":"active","store_country":"pl","environment":"sandbox","#
      + #""response":\#(form == "text" ? text : inner)}"#
    let set = try receipts(line).set
    let record = try #require(set.records.first)
    #expect(record.customer.map { set.symbols.text($0.symbol) } == "u-9")
    #expect(record.storefront?.code == "POL")
    #expect(!record.isSandbox)
    #expect(set.observations.count == 1)
  }

  @Test func `an in_app row that says nothing more than a latest row is dropped`() throws {
    let more = #","web_order_line_item_id":"5","expires_date_ms":"1602592000000""#
    func line(inApp: String) -> String {
      #"{"status":0,"receipt":{"in_app":[{\#(fields("8"))},{\#(inApp)},{\#(fields("9"))}]},"#
        + #""latest_receipt_info":[{\#(fields("7"))},{\#(fields("1"))\#(more)}]}"#
    }
    #expect(try receipts(line(inApp: fields("1") + more)).ids == ["8", "9", "7", "1"])
    #expect(try receipts(line(inApp: fields("1"))).ids == ["8", "9", "7", "1"])
    // An `in_app` row stays if it has another value than the latest row, or a value that the latest
    // row lacks.
    let later = fields("1") + #","expires_date_ms":"1602592000001""#
    #expect(try receipts(line(inApp: later)).ids == ["8", "1", "9", "7", "1"])
    let trial = fields("1") + more + #","is_trial_period":"true""#
    #expect(try receipts(line(inApp: trial)).ids == ["8", "1", "9", "7", "1"])
  }

  @Test func `many rows in both lists are compared without every pair`() throws {
    // 300 × 300 pairs are not compared one by one; the result is equal.
    let rows = (0..<300).map { "{\(fields("\(1000 + $0)"))}" }.joined(separator: ",")
    let extra = "{\(fields("5000"))}"
    let content = try receipts(
      #"{"status":0,"receipt":{"in_app":[\#(rows),\#(extra)]},"latest_receipt_info":[\#(rows)]}"#)
    #expect(content.ids.first == "5000")
    #expect(content.ids.dropFirst() == (0..<300).map { "\(1000 + $0)" }[...])
  }

  @Test func `a storefront that is no code is noticed and left out`() throws {
    let content = try receipts(
      #"{"storefront":"Atlantis","received_at":"2021-01-01T00:00:00Z","response":{"status":0}}"#)
    #expect(content.set.records.first?.storefront == nil)
    #expect(content.notices.unreadableStorefronts == 1)
  }
}
