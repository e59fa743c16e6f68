internal import CivilTime
internal import ExportReading
internal import PurchaseModel
internal import Testing

/// Forms that servers between Apple and the export give a response, found in public code.
@Suite struct `A response in another shape` {
  static let row = "{\(fields("1001"))}"
  static let otherRow = "{\(fields("1002"))}"

  @Test(arguments: [
    // PHP writes an array with gaps as an object whose keys are positions.
    #"{"status":0,"latest_receipt_info":{"1":\#(row),"3":\#(otherRow)}}"#,
    #"{"status":0,"receipt":{"in_app":{"1":\#(row),"3":\#(otherRow)}}}"#,
    #"{"status":0,"latest_expired_receipt_info":{"a":\#(row),"b":\#(otherRow)}}"#,
    #"{"unified_receipt":{"status":0,"latest_receipt_info":{"1":\#(row),"3":\#(otherRow)}}}"#,
    // In PHP an empty object becomes an empty array.
    #"{"status":0,"receipt":[],"latest_receipt_info":[\#(row),\#(otherRow)]}"#,
    #"{"status":0,"receipt": [ ] ,"latest_receipt_info":[\#(row),\#(otherRow)]}"#,
    // Some servers store the receipt as the text that they received.
    #"{"status":0,"receipt":"{\"in_app\":[\#(escaped(row)),\#(escaped(otherRow))]}"}"#,
    // Version 1 notifications of 2019.
    #"{"unified_receipt":{"status":"OK","latest_receipt_info":[\#(row),\#(otherRow)]}}"#,
  ])
  func `keeps all its rows`(line: String) throws {
    let content = try receipts(line)
    #expect(content.ids == ["1001", "1002"])
    #expect(content.codes.isEmpty)
  }

  @Test(arguments: [
    (#"{"status":0,"latest_receipt_info":{"1":7,"2":{"x":1}}}"#, "wrong_type"),
    (#"{"status":0,"latest_receipt_info":{"x":{"y":1}}}"#, "row_without_transaction_id"),
    (#"{"status":0,"receipt":"{\"in_app\":[]","latest_receipt_info":[]}"#, "invalid_json"),
    (#"{"status":0,"receipt":[1],"latest_receipt_info":[]}"#, "wrong_type"),
    (#"{"status":"FAILED","latest_receipt_info":[]}"#, "wrong_type"),
  ])
  func `that holds no rows says so`(line: String, code: String) throws {
    #expect(try receipts(line).codes.contains("1 \(code)"))
  }

  @Test func `names a renewal state's chain by its product, where only one chain has it`() throws {
    func state(_ rows: String) throws -> ExportContent {
      try receipts(
        #"{"status":0,"pending_renewal_info":{"0":{"product_id":"pro","auto_renew_status":"0"}},"#
          + #""latest_receipt_info":[\#(rows)]}"#)
    }
    let one = try state(Self.row + #",{\#(fields("7").replacing("\"pro\"", with: "\"plus\""))}"#)
    #expect(one.set.renewals.map { $0.originalTransactionID.number.rawValue } == [1001])
    #expect(one.codes.isEmpty)
    let two = try state(Self.row + "," + Self.otherRow)
    #expect(two.set.renewals.isEmpty)
    #expect(two.codes == ["1 row_without_transaction_id"])
  }

  @Test func `has no line item where a decoder writes 0`() throws {
    for zero in ["0", #""0""#] {
      let content = try receipts(
        response(row: fields("1") + #","web_order_line_item_id":\#(zero)"#))
      #expect(content.set.observations.first?.lineItemID == nil)
    }
  }

  @Test func `is no older than the refund or the change of renewal that it tells of`() throws {
    // Purchased at 2020-09-13T12:26:40Z; the response has no other date.
    let refunded = response(row: fields("1") + #","cancellation_date_ms":"1600000900000""#)
    #expect(
      try receipts(refunded).set.records.map(\.snapshotAt.milliseconds) == [1_600_000_900_000])
    let turnedOff = response(
      row: fields("1"),
      more: #","auto_renew_status":"false","auto_renew_status_change_date_ms":"1600000500000""#)
    let content = try receipts(turnedOff)
    #expect(content.set.records.map(\.snapshotAt.milliseconds) == [1_600_000_500_000])
    #expect(content.set.renewals.map(\.autoRenewStatus) == [false])
    let unreadable = response(
      row: fields("1"),
      more: #","auto_renew_status":"false","auto_renew_status_change_date":"soon""#)
    #expect(
      try receipts(unreadable).set.records.map(\.snapshotAt.milliseconds) == [1_600_000_000_000])
  }

  static func escaped(_ text: String) -> String { text.replacing("\"", with: "\\\"") }
}
