internal import Amounts
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing

/// One unusable line, or a line with an unusable row, and the expected message.
struct RejectCase: Sendable, CustomTestStringConvertible {
  var reason: RejectReason
  var line: String
  var detail: String
  var kind = InputFile.Kind.receipts
  var testDescription: String { "\(reason.rawValue): \(detail)" }
}

struct RejectReasonTests {
  static let syntax: [RejectCase] = [
    // The valid record comes first; byte offsets are counted from its `{"status":0,"latest…`.
    RejectCase(reason: .invalidJSON, line: #"{"status":0,}"#, detail: "at byte 12"),
    RejectCase(
      reason: .invalidJSON, line: #"{"status":0"#, detail: "at byte 11, where it is cut off"),
    RejectCase(reason: .invalidJSON, line: #"{"status":0} {}"#, detail: "at byte 13"),
    RejectCase(reason: .invalidJSON, line: #"{"status":00}"#, detail: "at byte 11"),
    RejectCase(reason: .invalidJSON, line: #"{"x":"\uD800"}"#, detail: "at byte 6"),
    RejectCase(
      reason: .invalidJSON, line: #"{"response":"{\"status\":}"}"#,
      detail: "at byte 10 of the text in response"),
    // The text in response is `{\`, because its string ends at the second quote.
    RejectCase(
      reason: .invalidJSON, line: #"{"response":"{\\"status\\":0}"}"#,
      detail: "at byte 1 of the text in response; its backslashes are doubled, as PostgreSQL's "
        + "COPY writes text: export it with psql -A -t -c, or COPY … TO … (FORMAT csv)"),
    RejectCase(
      reason: .controlCharacter, line: response(row: fields(#"1\u00002"#)),
      detail: "transaction_id"),
    RejectCase(
      reason: .controlCharacter, line: #"{"status":0,"customer_id":"a\nb","received_at":1}"#,
      detail: "customer_id"),
    RejectCase(
      reason: .nestedTooDeep, line: #"{"x":"# + String(repeating: "[", count: 128),
      detail: "nested deeper than 128 levels at byte 132"),
    RejectCase(
      reason: .duplicateKey, line: #"{"status":0,"status":0}"#,
      detail: "status occurs twice, the second time at byte 21"),
    RejectCase(
      reason: .duplicateKey, line: response(row: fields("1") + #","product_id":"b""#),
      detail: "product_id occurs twice, the second time at byte 124"),
    RejectCase(
      reason: .notAnObject, line: "[1,2]  ", detail: "the record is a list, not a JSON object"),
    RejectCase(
      reason: .notAnObject, line: "\"text\"", detail: "the record is a text, not a JSON object"),
    RejectCase(reason: .wrongType, line: #"{"status":"fine"}"#, detail: "status"),
    RejectCase(
      reason: .wrongType, line: #"{"status":0,"in_app":{},"receipt":7}"#, detail: "receipt"),
    RejectCase(
      reason: .wrongType,
      line: response(row: #""transaction_id":1,"product_id":["a"],"purchase_date_ms":1"#),
      detail: "product_id"),
    RejectCase(
      reason: .wrongType, line: response(row: #""transaction_id":1.5,"product_id":"a""#),
      detail: "transaction_id"),
    RejectCase(
      reason: .notAReceipt, line: #"{"customer_id":"c-1"}"#,
      detail: "neither a response, nor a status, nor a transaction"),
  ]

  /// Rows under keys that Apple never uses, in a record without other rows.
  static let misplaced: [RejectCase] = [
    #"{"status":0,"receipt":{"in_app":[]},"rows":[{\#(fields("1"))}]}"#,
    #"{"response":{"status":0,"latest_receipt_infos":{"x":{\#(fields("1"))}},"latest_receipt_info":[]}}"#,
    #"{"response":"{\"status\":0,\"in_app\":[],\"all\":[{\"transaction_id\":\"1\"}]}"}"#,
    #"{"status":0,"receipt":{"in_app":[]},"rows":"[{\"transactionId\":\"1\"}]"}"#,
    #"{"response":{"status":0,"in_app":[],"all":"{\"rows\":\"[{\\\"transactionID\\\":1}]\"}"}}"#,
    #"{"status":0,"in_app":[],"a":[[[[[[[[[{"b":[{"transaction_id":"1"}]}]]]]]]]]]}"#,
  ].map {
    RejectCase(
      reason: .noUsableRow, line: $0,
      detail: "its rows are under a key that Apple does not use: write them as latest_receipt_info"
    )
  }

  @Test(arguments: [
    #"{"transaction_id":"1","response":{"status":0,"receipt":{"in_app":[]}}}"#,
    #"{"events":[{"transaction_id":"1"}],"response":{"status":0,"latest_receipt_info":[]}}"#,
    #"{"response":{"status":21010,"rows":[{"transaction_id":"1"}]}}"#,
    #"{"status":0,"in_app":[],"latest_receipt":"abctransaction_idtransactionIdabc/\/abc=="}"#,
    #"{"status":0,"in_app":[],"note":"no transaction_id","original_transaction_id":"1"}"#,
    #"{"status":0,"in_app":[],"transaction_ids":"","transaction_i":{"transactionIds":[]}}"#,
    #"{"status":0,"in_app":[],"keys":["transaction_id","\"transaction_idx\""]}"#,
  ])
  func `a row beside an answer without rows is none of its rows`(line: String) throws {
    #expect(try receipts(line).codes == [])
  }

  static let statuses: [RejectCase] = [
    (.status21000, 21000), (.status21001, 21001), (.status21002, 21002), (.status21003, 21003),
    (.status21004, 21004), (.status21005, 21005), (.status21008, 21008), (.status21009, 21009),
    (.status211xx, 21100), (.status211xx, 21199), (.statusUnknown, 21099), (.statusUnknown, 1),
    (.statusUnknown, -3),
  ].map { (reason: RejectReason, status: Int) in
    RejectCase(
      reason: reason, line: response(row: fields("1")).replacing(":0,", with: ":\(status),"),
      detail: "status \(status)")
  }

  static let rows: [RejectCase] = [
    RejectCase(
      reason: .wrongType, line: #"{"status":0,"receipt":{"in_app":[7]}}"#, detail: "in_app[0]"),
    RejectCase(
      reason: .wrongType, line: #"{"status":0,"latest_receipt_info":"none"}"#,
      detail: "latest_receipt_info"),
    RejectCase(
      reason: .idTooLong,
      line: response(
        row: #""transaction_id":"1","purchase_date_ms":"1600000000000","product_id":""#
          + String(repeating: "p", count: 513) + "\""),
      detail: "latest_receipt_info[0].product_id"),
    RejectCase(
      reason: .rowWithoutTransactionID,
      line: response(row: #""product_id":"a","purchase_date_ms":"1600000000000""#),
      detail: "latest_receipt_info[0].transaction_id"),
    RejectCase(
      reason: .rowWithoutProductID,
      line: response(row: #""transaction_id":"1","purchase_date_ms":"1600000000000""#),
      detail: "latest_receipt_info[0].product_id"),
    RejectCase(
      reason: .rowWithoutPurchaseDate, line: response(row: #""transaction_id":1,"product_id":"a""#),
      detail: "latest_receipt_info[0].purchase_date"),
    RejectCase(
      reason: .rowInvalidFlag, line: response(row: fields("1") + #","is_trial_period":"yes""#),
      detail: "latest_receipt_info[0].is_trial_period"),
    RejectCase(
      reason: .rowInvalidFlag, line: response(row: fields("1") + #","is_upgraded":2"#),
      detail: "latest_receipt_info[0].is_upgraded"),
    RejectCase(
      reason: .rowInvalidDate, line: response(row: fields("1") + #","expires_date":"soon""#),
      detail: "latest_receipt_info[0].expires_date"),
    RejectCase(
      // The year is 33,658, which has more than four digits.
      reason: .rowInvalidDate,
      line: response(row: fields("1") + #","expires_date_ms":"1000000000000000""#),
      detail: "latest_receipt_info[0].expires_date"),
    RejectCase(
      reason: .rowInvalidQuantity, line: response(row: fields("1") + #","quantity":"-1""#),
      detail: "latest_receipt_info[0].quantity"),
    RejectCase(
      reason: .rowInvalidQuantity, line: response(row: fields("1") + #","quantity":1000001"#),
      detail: "latest_receipt_info[0].quantity"),
    RejectCase(
      // From 1970 to 2099.
      reason: .impossiblePeriod,
      line: response(row: fields("1") + #","expires_date_ms":"4070908800000""#),
      detail: "latest_receipt_info[0].expires_date"),
  ]

  static let renewals: [RejectCase] = [
    RejectCase(
      reason: .wrongType,
      line: #"{"status":0,"receipt":{"request_date_ms":"1628533562000"},"pending_renewal_info":"#
        + #"[{"original_transaction_id":"1"},null]}"#, detail: "pending_renewal_info[1]"),
    RejectCase(
      reason: .rowWithoutTransactionID,
      line: #"{"status":0,"pending_renewal_info":[{"auto_renew_status":"1"}]}"#,
      detail: "pending_renewal_info[0].original_transaction_id"),
    RejectCase(
      reason: .rowWithoutPurchaseDate,
      line: #"{"status":0,"pending_renewal_info":[{"original_transaction_id":"1"}]}"#,
      detail: "pending_renewal_info[0].request_date"),
  ]

  static let prices: [RejectCase] = [
    (.priceWithoutProduct, report(product: ""), "product_id"),
    (.priceWithoutCurrency, report(currency: #""priceLocale":{},"#), "currency"),
    (.priceWithoutPrice, report(price: ""), "price"),
    (.priceWithoutPrice, report(price: #""price":null,"#), "price"),
    (.priceWithoutTime, report(time: ""), "reported_at"),
    (.priceInvalidCurrency, report(currency: #""currency":"US$","#), "currency"),
    (.priceNotADecimal, report(price: #""price":"4,99","#), "price"),
    (.priceNotADecimal, report(price: #""price":"NaN","#), "price"),
    (.priceNotADecimal, report(price: #""price":true,"#), "price"),
    (.priceHasExponent, report(price: #""price":1e3,"#), "price"),
    (.priceNegative, report(price: #""price":-4.99,"#), "price"),
    (.priceTooPrecise, report(price: #""price":"4.9901","#), "price"),
    (.priceTooPrecise, report(price: #""price":4.9901,"#), "price"),
    (
      .priceUnnamedFormat,
      report(price: #""price":5.92,"price_in_purchased_currency":7900,"#),
      "found price_in_purchased_currency beside price: name the format revenuecat_webhook"
    ),
    (.priceTooLarge, report(price: #""price":1000000000.001,"#), "price"),
    (.priceInvalidTime, report(time: #""reported_at":"today","#), "reported_at"),
    (.priceInvalidTime, report(time: #""reported_at":641331721,"#), "reported_at"),
    (
      .priceInvalidOffer, report(more: #""introductory_price":{"payment_mode":2}"#),
      "introductory_price.price"
    ),
    (
      .priceInvalidOffer,
      report(more: #""introductory_price":{"price":"1","payment_mode":"half"}"#),
      "introductory_price.payment_mode"
    ),
    (
      .priceInvalidOffer, report(more: #""introductory_price":{"price":"1"}"#),
      "introductory_price.payment_mode"
    ),
    (
      .priceInvalidOffer, report(more: #""discounts":[{"price":"1","payment_mode":1}]"#),
      "discounts.identifier"
    ),
    (
      .priceInvalidOffer,
      report(
        more: #""introductory_price":{"price":"1","payment_mode":1,"subscription_period":"P1"}"#),
      "introductory_price.subscription_period"
    ),
    (
      .priceInvalidOffer,
      report(
        more: #""introductory_price":{"price":1,"payment_mode":1,"number_of_periods":-1}"#),
      "introductory_price.number_of_periods"
    ),
    (
      .priceInvalidOffer,
      report(
        more: #""discounts":[{"identifier":"a","price":1,"payment_mode":1},"#
          + #"{"identifier":"a","price":2,"payment_mode":1}]"#),
      "offers"
    ),
  ].map { (reason: RejectReason, line: String, detail: String) in
    RejectCase(reason: reason, line: line, detail: detail, kind: .prices)
  }

  static let bytes: [(reason: RejectReason, bytes: [UInt8])] = [
    (.invalidUTF8, [0xC3, 0x28]), (.invalidUTF8, [0xC0, 0xAF]),
    (.invalidUTF8, [0xE0, 0x80, 0xAF]), (.invalidUTF8, [0xED, 0xA0, 0x80]),
    (.invalidUTF8, [0xF4, 0x90, 0x80, 0x80]), (.invalidUTF8, [0xFF]), (.invalidUTF8, [0x80]),
    (.invalidUTF8, [0xF0, 0x9F, 0x90]), (.invalidJSON, [0x00]), (.invalidJSON, [0x1F]),
    (.invalidJSON, [0x09]),
  ]

  @Test(arguments: syntax + misplaced + statuses + prices)
  func `a record is rejected with its code, and its neighbors are read`(
    _ story: RejectCase
  ) throws {
    let before = story.kind == .receipts ? sound("1") : report()
    let after = story.kind == .receipts ? sound("2") : report(product: #""product_id":"b","#)
    let text = "\(before)\n\(story.line)\n\(after)\n"
    let content = try readExport(bytes: Array(text.utf8), name: "f", kind: story.kind)
    #expect(content.rejects.map(\.detail) == [story.detail])
    #expect(content.codes == ["2 \(story.reason.rawValue)"])
    #expect(content.tally.used == 2)
    #expect(content.tally.rejected == 1)
    #expect(content.set.observations.count == (story.kind == .receipts ? 2 : 0))
    #expect(content.set.reports.count == (story.kind == .prices ? 2 : 0))
    #expect(content.set.records.count == content.set.observations.count)
  }

  @Test(arguments: rows)
  func `a record whose only row is bad is rejected, and says why`(_ story: RejectCase) throws {
    let content = try receipts(story.line)
    #expect(content.codes == ["1 no_usable_row", "1 \(story.reason.rawValue)"])
    #expect(content.rejects.map(\.detail) == ["its only row cannot be used", story.detail])
    #expect(content.tally.rejected == 1 && content.tally.used == 0)
    #expect(content.tally.rows.rejected == 1 && content.tally.rows.rows == 1)
    #expect(content.set.observations.isEmpty && content.set.records.isEmpty)
  }

  @Test(arguments: rows.filter { $0.line.contains("latest_receipt_info\":[") })
  func `a bad row is left out and the rest of its record is used`(_ story: RejectCase) throws {
    let content = try receipts(
      story.line.replacing("}]}", with: "},{\(fields("7"))}]}"))
    #expect(content.codes == ["1 \(story.reason.rawValue)"])
    #expect(content.rejects.map(\.detail) == [story.detail])
    #expect(content.tally.used == 1)
    #expect(content.tally.rows.rejected == 1 && content.tally.rows.used == 1)
    #expect(content.ids == ["7"])
  }

  @Test(arguments: renewals)
  func `a bad renewal state is left out and its record is used`(_ story: RejectCase) throws {
    let content = try receipts(story.line)
    #expect(content.codes == ["1 \(story.reason.rawValue)"])
    #expect(content.rejects.map(\.detail) == [story.detail])
    #expect(content.tally.used == 1 && content.tally.rows.rejected == 1)
  }

  @Test(arguments: bytes)
  func `bytes that are no text are rejected inside strings, known or not`(
    reason: RejectReason, bytes: [UInt8]
  ) throws {
    for key in ["note", "product_id"] {
      let line = Array(#"{"status":0,"\#(key)":"a"#.utf8) + bytes + Array("b\"}\n".utf8)
      let content = try readExport(
        bytes: line + Array(sound().utf8), name: "f", kind: .receipts,
        limits: limits(buffer: 8))
      #expect(content.codes == ["1 \(reason.rawValue)"])
      #expect(content.tally.used == 1)
    }
  }

  @Test func `a record above the limit is rejected alone`() throws {
    let long = response(row: fields("1"), more: #","x":"\#(String(repeating: "a", count: 400))""#)
    for buffer in [16, 64, 4096] {
      let content = try receipts(
        "\(sound("1"))\n\(long)\n\(sound("2"))\n", limits: limits(buffer: buffer, record: 300))
      #expect(content.codes == ["2 record_too_large"])
      #expect(content.rejects[0].detail == "more than 300 bytes")
      #expect(content.ids == ["1", "2"])
    }
  }

  @Test func `every code can be produced`() {
    let cases =
      Self.syntax + Self.misplaced + Self.statuses + Self.rows + Self.renewals + Self.prices
    var produced = Set(cases.map(\.reason))
    produced.insert(.noUsableRow)
    produced.formUnion(Self.bytes.map(\.reason))
    produced.insert(.recordTooLarge)
    produced.insert(.futureSnapshot)  // FutureSnapshotTests
    // Other tests check the reasons of signed transactions, of Apple's reports and of tables.
    let ofExports = RejectReason.allCases.filter { reason in
      !["token_", "report_", "table_"].contains { reason.rawValue.hasPrefix($0) }
    }
    #expect(Set(ofExports).subtracting(produced).isEmpty)
  }

  @Test func `rows that are bad in the same way are one reject that counts them`() throws {
    let bad = #"{"transaction_id":"1","product_id":"a"}"#
    let content = try receipts(
      #"{"status":0,"receipt":{"in_app":[\#(bad),{\#(fields("9"))},\#(bad),\#(bad)]}}"#)
    #expect(content.codes == ["1 row_without_purchase_date"])
    #expect(content.rejects[0].detail == "in_app[0].purchase_date, and 2 more")
    #expect(content.tally.rows.rejected == 3)
    #expect(content.ids == ["9"])
  }

  @Test func `rejects beyond what is kept are counted`() throws {
    var few = ExportLimits()
    few.keptRejects = 2
    let content = try receipts(sound() + "\n" + String(repeating: "x\n", count: 5), limits: few)
    #expect(content.rejects.count == 2)
    #expect(content.tally.rejected == 5)
    #expect(content.notices.rejectsNotKept == 3)
  }

  @Test func `rejects that asking again can cure are counted`() throws {
    let lines = [21002, 21005, 21009, 21150, 21003, 21004, 21004].map { #"{"status":\#($0)}"# }
    let content = try receipts(lines.joined(separator: "\n"))
    #expect(content.notices.retryable == 4)
    #expect(content.notices.wrongSharedSecret == 2)
    #expect(content.tally.rejected == 7)
  }

  @Test func `a price in another unit than the pipeline names is told which setting it is`() throws
  {
    let minor = FieldMapping(priceUnit: .minor)
    let content = try readExport(
      bytes: Array(report().utf8), name: "p", kind: .prices, fieldMapping: minor)
    #expect(content.rejects.map(\.reason) == [.priceTooPrecise])
    #expect(content.rejects[0].reason.advice.contains("the unit that price_unit names"))
  }
}
