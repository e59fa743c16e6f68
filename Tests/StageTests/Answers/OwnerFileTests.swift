internal import Foundation
internal import TestSupport
internal import Testing

/// Files as owners of shops have them, and what `paidline init --from` makes of each.
struct OwnerFileTests {
  /// The line of `init` about a file, and whether the pipeline has it as an input.
  private static func recognized(_ name: String, _ bytes: [UInt8]) throws -> (
    words: String, isInput: Bool
  ) {
    let shop = try Shop()
    try shop.folder.write("in/\(name)", bytes: bytes)
    try shop.folder.write(
      "receipts.ndjson", Export.purchase(1001, day: "2024-05-01", customer: "c-1", price: nil))
    let ending = try shop.run("paidline", "init", "mine", "--from", "in", "receipts.ndjson")
    #expect(ending.status == 0, "\(ending.errors)")
    let pipeline = String(decoding: try shop.folder.bytes("mine/pipeline.yaml"), as: UTF8.self)
    return (
      ending.output.split(separator: "\n").first { $0.hasPrefix("in/") }.map(String.init) ?? "",
      pipeline.contains("in/\(name)")
    )
  }

  private static func recognized(_ name: String, _ text: String) throws -> (
    words: String, isInput: Bool
  ) {
    try recognized(name, Array(text.utf8))
  }

  private static let answer =
    #"{"status":0,"environment":"Production","receipt":{"request_date_ms":"1714557607000","#
    + #""in_app":[]},"latest_receipt_info":[{"transaction_id":"1001","product_id":"pro","#
    + #""original_transaction_id":"1001","purchase_date_ms":"1714557600000"}]}"#

  // MARK: Prices

  @Test func `labels with signs of several currencies stand in one column`() throws {
    let found = try Self.recognized(
      "prices.tsv",
      """
      time\tuid\tsku\tlabel\tcurrency
      2024-05-01T10:00:00Z\tc-1\tpro\t9,99 €\tEUR
      2024-05-01T10:00:00Z\tc-2\tpro\t$9.99\tUSD
      2024-05-01T10:00:00Z\tc-3\tpro\t₹ 1,49,900.00\tINR

      """)
    #expect(found.words.contains("price: label, currency: currency"), "\(found.words)")
  }

  @Test func `a sign of one currency needs no column, and a sign of several asks for it`() throws {
    func table(_ price: String) -> String {
      "time;user_id;product_id;price\n2024-05-01T10:00:00Z;c-1;pro;\(price)\n"
    }
    let euro = try Self.recognized("euro.csv", table("9,99 €"))
    #expect(euro.isInput, "\(euro.words)")
    let dollar = try Self.recognized("dollar.csv", table("$9.99"))
    #expect(!dollar.isInput)
    #expect(dollar.words.contains("values: {currency: USD}"), "\(dollar.words)")
  }

  @Test func `purchases that fill the first records do not hide the events after them`() throws {
    let purchase =
      #"{"event":"purchase","user_id":"c-1","product_id":"pro","price":9.99,"currency":"USD","#
      + #""timestamp":"2024-05-01T10:00:00Z"}"# + "\n"
    let other = #"{"event":"open","user_id":"c-1","timestamp":"2024-05-01T10:00:00Z"}"# + "\n"
    let found = try Self.recognized(
      "events.ndjson",
      String(repeating: purchase, count: 25) + String(repeating: other, count: 30))
    #expect(found.words.contains(#"events: ["purchase"]"#), "\(found.words)")
    // The same in Paidline's own names.
    let own = try Self.recognized(
      "own.ndjson",
      String(repeating: purchase, count: 25).replacing("timestamp", with: "reported_at")
        + String(repeating: other, count: 30).replacing("timestamp", with: "reported_at"))
    #expect(own.words.contains(#"events: ["purchase"]"#), "\(own.words)")
  }

