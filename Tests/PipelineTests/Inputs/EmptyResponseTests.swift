@testable internal import Pipeline
internal import PurchaseModel
internal import TestSupport
internal import Testing

/// Files of responses in which nobody bought anything, as those of a new app.
struct EmptyResponseTests {
  private func recognized(_ text: String) throws -> RecognizedInput {
    let folder = try TemporaryFolder()
    try folder.write("r.ndjson", text + "\n")
    return try RecognizedInput.of(folder.path("r.ndjson"))
  }

  @Test(arguments: [
    (#"{"customer_id":"c-1","response":{"status":0,"receipt":{"in_app":[]}}}"#, ""),
    (
      #"{"user":"c-1","payload":{"status":0,"latest_receipt_info":[],"receipt":{"app_id":7}}}"#,
      "keys: {customer_id: user, response: payload}"
    ),
  ])
  func `empty lists of rows are receipts`(_ line: String, _ settings: String) throws {
    let time = #""receipt":{"request_date_ms":"1714557605000","#
    let found = try recognized(line.replacing(#""receipt":{"#, with: time))
    #expect(found.kind == .receipts, "\(found.words)")
    #expect(found.settings == settings)
  }

  @Test func `a status alone is no receipt`() throws {
    #expect(try recognized(#"{"customer_id":"c-1","status":0,"items":[]}"#).kind == nil)
  }
}
