internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing

/// Responses whose keys are columns of a table, or stand beside the receipt that a pipeline names.
///
/// The receipt has the purchase 1001; `latest_receipt_info` has it and its renewal 1002.
struct SplitColumnsTests {
  private static let receipt =
    #"{"request_date_ms":"1700000000000","in_app":[{\#(fields("1001"))}]}"#
  private static let list = "[{\(fields("1001"))},{\(fields("1002"))}]"

  private static func cell(_ text: String) -> String {
    "\"\(text.replacing("\"", with: "\"\""))\""
  }

  private static func text(_ json: String) -> String {
    "\"\(json.replacing("\"", with: "\\\""))\""
  }

  private func read(_ text: String, _ keys: [(key: String, paths: [String])]) throws
    -> ExportContent
  {
    try readExport(
      bytes: Array(text.utf8), name: "r", kind: .receipts,
      fieldMapping: FieldMapping(records: try RecordLayout(kind: .receipts, keys: keys)))
  }

  @Test(arguments: [
    "customer_id,status,environment,receipt,latest_receipt_info",
    "customer_id,status,environment,receipt_json,latest_receipt_info_json",
    "customer_id,status,environment,receipt,latestReceiptInfo",
  ])
  func `a row with the keys of a response is the response`(_ header: String) throws {
    let row = "c-1,0,Production,\(Self.cell(Self.receipt)),\(Self.cell(Self.list))"
    let content = try receipts("\(header)\n\(row)\n")
    #expect(content.ids == ["1001", "1002"])
    #expect(content.codes == [])
    #expect(content.notices.assumedProduction == 0)
    #expect(content.set.records.first?.customer != nil)
    let sandbox = try receipts("\(header)\n\(row.replacing("Production", with: "Sandbox"))\n")
    #expect(sandbox.set.records.first?.isSandbox == true)
    let failed = try receipts("\(header)\n\(row.replacing(",0,", with: ",21003,"))\n")
    #expect(failed.tally.rejected == 1)
  }

  @Test func `a row without a list has the purchases of its receipt`() throws {
    let content = try receipts(
      "customer_id,status,receipt,latest_receipt_info\nc-1,0,\(Self.cell(Self.receipt)),NULL\n")
    #expect(content.ids == ["1001"])
    #expect(content.codes == [])
  }

  @Test func `the list beside the receipt that a pipeline names is read`() throws {
    let keys: [(key: String, paths: [String])] = [("response", ["receipt"])]
    let table = try read(
      "customer_id,receipt,latest_receipt_info\nc-1,\(Self.cell(Self.receipt)),"
        + "\(Self.cell(Self.list))\n", keys)
    #expect(Set(table.ids) == ["1001", "1002"])
    for (receipt, list) in [
      (Self.receipt, Self.list), (Self.text(Self.receipt), Self.text(Self.list)),
    ] {
      let record = #"{"customer_id":"c-1","receipt":\#(receipt),"latest_receipt_info":\#(list)}"#
      #expect(Set(try read(record, keys).ids) == ["1001", "1002"])
    }
  }

  @Test func `a receipt that is the whole response keeps its environment`() throws {
    let answer =
      #"{"status":0,"environment":"Sandbox","receipt":\#(Self.receipt),"#
      + #""latest_receipt_info":\#(Self.list)}"#
    let content = try receipts(
      "customer_id,receipt,latest_receipt_info\nc-1,\(Self.cell(answer)),\(Self.cell(Self.list))\n")
    #expect(Set(content.ids) == ["1001", "1002"])
    #expect(content.codes == [])
    #expect(content.set.records.first?.isSandbox == true)
  }

  @Test func `columns beside a whole response are the owner's`() throws {
    let answer = #"{"status":0,"latest_receipt_info":\#(Self.list)}"#
    let content = try receipts(
      "customer_id,response,latest_receipt_info,status,status\n"
        + "c-1,\(Self.cell(answer)),\(Self.cell("[{\(fields("1009"))}]")),active,old\n")
    #expect(content.ids == ["1001", "1002"])
    #expect(content.codes == [])
  }

  @Test func `a record is the response itself where only the customer has another name`() throws {
    let lines = ["1001", "1002"].map { #"{"user_id":"c-1",\#(sound($0).dropFirst())"# }
    let content = try read(
      lines.joined(separator: "\n"), [("customer_id", ["user_id"])])
    #expect(content.ids == ["1001", "1002"])
    #expect(content.set.records.allSatisfy { $0.customer != nil })
  }
}