  @Test(arguments: ["inserted_at", "started_at", "paid_at"])
  func `the time of a purchase has many names`(_ name: String) throws {
    let found = try Self.recognized(
      "purchases.csv",
      "id,\(name),user_id,product_id,price,currency,apple_transaction_id\n"
        + "1,2024-05-01 10:00:00.123456+00,c-1,pro,9.99,usd,180000000000001\n")
    #expect(
      found.words.contains("reported_at: \(name)")
        && found.words.contains("transaction_id: apple_transaction_id"), "\(found.words)")
  }

  @Test func `a row of another provider is a purchase in another store`() throws {
    let found = try Self.recognized(
      "payments.csv",
      "created_at,user_id,provider,product_id,price,currency\n"
        + "2024-05-01T10:00:00Z,c-1,apple,pro,9.99,USD\n"
        + "2024-05-01T10:00:00Z,c-2,stripe,pro,9.99,USD\n")
    #expect(found.words.contains("platform: provider"), "\(found.words)")
  }

  // MARK: Encodings

  @Test func `columns of a Windows program are read, and its values are named with the command`()
    throws
  {
    let table =
      "Zeit;Nutzer;Produkt;Preis;W\u{E4}hrung;Name\n2024-05-01T10:00:00Z;c-1;pro;9,99;EUR;J\u{FC}rgen\n"
    func latin(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value & 0xFF) } }
    let found = try Self.recognized("preise.csv", latin(table))
    #expect(found.words.contains("currency: \"Währung\""), "\(found.words)")
    // 0x80 is the sign of the euro in Windows-1252.
    let named = try Self.recognized(
      "preise.csv", latin(table.replacing("9,99", with: "9,99 \u{80}")))
    #expect(!named.isInput)
    #expect(named.words.contains("iconv -f WINDOWS-1252 -t UTF-8"), "\(named.words)")
  }

  @Test func `UTF-16 is named with the command that makes UTF-8 of it`() throws {
    let units = "Zeit;Preis\n2024;9,99\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let found = try Self.recognized("preise.csv", [0xFF, 0xFE] + units)
    #expect(found.words.contains("iconv -f UTF-16 -t UTF-8"), "\(found.words)")
  }

  // MARK: Receipts

  @Test func `Apple's response may be under the key receipt`() throws {
    let found = try Self.recognized(
      "part-1.json",
      #"{"userId":"c-1","receivedAt":"2024-05-01T10:00:07Z","receipt":\#(Self.answer)}"#)
    #expect(
      found.words.contains("receipts, with keys") && found.words.contains("customer_id: userId"),
      "\(found.words)")
    #expect(found.words.contains("response: receipt"), "\(found.words)")
  }

  @Test func `a customer may have the id of MongoDB, and the name of StoreKit`() throws {
    let id = #"{"userId":{"$oid":"65e2f0000000000000000001"},"answer":\#(Self.answer)}"#
    let mongo = try Self.recognized("dump.json", id + "\n")
    #expect(mongo.words.contains(#"customer_id: "userId.$oid""#), "\(mongo.words)")
    let name = #"{"applicationUsername":"c-1","ok":true,"data":\#(Self.answer)}"#
    let validator = try Self.recognized("validated.json", name + "\n")
    #expect(validator.words.contains("customer_id: applicationUsername"), "\(validator.words)")
  }

  @Test(arguments: [
    "2024-05-01T10:00:07Z INFO received ", "[worker-3] notification: ",
  ])
  func `a log with text before its objects is named with the command that cuts it off`(
    _ before: String
  ) throws {
    let found = try Self.recognized("server.log", "\(before)\(Self.answer)\n")
    #expect(found.words.contains("sed 's/^[^{]*//'"), "\(found.words)")
  }

  @Test func `a table of Apple's rows is named with the command that makes objects of them`() throws
  {
    let found = try Self.recognized(
      "rows.csv",
      "id,user_id,transaction_id,original_transaction_id,product_id,purchase_date_ms\n"
        + "1,c-1,1001,1001,pro,1714557600000\n")
    #expect(found.words.contains("nearest: receipts, as a table of Apple's rows"), "\(found.words)")
    #expect(found.words.contains("user_id AS customer_id"), "\(found.words)")
  }

  @Test func `responses in which nobody bought anything are receipts in a table, too`() throws {
    let empty = #"{""status"":0,""receipt"":{""in_app"":[]},""latest_receipt_info"":[]}"#
    let found = try Self.recognized(
      "receipts.csv", "user_id,answer\nc-1,\"\(empty)\"\nc-2,\"\(empty)\"\n")
    #expect(
      found.words.hasSuffix("receipts, with keys {customer_id: user_id, response: answer}"),
      "\(found.words)")
  }

  @Test func `a list of records in one object is named with the command that makes lines of it`()
    throws
  {
    let found = try Self.recognized(
      "out.json",
      #"{"data":{"receipts":[{"user_id":"c-1","apple":\#(Self.answer)},"#
        + #"{"user_id":"c-2","apple":\#(Self.answer)}]}}"#)
    #expect(found.words.contains("jq -c '.data.receipts[]'"), "\(found.words)")
  }

  @Test(arguments: [("csv", ",", #""{\"status\":0}""#), ("tsv", "\t", #"{\n "status": 0}"#)])
  func `MySQL's backslashes are named with the setting that writes none`(
    _ ending: String, _ separator: String, _ cell: String
  ) throws {
    let found = try Self.recognized(
      "receipts.\(ending)", "id\(separator)receipt\n1\(separator)\(cell)\n")
    #expect(found.words.contains("mysql --batch --raw"), "\(found.words)")
  }

  @Test(arguments: [
    // RevenueCat's ledger of in-app currencies.
    (
      "rc_original_app_user_id,transaction_time,store,is_sandbox,store_transaction_id,"
        + "product_identifier,purchased_currency,price_in_purchased_currency,refund_amount_usd",
      "c-1,2024-05-01T10:00:00Z,app_store,false,1001,pro,USD,9.99,",
      "a table of RevenueCat's", "start_time"
    ),
    (
      "adapty_profile_id,purchased_at,product_id,price,currency,proceeds_usd",
      "p-1,2024-05-01T10:00:00Z,pro,9.99,USD,8.49", "a table of Adapty's", "event_type"
    ),
    (
      "Qonversion ID,Transaction Date,Product ID,Price,Currency,Proceeds USD",
      "q-1,2024-05-01T10:00:00Z,pro,9.99,USD,8.49", "a table of Qonversion's", "event_name"
    ),
    (
      "date,product_id,price,currency,proceeds", "2024-05-01T10:00:00Z,pro,9.99,USD,8.49",
      "a table", "Docs/inputs.md"
    ),
  ])
  func `a further table of a service is no list of prices`(
    _ header: String, _ row: String, _ table: String, _ lacking: String
  ) throws {
    let found = try Self.recognized("more.csv", "\(header)\n\(row)\n")
    #expect(!found.isInput, "\(found.words)")
    #expect(
      found.words.hasPrefix("in/more.csv: \(table) with amounts as they were booked"),
      "\(found.words)")
    #expect(found.words.contains(lacking), "\(found.words)")
  }

  @Test func `an owner's dollars beside the price leave a list of prices what it is`() throws {
    let found = try Self.recognized(
      "prices.csv",
      "user_id,at,sku,price,currency,price_usd\nc-1,2024-05-01T10:00:00Z,pro,9.99,EUR,10.79\n"
        .replacing(",at,", with: ",purchased_at,"))
    #expect(found.isInput, "\(found.words)")
  }

  @Test func `who has webhooks alone is told what else to export`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "hooks.ndjson",
      #"{"body":{"event":{"type":"INITIAL_PURCHASE","environment":"PRODUCTION","store":"APP_STORE","#
        + #""product_id":"pro","app_user_id":"c-1","transaction_id":"1001","currency":"USD","#
        + #""price":9.99,"price_in_purchased_currency":9.99,"purchased_at_ms":1714557600000}}}"#)
    let ending = try shop.run("paidline", "init", "mine", "--from", "hooks.ndjson")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("scheduled data export"), "\(ending.errors)")
  }
}
