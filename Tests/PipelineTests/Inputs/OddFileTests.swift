@testable internal import Pipeline
internal import PurchaseModel
internal import TestSupport
internal import Testing

/// Exports in forms that `paidline init --from` must look into, or name for what they are.
struct OddFileTests {
  private func recognized(_ name: String, _ text: String) throws -> RecognizedInput {
    let folder = try TemporaryFolder()
    try folder.write(name, text)
    return try RecognizedInput.of(folder.path(name))
  }

  private static let row =
    #"{"transaction_id":"1001","product_id":"pro","purchase_date_ms":"1600000000000"}"#

  @Test func `columns with the keys of a response are not taken for the receipt alone`() throws {
    let csv = try recognized(
      "r.csv",
      "user_id,status,receipt,latest_receipt_info\nc-1,0,{},\""
        + "[\(Self.row)]\"\n".replacing("\"", with: "\"\"").replacing("]\"\"", with: "]\""))
    #expect(csv.settings == "keys: {customer_id: user_id}", "\(csv.words)")
    let list = "[\(Self.row)]".replacing("\"", with: "\\\"")
    let json = try recognized(
      "r.ndjson",
      #"{"user_id":"c-1","status":0,"receipt":"{}","latest_receipt_info":"\#(list)"}"# + "\n")
    #expect(json.settings == "keys: {customer_id: user_id}", "\(json.words)")
  }
}
