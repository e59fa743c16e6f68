internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing
internal import TestSupport

/// Forms in which programs store a response; Apple's servers never send them.
@Suite struct `A response that a program handed on` {
  static let row = "{\(fields("1001"))}"
  static let otherRow = "{\(fields("1002"))}"
  /// A receipt without rows.
  static let receipt = #"{"receipt_type":"Production","bundle_id":"shop","in_app":[]}"#
  static let foreignAnswer =
    "not_a_receipt it has a status, but neither a receipt nor a transaction under Apple's names"
  static let rowText = escaped(row)
  static let otherRowText = escaped(otherRow)

  @Test(arguments: [
    // JavaScript services that rename Apple's lists.
    #"{"ok":true,"receipt":\#(receipt),"latestReceiptInfo":[\#(row),\#(otherRow)]}"#,
    #"{"status":0,"latestReceiptInfo":\#(row),"latestExpiredReceiptInfo":\#(otherRow)}"#,
    #"{"unifiedReceipt":{"status":0,"latest_receipt_info":[\#(row),\#(otherRow)]}}"#,
    #"{"status":0,"receipt":{"inApp":[\#(row),\#(otherRow)]}}"#,
    // The renamed list next to Apple's list.
    #"{"status":0,"latest_receipt_info":[\#(row)],"latestReceiptInfo":[\#(otherRow)]}"#,
    // Lists that are stored as text.
    #"{"status":0,"receipt":{"in_app":"[\#(rowText)]"},"latest_receipt_info":"[\#(otherRowText)]"}"#,
    #"{"status":0,"latest_receipt_info":" [\n \#(rowText),\#(otherRowText) ] "}"#,
    #"{"unified_receipt":"{\"status\":0,\"latest_receipt_info\":[\#(rowText),\#(otherRowText)]}"}"#,
    // Types for both kinds of receipts: the fields of the other kind are empty.
    #"{"status":0,"receipt":{\#(fields("1001")),"in_app":null},"latest_receipt_info":\#(otherRow)}"#,
    #"{"status":0,"receipt":{\#(fields("1001")),"in_app":[\#(otherRow)],"bundle_id":""}}"#,
    #"{"status":0,"receipt":{"transaction_id":"","in_app":[\#(row),\#(otherRow)]}}"#,
  ])
  func `keeps all its rows`(line: String) throws {
    let content = try receipts(line)
    #expect(Set(content.ids) == ["1001", "1002"])
    #expect(content.ids.count == 2)
    #expect(content.codes.isEmpty)
  }

