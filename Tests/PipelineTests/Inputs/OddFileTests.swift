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

  @Test func `a response in JSON text within JSON text is found`() throws {
    func quoted(_ text: String) -> String {
      "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
    let answer = #"{"status":0,"latest_receipt_info":[\#(Self.row)]}"#
    let data = quoted(#"{"verify":\#(quoted(answer))}"#)
    let found = try recognized("r.ndjson", #"{"user":{"id":"c-1"},"data":\#(data)}"# + "\n")
    #expect(found.settings == "keys: {customer_id: user.id, response: data.verify}")
  }

  @Test func `the properties of an event may be JSON text`() throws {
    let found = try recognized(
      "e.ndjson",
      #"{"event":"purchase","distinct_id":"c-1","timestamp":"2024-05-11 07:49:04+00:00","#
        + #""properties":"{\"product_id\":\"pro\",\"price\":9.99,\"currency\":\"USD\"}"}"#
        + "\n")
    #expect(
      found.settings == "keys: {product_id: properties.product_id, price: properties.price, "
        + "currency: properties.currency, reported_at: timestamp, customer_id: distinct_id}")
  }

  @Test func `the corrected time goes before the clock of the phone`() throws {
    let found = try recognized(
      "s.ndjson",
      #"{"event":"Bought","userId":"c-1","timestamp":"2024-03-01T10:00:03Z","originalTimestamp":"#
        + #""2021-01-01T00:00:00Z","properties":{"product_id":"coins","price":1.99,"#
        + #""currency":"USD"}}"# + "\n")
    #expect(found.settings.contains("reported_at: timestamp"), "\(found.settings)")
  }

  @Test func `the customer of decoded transactions may have another name`() throws {
    let found = try recognized(
      "d.ndjson",
      #"{"user_id":"c-1","transactionId":"7","originalTransactionId":"7","bundleId":"com.a","#
        + #""productId":"coins","purchaseDate":1709287200000,"type":"Consumable","#
        + #""inAppOwnershipType":"PURCHASED","signedDate":1709287200000,"price":1990,"#
        + #""currency":"USD","storefront":"USA","environment":"Production"}"# + "\n")
    #expect(found.kind == .signed)
    #expect(found.settings == "keys: {customer_id: user_id}")
  }

  @Test func `a newest file without records does not hide those before`() throws {
    let folder = try TemporaryFolder()
    let record =
      #"{"customer_id":"c-1","response":{"status":0,"latest_receipt_info":[\#(Self.row)]}}"# + "\n"
    try folder.write("r/2024-05-01.ndjson", record)
    try folder.write("r/2024-05-02.ndjson", "")
    let header = [
      "Provider", "Provider Country", "SKU", "Developer", "Title", "Version",
      "Product Type Identifier", "Units", "Developer Proceeds", "Begin Date", "End Date",
      "Customer Currency", "Country Code", "Currency of Proceeds", "Apple Identifier",
      "Customer Price", "Promo Code", "Parent Identifier", "Subscription", "Period",
    ]
    let line = [
      "APPLE", "US", "pro", "", "Pro", "", "IAY", "1", "7", "06/14/2024", "06/14/2024", "USD", "US",
      "USD", "9", "9.99", "", "app", "New", "1 Month",
    ]
    let table = header.joined(separator: "\t") + "\n"
    try folder.write("a/S_D_1_20240614.txt", table + line.joined(separator: "\t") + "\n")
    try folder.write("a/S_D_1_20240615.txt", table)
    let found = try RecognizedInputs.of([folder.path("r"), folder.path("a")])
    #expect(found.map(\.kind) == [.receipts, .appleReports])
    #expect(found.map(\.count) == [2, 2])
  }

  @Test(arguments: [
    ("empty.ndjson", "", "it is empty"),
    ("r.avro", "Obj\u{1}\u{4}\u{14}avro.codec\u{8}null\u{16}avro.schema\u{0}\u{4}", "it is Avro"),
    (
      "copy.tsv", "0\tcust-17\t2024-07-01 06:00:00+00\t{\"status\": 0, \"receipt\": {\"a\": 1}}\n",
      "its first line has values"
    ),
    (
      "dynamo.json",
      #"{"Item": {"userId": {"S": "cust-17"}, "response": {"M": {"status": {"N": "0"}}}}}"# + "\n",
      "(.Item // .) | map_values(plain)"
    ),
  ])
  func `a file of another form is named, without its values`(
    _ name: String, _ text: String, _ words: String
  ) throws {
    let found = try recognized(name, text)
    #expect(found.kind == nil)
    #expect(found.words.contains(words), "\(found.words)")
    #expect(!found.words.contains("cust-17"), "\(found.words)")
  }
}
