internal import Foundation
internal import TestSupport
internal import Testing

/// Files that an operator lists as exports although they are not; each case has the complete
/// message.
struct MisleadingInputTests {
  /// One file, and the message of a run about it.
  struct Input: Sendable, CustomTestStringConvertible {
    var story: String
    var text: String
    /// The code and detail of the first reject.
    var reject: String
    /// The content that the message expects instead.
    var expected: String
    /// Further advice, as a line; empty without such advice.
    var advice = ""
    var testDescription: String { story }
  }

  private static let answer =
    #"{"status":0,"environment":"Production","receipt":{"bundle_id":"com.example"},"#
    + #""latest_receipt_info":[{"transaction_id":"1","product_id":"pro","#
    + #""purchase_date_ms":"1600000000000"}]}"#

  /// A signed transaction as StoreKit 2 returns it, with an invalid signature.
  private static let signed =
    [#"{"alg":"ES256","x5c":["MIIEMDCCA7agAwIBAgIQ"]}"#, #"{"transactionId":"2000000123"}"#, "sig"]
    .map { part in
      Data((part == "sig" ? String(repeating: "s", count: 64) : part).utf8).base64EncodedString()
        .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }.joined(separator: ".")

  private static let base64 = String(repeating: "MIITtgYJKoZIhvcN", count: 40)

  private static let anObject =
    "expected one JSON object per line, a JSON array, or concatenated JSON objects"
  private static let noText =
    "expected one JSON object per record, not a plain value or a quoted "
    + "text"
  private static let anAnswer =
    "expected Apple's response, or a record with customer_id and that response under the key "
    + "response"
  private static let needsKeys =
    "  It seems to hold receipts: its entry under inputs.receipts needs keys; `paidline init new "
    + "--from in/a.ndjson` prints them, and for receipts also writes a pipeline into the folder new.\n"
  private static let isSigned =
    "no export: it holds signed transactions (JWS) of StoreKit 2 or the App Store Server API; list "
    + "the file under inputs.signed, as it is (Docs/signed.md)"
  private static let holdsSignedData =
    "it holds signed data (JWS) or decoded transactions of StoreKit 2, the App Store Server API "
    + "or a version 2 notification: "
    + "list the file under inputs.signed, as it is (Docs/signed.md)"
  private static let holdsSigned =
    "not_a_receipt, neither a response, nor a status, nor a transaction; \(holdsSignedData)"
  private static let writeAsReceipt =
    "write it as {\"receipt\":\"…\"} on a line of a file under validate.receipts, and run "
    + "paidline-validate"
  private static let rawInside =
    "not_a_receipt, neither a response, nor a status, nor a transaction; it holds a receipt "
    + "without Apple's response: \(writeAsReceipt)"
  private static let isBase64 =
    "no export: it holds base64 receipts without Apple's responses; write each as "
    + "{\"receipt\":\"…\"} on a line of a file under validate.receipts, and run paidline-validate"

  static let inputs = [
    Input(
      story: "a bare signed transaction", text: signed + "\n",
      reject: "invalid_json, at byte 0; \(isSigned)", expected: anObject),
    Input(
      story: "a quoted signed transaction", text: "\"\(signed)\"\n",
      reject: "not_an_object, the record is a text, not a JSON object; \(isSigned)",
      expected: noText),
    Input(
      story: "a signed transaction as a receipt",
      text: #"{"customer_id":"c-1","receipt":"\#(signed)"}"#, reject: holdsSigned,
      expected: anAnswer),
    Input(
      story: "signed transactions inside a response",
      text: #"{"customer_id":"c-1","response":{"signedTransactions":["\#(signed)"]}}"#,
      reject: holdsSigned, expected: anAnswer),
    Input(
      story: "a version 2 notification inside a response",
      text: #"{"customer_id":"c-1","response":{"signedPayload":"\#(signed)"}}"#,
      reject: holdsSigned, expected: anAnswer),
    Input(
      story: "a bare base64 receipt", text: base64 + "\n",
      reject: "invalid_json, at byte 0; \(isBase64)", expected: anObject),
    Input(
      story: "a quoted base64 receipt", text: "\"\(base64)\"\n",
      reject: "not_an_object, the record is a text, not a JSON object; \(isBase64)",
      expected: noText),
    Input(
      story: "a StoreKit configuration file",
      text: "{\n  \"identifier\" : \"5F4E\",\n  \"nonRenewingSubscriptions\" : [\n\n  ],\n"
        + "  \"subscriptionGroups\" : [\n\n  ]\n}\n",
      reject: "not_a_receipt, neither a response, nor a status, nor a transaction; it is a "
        + "StoreKit "
        + "configuration file of Xcode, which holds products for tests, not receipts",
      expected: anAnswer),
    Input(
      story: "a webhook's record with the receipt in its body",
      text: #"{"id":7,"request":{"method":"POST","body":\#(answer)}}"#,
      reject: "not_a_receipt, neither a response, nor a status, nor a transaction; Apple's "
        + "response is under "
        + "\"request.body\": write it as \"response\", for example by jq -c '{response: "
        + ".request.body}'",
      expected: anAnswer, advice: needsKeys),
    Input(
      story: "a webhook's record with Apple's answer as a text in its body",
      text: #"{"id":7,"request":{"body":"\#(answer.replacing("\"", with: "\\\""))"}}"#,
      reject: "not_a_receipt, neither a response, nor a status, nor a transaction; Apple's "
        + "response is under "
        + "\"request.body\": write it as \"response\", for example by jq -c '{response: "
        + ".request.body}'",
      expected: anAnswer, advice: needsKeys),
    Input(
      story: "a webhook's record with the app's own request in its body",
      text: #"{"id":7,"request":{"body":"{\"receipt-data\":\"\#(base64)\"}"}}"#,
      reject: rawInside, expected: anAnswer),
    Input(
      story: "a webhook's record with a base64 receipt in its body",
      text: #"{"id":7,"request":{"body":"\#(base64)"}}"#, reject: rawInside, expected: anAnswer),
    Input(
      story: "a base64 receipt in a record of its own",
      text: #"{"customer_id":"c-1","receipt":"\#(base64)"}"#,
      reject: "not_a_receipt, neither a response, nor a status, nor a transaction; it holds a "
        + "receipt without Apple's response: list the file under validate.receipts and run paidline-validate",
      expected: anAnswer),
    Input(
      story: "a signed transaction in place of a response",
      text: #"{"customer_id":"c-1","response":"\#(signed)"}"#,
      reject: "invalid_json, at byte 0 of the text in response; \(holdsSignedData)",
      expected: anObject),
    Input(
      story: "a base64 receipt in place of a response",
      text: #"{"customer_id":"c-1","response":"\#(base64)"}"#,
      reject: "invalid_json, at byte 0 of the text in response; it holds a receipt without Apple's "
        + "response: \(writeAsReceipt)",
      expected: anObject),
    Input(
      story: "a wrapper with data", text: #"{"user_id":"u-1","data":\#(answer)}"#,
      reject: "not_a_receipt, neither a response, nor a status, nor a transaction; Apple's "
        + "response is under "
        + "\"data\": name it \"response\", or set it in the pipeline: inputs.receipt_keys: "
        + "{response: data}",
      expected: anAnswer, advice: needsKeys),
  ]

  @Test(arguments: inputs) func `says what it is and what to do`(_ input: Input) throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", input.text)
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    #expect(
      ending.errors == """
        paidline-ingest: no record of in/a.ndjson can be used:
          in/a.ndjson:1: \(input.reject)
            \(input.expected)
        \(input.advice)Replace the file, or remove it from the inputs. If these data are right, accept them for one run \
        with --accept no_usable_record.
        To list the rows, in var/state.db:
          SELECT name, line, reason_code, detail FROM reject JOIN input_file USING (file_id) WHERE \
        status = 'held';
        More: Docs/rejects.md.
        Nothing was published.

        """)
  }