  @Test(arguments: [
    (
      #"{"status":0,"latestReceiptInfo":[{"transactionId":"1","quantity":1}]}"#,
      "row_without_transaction_id latestReceiptInfo[0].transaction_id"
    ),
    (
      #"{"status":0,"receipt":{"transactionId":"1","purchaseDateMs":"1600000000000"}}"#,
      "row_without_transaction_id receipt.transaction_id"
    ),
    (
      #"{"status":0,"receipt":{"transactionId":"1","quantity":"1"}}"#,
      "row_without_transaction_id receipt.transaction_id"
    ),
    (
      #"{"status":0,"receipt":{"in_app":[],"latest_receipt_info":[{}]}}"#,
      "wrong_type receipt.latest_receipt_info"
    ),
    (
      #"{"status":0,"latest_receipt_info":"[object Object]"}"#, "wrong_type latest_receipt_info"
    ),
    (
      #"{"status":0,"latest_receipt_info":"[{]"}"#,
      "invalid_json at byte 2 of the text in latest_receipt_info"
    ),
    // A service's own status, with the response under an unknown key.
    (#"{"status":0,"data":{"receipt":{\#(fields("1"))}}}"#, foreignAnswer),
    (#"{"status":"0","receipt-data":{"status":0}}"#, foreignAnswer),
    (#"{"status":0,"receipts":[\#(row)],"receipt":null}"#, foreignAnswer),
    (#"{"status":21006,"body":"{\"receipt\":{}}","receipt":"MIIT"}"#, foreignAnswer),
    (#"{"response":{"status":0,"data":{"receipt":{}}},"customer_id":"c-1"}"#, foreignAnswer),
    // Without Apple's response around the rows, their environment is unknown.
    (
      #"{"success":true,"data":{"environment":"Sandbox"},"latestReceiptInfo":[\#(row)]}"#,
      "not_a_receipt neither a response, nor a status, nor a transaction"
    ),
    (
      #"{"status":"ok","product_id":"pro"}"#,
      "not_a_receipt neither a response, nor a status, nor a transaction"
    ),
    (
      #"{"receipt":{"status":0,"latest_receipt":"MIIT"}}"#,
      "not_a_receipt neither a response, nor a status, nor a transaction"
    ),
  ])
  func `that keeps no row says why`(line: String, reject: String) throws {
    let content = try receipts(line)
    #expect(content.ids.isEmpty && content.tally.rejected == 1)
    // A record without any usable row is also rejected.
    let reasons = content.rejects.filter { $0.reason != .noUsableRow }
    #expect(reasons.map { "\($0.reason.rawValue) \($0.detail)" } == [reject])
  }

  @Test(arguments: [
    // If a response has no rows, nothing is lost. Other values next to it do not matter.
    #"{"status":0,"latest_receipt":"MIIT","errors":[],"info":{}}"#,
    #"{"status":0,"receipt":{"receipt_type":"Production"},"data":{"receipt":{}}}"#,
    #"{"status":0,"latestReceiptInfo":[],"data":{"receipt":{}}}"#,
    #"{"unified_receipt":{"status":0,"pending_renewal_info":[]},"data":{"receipt":{}}}"#,
    #"{"meta":{"id":7},"response":{"status":0}}"#,
  ])
  func `may hold nothing beside objects of its own`(line: String) throws {
    let content = try receipts(line)
    #expect(content.tally.used == 1)
    #expect(content.codes.isEmpty)
  }

  @Test(arguments: [
    (#""sandbox":true,"service":"apple","#, true), (#""is_sandbox":true,"sandbox":true,"#, true),
    (#""isSandbox":true,"environment":"Production","#, false), (#""sandbox":false,"#, false),
    (#""sandbox":{"tested":true},"#, false), (#""sandbox":"no","#, false),
  ])
  func `may say that it comes from the sandbox`(said: String, isSandbox: Bool) throws {
    // The receipt does not state the environment, as in iOS 6.
    let answer = #"{\#(said)"status":0,"receipt":{\#(fields("1"))}}"#
    let wrapped = #"{\#(said)"response":{"status":0,"receipt":{\#(fields("2"))}}}"#
    let content = try receipts(answer + "\n" + wrapped)
    #expect(content.codes.isEmpty)
    #expect(content.set.records.map(\.isSandbox) == [isSandbox, isSandbox])
  }

  @Test func `may name what the record around it says in the other spelling`() throws {
    let line =
      #"{"receivedAt":1628533562000,"customerId":"c-1","storeCountry":"PL","#
      + #""priceReport":\#(report(time: "")),"response":\#(sound())}"#
    let content = try receipts(line)
    let record = try #require(content.set.records.first)
    #expect(record.snapshotAt == instant("2021-08-09T18:26:02Z"))
    #expect(record.customer.map { content.set.symbols.text($0.symbol) } == "c-1")
    #expect(record.storefront?.code == "POL")
    #expect(content.set.reports.map(\.price.rawValue) == [9990])
    let state = try receipts(
      #"{"status":0,"latest_receipt_info":[\#(Self.row)],"pendingRenewalInfo":"#
        + #"[{"original_transaction_id":"1001","auto_renew_status":"1"}]}"#)
    #expect(state.set.renewals.map(\.autoRenewStatus) == [true])
  }

  @Test(arguments: [
    #"{"$date":"2021-08-09T18:26:02Z"}"#, #"{"$date":{"$numberLong":"1628533562000"}}"#,
    #"{ "$date" : 1628533562000 }"#,
  ])
  func `may bear the types of MongoDB`(date: String) throws {
    let row = fields("1001").replacing(
      #""1600000000000""#, with: #"{"$numberLong":"1600000000000"}"#)
    let content = try receipts(
      #"{"received_at":\#(date),"customer_id":{"$oid":"5f"},"#
        + #""response":{"status":{"$numberInt":"0"},"latest_receipt_info":[{\#(row)}]}}"#)
    let record = try #require(content.set.records.first)
    #expect(record.snapshotAt == instant("2021-08-09T18:26:02Z"))
    #expect(record.customer.map { content.set.symbols.text($0.symbol) } == "5f")
    #expect(content.set.observations.map(\.purchasedAt.milliseconds) == [1_600_000_000_000])
  }

  @Test(arguments: [
    #"{"date":1}"#, #"{"$date":1,"x":2}"#, #"{"$numberLong":{"$numberLong":"1"}}"#, #"{}"#, "[]",
    #"{"$date":[1]}"#, #"{"$date":{}}"#,
  ])
  func `has no other objects in place of values`(value: String) throws {
    #expect(
      try receipts(#"{"received_at":\#(value),"response":\#(sound())}"#).codes == ["1 wrong_type"])
  }

  static func escaped(_ text: String) -> String { text.replacing("\"", with: "\\\"") }
}
