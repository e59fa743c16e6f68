internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing

/// Records as programs hand them on that encode or wrap JSON once more, and those that no JSON is.
struct EncodedTwiceTests {
  private static let answer = #"{"status":0,"latest_receipt_info":[{\#(fields("1001"))}]}"#

  /// A text in quotation marks, with a backslash before each quotation mark and backslash.
  private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }

  @Test func `a response that was encoded twice is the response`() throws {
    let content = try receipts(#"{"response":\#(Self.quoted(Self.quoted(Self.answer)))}"#)
    #expect(content.ids == ["1001"])
    #expect(content.codes == [])
  }

  @Test func `a record in quotation marks is the record, and repeats it`() throws {
    let record = #"{"customer_id":"ana","response":\#(Self.answer)}"#
    let content = try receipts("\(Self.quoted(record))\n\(record)\n")
    #expect(content.ids == ["1001"])
    #expect(content.tally.used == 1)
    #expect(content.tally.duplicates == 1)
    #expect(content.set.records.first?.customer != nil)
  }

  @Test(arguments: [10, 1 << 16])
  func `the results of a class of Parse are records`(_ buffer: Int) throws {
    let other = Self.answer.replacing("1001", with: "1002")
    let text = """
      { "results": [
        {"objectId":"a","response":\(Self.answer)},
        {"objectId":"b","response":\(other)}
      ], "count": 2 }
      """
    let content = try receipts(text, limits: limits(buffer: max(buffer, 64)))
    #expect(content.ids == ["1001", "1002"])
    #expect(content.codes == [])
    #expect(try receipts("{\"results\":[]}\n").codes == [])
  }

  @Test func `an array of Parse that is cut off is refused`() throws {
    #expect(throws: ExportError.self) {
      try receipts(#"{"results":[{"response":\#(Self.answer)},"#)
    }
  }

  @Test(arguments: [
    "{'status': 0, 'latest_receipt_info': [{'transaction_id': '1001', 'cancelled': None}]}",
    #"{"customer_id":"ana","response":"{'status': 0, 'receipt': None}"}"#,
  ])
  func `Python's dictionaries are named, with what to do`(_ line: String) throws {
    let content = try receipts(line + "\n")
    #expect(content.rejects.first?.detail.contains("json.dumps") == true, "\(content.rejects)")
  }

  @Test(arguments: [
    ("ana,2024-05-01T10:00:00Z,\"{\"\"status\"\":0}\"\n", "has values where the names"),
    ("ana,pro,9.99,USD\nben,pro,9.99,USD\n", "has values where the names"),
    ("user_id,receipt_data\nana,MIIbngYJKoZIhvcNAQcCoIIbjzCCG4s\n", "base64 receipts"),
  ])
  func `a table that cannot be read is named for what it is`(_ text: String, _ finding: String)
    throws
  {
    let content = try receipts(text)
    #expect(content.rejects.first?.detail.contains(finding) == true, "\(content.rejects)")
  }

  @Test(arguments: [
    ("MIIbngYJKoZIhvcNAQcCoIIbjzCC", "base64 receipts"),
    ("ewoJInNpZ25hdHVyZSIgPSAiQWxw", "base64 receipts"),
    ("eyJhbGciOiJFUzI1NiIsIng1YyI6", "signed transactions"),
    // Sums, names and keys have letters of base64, too.
    ("9f86d081884c7d659a2feaa0c55a", "it is text"), ("AAAAB3NzaC1yc2EAAAADAQABAAAB", "it is text"),
  ])
  func `a line of base64 letters is a receipt only with a receipt's first bytes`(
    _ start: String, _ finding: String
  ) throws {
    let content = try receipts(start + String(repeating: "ab01", count: 20) + "\n")
    #expect(content.rejects.first?.detail.contains(finding) == true, "\(content.rejects)")
  }

  @Test func `a time of a spreadsheet is the time of a price report`() throws {
    let text = report(time: #""reported_at":"28.04.2021 19:42:01","#)
    let written = try prices(text).set.reports
    #expect(written.map(\.reportedAt) == (try prices(report()).set.reports.map(\.reportedAt)))
    #expect(written.count == 1)
  }
}
