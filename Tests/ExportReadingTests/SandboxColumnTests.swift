internal import PurchaseModel
internal import Testing

@testable internal import ExportReading

/// Responses of iOS 6, and shortened ones, do not say whether they are of the sandbox.
struct SandboxColumnTests {
  private static let response = """
    {"status":0,"receipt":{"request_date_ms":"1719828000000","in_app":[{"quantity":"1",\
    "product_id":"coins","transaction_id":"1","original_transaction_id":"1",\
    "purchase_date_ms":"1709287200000"}]}}
    """

  private static func table(_ column: String, _ cell: String) -> String {
    "customer_id,\(column),response\nc-1,\(cell),"
      + "\"\(response.replacing("\"", with: "\"\""))\"\n"
  }

  private static func record(_ key: String, _ value: String) -> String {
    #"{"customer_id":"c-1","\#(key)":\#(value),"response":\#(response)}"# + "\n"
  }

  private func isSandbox(_ text: String) throws -> Bool? {
    try receipts(text).set.records.first?.isSandbox
  }

  @Test(arguments: [
    ("environment", "Sandbox", true), ("environment", "SANDBOX", true),
    ("environment", "Xcode", true), ("environment", "Production", false),
    ("environment", "PROD", false), ("environment", "", false), ("environment", "blue", false),
    ("is_sandbox", "true", true), ("is_sandbox", "t", true), ("is_sandbox", "1", true),
    ("is_sandbox", "TRUE", true), ("sandbox", "yes", true), ("isSandbox", "0", false),
    ("is_sandbox", "false", false), ("is_sandbox", "f", false), ("is_sandbox", "", false),
  ])
  func `a column says which rows are of the sandbox`(
    column: String, cell: String, isSandbox: Bool
  ) throws {
    #expect(try self.isSandbox(Self.table(column, cell)) == isSandbox)
  }

  @Test(arguments: [
    ("environment", #""Sandbox""#, true), ("is_sandbox", "true", true),
    ("is_sandbox", #""true""#, true), ("is_sandbox", "1", true), ("is_sandbox", #""1""#, true),
    ("is_sandbox", "0", false), ("is_sandbox", #""false""#, false), ("is_sandbox", "null", false),
    ("sandbox", #"{"id":7}"#, false),
  ])
  func `a key beside the response says it`(key: String, value: String, isSandbox: Bool) throws {
    #expect(try self.isSandbox(Self.record(key, value)) == isSandbox)
  }

  @Test func `what the response says counts more than a column`() throws {
    let said = Self.response.replacing(
      #"{"status":0"#, with: #"{"environment":"Production","status":0"#)
    let text =
      "environment,response\nSandbox,\"\(said.replacing("\"", with: "\"\""))\"\n"
    #expect(try isSandbox(text) == false)
  }

  @Test(arguments: ["Sandbox", "Production"])
  func `the column may have a name of its own`(cell: String) throws {
    let content = try readExport(
      bytes: Array(Self.table("stage", cell).utf8), name: "r.csv", kind: .receipts,
      fieldMapping: FieldMapping(receiptKeys: ["environment": "stage"]))
    #expect(content.set.records.first?.isSandbox == (cell == "Sandbox"))
  }
}
