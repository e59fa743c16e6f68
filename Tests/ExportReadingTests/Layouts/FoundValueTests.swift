internal import Amounts
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing

/// Records that are read by the values at the paths of a pipeline, or in the columns of a table.
struct FoundValueTests {
  private static let byPaths = try? RecordLayout(
    kind: .receipts, keys: [("customer_id", ["user.id"]), ("response", ["payload.apple"])])

  private func read(_ text: String, _ mapping: FieldMapping) throws -> ExportContent {
    try readExport(
      bytes: Array(text.utf8), name: "r.txt", kind: .receipts, fieldMapping: mapping)
  }

  private func cell(_ text: String) -> String {
    "\"\(text.replacing("\"", with: "\"\""))\""
  }

  @Test func `a cell holds one value, and what stands behind it is no column of its own`() throws {
    let answer = sound("1001")
    let table = "customer_id,response\nc-1,\(cell(answer + #","storefront":"USA""#))\n"
    let content = try receipts(table)
    #expect(content.codes == ["2 invalid_json"])
    #expect(
      content.rejects.map(\.detail) == ["at byte \(answer.utf8.count) of the text in response"])
  }

  @Test func `a response that is cut off in its cell says so`() throws {
    let content = try receipts(
      "customer_id,response,storefront\nc-1,\(cell(#"{"status":0,"#)),USA\n")
    #expect(content.codes == ["2 invalid_json"])
    #expect(
      content.rejects.map(\.detail)
        == ["at byte 12 of the text in response, where it is cut off"])
  }

  @Test func `a fault names its byte in the record that has it`() throws {
    let records = try #require(Self.byPaths)
    let text = #"{"payload":{"apple":{"status":0,"status":0}}}"#
    let content = try read(text, FieldMapping(records: records))
    #expect(content.rejects.map(\.detail) == ["status occurs twice, the second time at byte 41"])
  }

  @Test func `the pipeline's names of keys are those of columns, too`() throws {
    let table = "uid,body\nc-1,\(cell(sound("1001")))\n"
    let content = try read(
      table, FieldMapping(receiptKeys: ["customer_id": "uid", "response": "body"]))
    #expect(content.codes == [] && content.ids == ["1001"])
    let customers = content.set.records.map(\.customer)
    #expect(customers.map { $0.map { content.set.symbols.text($0.symbol) } } == ["c-1"])
  }

  @Test func `records with the same values are one, whatever stands beside the values`() throws {
    let records = try #require(Self.byPaths)
    func record(_ customer: String, _ note: String) -> String {
      #"{"note":"\#(note)","user":{"id":"\#(customer)"},"payload":{"apple":\#(sound("1001"))}}"#
    }
    let lines = [record("c-1", "a"), record("c-1", "b"), record("c-2", "a")]
    let content = try read(lines.joined(separator: "\n"), FieldMapping(records: records))
    #expect(content.tally.used == 2 && content.tally.duplicates == 1)
    let answer = cell(sound("1001"))
    let rows = ["c-1,a,\(answer)", "c-1,b,\(answer)", "c-2,a,\(answer)", "\(answer),a,c-1"]
    let table = try receipts((["customer_id,note,response"] + rows).joined(separator: "\n") + "\n")
    #expect(table.tally.used == 2 && table.tally.duplicates == 1 && table.tally.rejected == 1)
  }

  @Test func `a text at a path of a service's format must be JSON`() throws {
    let export = try #require(ServiceExport.named("superwall_webhook"))
    let content = try readExport(
      bytes: Array(#"{"type":"renewal","data":"{"}"#.utf8), name: "e.ndjson", kind: .exports,
      fieldMapping: FieldMapping(records: try RecordLayout(export: export)))
    #expect(content.codes == ["1 invalid_json"])
    #expect(content.rejects.map(\.detail) == ["at byte 1 of the text in data"])
  }

  @Test func `mappings are equal if their settings are, whatever text identifies them`() {
    let names = ["customer_id": "a", "response": "b"]
    #expect(FieldMapping(receiptKeys: names) == FieldMapping(receiptKeys: names))
    #expect(FieldMapping() == .standard)
    let alike = FieldMapping(receiptKeys: ["customer_id": "a\nreceipt response=b"])
    #expect(alike.identity == FieldMapping(receiptKeys: names).identity)
    #expect(alike != FieldMapping(receiptKeys: names))
    #expect(FieldMapping(priceKeys: ["price": "p"]) != FieldMapping(priceKeys: ["price": "q"]))
    #expect(FieldMapping(priceUnit: .minor) != .standard)
  }
}