  private static let report = """
    {"reported_at":"2021-04-28T19:42:01Z","customer_id":"c-1","product_id":"pro",\
    "storefront":"USA","currency":"USD","price":"9.99"}

    """
  private static let table = """
    reported_at,customer_id,product_id,storefront,currency,price
    2021-04-28T19:42:01Z,c-1,pro,USA,USD,9.99

    """
  private static let webhook = """
    {"event":{"type":"INITIAL_PURCHASE","app_user_id":"c-1","transaction_id":"1",\
    "product_id":"pro","price_in_purchased_currency":7900,"price":5.92,"currency":"KRW",\
    "purchased_at_ms":1612137600000,"event_timestamp_ms":1612137600000,"store":"APP_STORE",\
    "environment":"PRODUCTION","period_type":"NORMAL","country_code":"KR"}}

    """

  @Test(arguments: [
    (report, "price reports: list it under inputs.prices."),
    (table, "price reports: list it under inputs.prices."),
    (
      webhook,
      #"prices: list it under inputs.prices with format: revenuecat_webhook."#
    ),
  ])
  func `a file of prices among the receipts gets the name of its input`(
    _ text: String, _ advice: String
  )
    throws
  {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", text)
    let plan = try shop.run("paidline", "run", "--dry-run").output
    #expect(plan.contains("\n  It seems to hold \(advice)\n"), "\(plan)")
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    #expect(
      ending.errors.contains("\n  It seems to hold \(advice)\nReplace the file, or remove it"),
      "\(ending.errors)")
  }

  @Test func `a table whose columns have names of their own is sent to its keys`() throws {
    let shop = try Shop(receipts: "in/*.csv")
    let cell = Self.answer.replacing("\"", with: "\"\"")
    try shop.folder.write("in/a.csv", "user_id,receipt\nu-1,\"\(cell)\"\n")
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    #expect(
      ending.errors.contains(
        """

          It seems to hold receipts: its entry under inputs.receipts needs keys; `paidline init new \
        --from in/a.csv` prints them, and for receipts also writes a pipeline into the folder new.
        """), "\(ending.errors)")
    let keys = "keys {customer_id: user_id, response: receipt}"
    #expect(try shop.run("paidline", "init", "new", "--from", "in/a.csv").output.contains(keys))
  }

  @Test func `files of one entry without a usable record are told and recognized once`() throws {
    let shop = try Shop()
    for name in "abcd" {
      try shop.folder.write("in/\(name).ndjson", Self.report.replacing("c-1", with: "c-\(name)"))
    }
    let ending = try shop.run("paidline", "run")
    #expect(ending.errors.components(separatedBy: "It seems to hold").count - 1 == 1)
    #expect(ending.errors.contains("no record of 4 files of in/*.ndjson*, in/a.ndjson the first,"))
  }

  @Test func `the advice on a wrapper is right`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", #"{"user_id":"u-1","data":\#(Self.answer)}"#)
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "pipeline.yaml",
      pipeline.replacing(
        "inputs:\n", with: "inputs:\n  receipt_keys: {response: data, customer_id: user_id}\n"))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(
      try shop.rows("SELECT transaction_id, customer_key IS NOT NULL FROM fct_revenue") == ["1|1"])
  }

  @Test(arguments: [("prices", "price_without_product"), ("signed", "wrong_type")])
  func `a file of receipts under another input gets the name of its input`(
    _ input: String, _ code: String
  ) throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write("other/b.ndjson", Export.purchase(1002, day: "2021-01-05"))
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "pipeline.yaml",
      pipeline.replacing("inputs:\n", with: "inputs:\n  \(input): [\"other/*.ndjson\"]\n"))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    #expect(
      ending.errors.contains("  other/b.ndjson:1: \(code), "), "\(ending.errors)")
    #expect(
      ending.errors.contains(
        "; it holds receipts that Apple has answered: list the file under inputs.receipts\n"),
      "\(ending.errors)")
    #expect(
      ending.errors.contains("\n  It seems to hold receipts: list it under inputs.receipts.\n"),
      "\(ending.errors)")
    let plan = try shop.run("paidline", "run", "--dry-run").output
    #expect(!plan.contains("price_keys"))
  }

  @Test func `a StoreKit configuration file is no catalogue`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write(
      "Products.storekit", #"{"identifier":"5F4E","products":[],"subscriptionGroups":[]}"#)
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "pipeline.yaml",
      pipeline.replacing("inputs:\n", with: "inputs:\n  catalog: Products.storekit\n"))
    let ending = try shop.run("paidline", "run")
    #expect(
      ending
        == Ending(
          status: 78, output: "",
          errors: """
            paidline-reconstruct: Products.storekit: this is a StoreKit configuration file of \
            Xcode, not a catalogue: write the ids, groups and prices of App Store Connect in the \
            form that "paidline init" shows. More: Docs/inputs.md.

            """))
  }

  @Test func `the bank's rates of one day are not its history`() throws {
    let shop = try Shop(more: "reporting_currency: EUR")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write(
      "eurofxref.csv", "Date, USD, JPY, \n03 May 2021, 1.2044, 131.85, \n")
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "pipeline.yaml", pipeline.replacing("inputs:\n", with: "inputs:\n  rates: eurofxref.csv\n"))
    let ending = try shop.run("paidline", "run")
    #expect(
      ending
        == Ending(
          status: 65, output: "",
          errors: """
            paidline-reconstruct: eurofxref.csv:1: found the rates of one day \
            ("03 May 2021"), as in eurofxref.csv; use the history instead: eurofxref-hist.csv \
            from the European Central Bank's eurofxref-hist.zip. More: Docs/inputs.md.

            """))
  }

  @Test func `a message of several lines is printed in several lines`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "in/a.ndjson",
      (1001...1030).map { Export.purchase($0, day: "2021-02-01", customer: "c-\($0)") }.joined()
        + "{\"broken\n")
    let ending = try shop.run("paidline", "run")
    #expect(
      ending
        == Ending(
          status: 0, output: "",
          errors: """
            paidline-ingest: warning: 1 of 31 records (3.2 %) of 1 new file of receipts cannot be \
            used and are left out:
              in/a.ndjson:31: invalid_json, at byte 8, where it is cut off
                expected one JSON object per line, a JSON array, or concatenated JSON objects
            More: Docs/rejects.md.

            """))
  }
}
