internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing

/// Files that people list as exports although they are not.
@Suite struct `A file that is no export` {
  @Test(arguments: [
    (Array("id,user_id,receipt\n7,u-1,\"{\"\"status\"\":0}\"\n".utf8), "CSV, SQL or a log"),
    (
      Array("id,user_id,receipt\n7,u-1,\"{\"\"status\"\":0}\"\n".utf8),
      "or name the columns of a CSV file under keys in its entry (Docs/formats.md)"
    ),
    (
      Array("\"user_id\",\"receipt\"\nu-1,\"{}\"\n".utf8),
      "or name the columns of a CSV file under keys in its entry (Docs/formats.md)"
    ),
    (Array("INSERT INTO receipts VALUES (1,'{\"status\":0}');\n".utf8), "CSV, SQL or a log"),
    (Array("\"{\"\"status\"\":0}\"\n\"{\"\"status\"\":0}\"\n".utf8), "in quotation marks"),
    (Array(#""status 0""#.utf8), "in quotation marks"),
    (Array("<html><body>502</body></html>".utf8), "HTML or XML"),
    (Array(String(repeating: "MIITtgYJKoZIhvcN", count: 8).utf8), "paidline-validate"),
    ([0xFF, 0xFE, 0x7B, 0, 0x7D, 0], "UTF-16"),
    ([0, 0x7B, 0, 0x7D], "UTF-16"),
    (Array("customer_id,response\rc-1,\"{}\"\r".utf8), "end each line with a line feed"),
    ([0xCA, 0xFE, 0xBA, 0xBE, 0, 0], "binary"),
  ])
  func `says what it seems to be`(bytes: [UInt8], found: String) throws {
    let content = try readExport(bytes: bytes, name: "r", kind: .receipts)
    let detail = try #require(content.rejects.first).detail
    #expect(detail.contains("; no export: it"))
    #expect(detail.contains(found), "\(detail)")
    #expect(content.tally.rejected > 0)
    #expect(content.isNoText == nil)
  }

  private static let contents: [([UInt8], String)] = [
    (Array("PK\u{3}\u{4}\u{14}\0\0\0".utf8), "a zip archive"),
    (Array("BZh91AY&SY".utf8), "compressed with bzip2"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "compressed with xz"),
    ([0x28, 0xB5, 0x2F, 0xFD, 4, 0], "compressed with zstd"),
    (Array("SQLite format 3\0\u{10}\0".utf8), "a SQLite database"),
    (Array("PAR1\u{15}\u{4}".utf8), "COPY (SELECT * FROM 'file.parquet') TO 'file.csv' (HEADER)"),
    (Array("%PDF-1.7\n".utf8), "a PDF"),
    (workbook, "an XLSX workbook"),
  ]

  private static let workbook: [UInt8] = {
    let zeros = [UInt8](repeating: 0, count: 26)
    return Array("PK\u{3}\u{4}".utf8) + zeros + Array("[Content_Types].xml".utf8)
  }()

  @Test(arguments: contents)
  func `is refused where it cannot hold lines of text`(bytes: [UInt8], found: String) throws {
    let content = try readExport(bytes: bytes, name: "r", kind: .receipts)
    #expect(try #require(content.isNoText).description.contains(found))
  }

  @Test(arguments: ["[]", "[]\n", "{}", " null\n", "\"\"", ""])
  func `is empty where it is an empty container`(text: String) throws {
    let content = try receipts(text)
    #expect(content.tally.records == 0 && content.rejects.isEmpty)
  }

  @Test func `is read behind an empty list on its first line`() throws {
    #expect(try receipts("[]\n\(sound("1"))\n\(sound("2"))\n").ids == ["1", "2"])
    #expect(try receipts("{}\n\(sound("1"))\n").ids == ["1"])
  }

  @Test func `is told from a tar archive by its header`() throws {
    var header = Array("receipts/1.json".utf8)
    header += [UInt8](repeating: 0, count: 257 - header.count)
    header += Array("ustar\0".utf8) + [UInt8](repeating: 0, count: 249)
    let tar = header + Array("\n\(sound())\n".utf8)
    let content = try readExport(bytes: tar, name: "r", kind: .receipts)
    #expect(content.isNoText == .archive("tar"), "although a record in it could be read")
  }

  @Test(arguments: [
    "Exporting 2 rows\n\(sound("1"))\n\(sound("2"))\n",
    "\"cut\":1}]}\n\(sound("1"))\n",
    "\u{FEFF}\n  \(sound("1"))",
    "[\(sound("1"))]",
    "{\"customer_id\":\"c-1\"}",
    "{\"cut",
    "",
  ])
  func `is not one that holds a record or begins as JSON does`(text: String) throws {
    let content = try receipts(text)
    #expect(content.isNoText == nil)
    #expect(!content.rejects.contains { $0.detail.contains("no export") })
  }
}

/// The advice for a record that is not a receipt.
@Suite struct `A record that is no receipt` {
  private static let answer =
    #"{"status":0,"environment":"Production","receipt":{},"latest_receipt_info":[]}"#

  @Test(arguments: [
    (#"{"user_id":"u-1","data":\#(answer)}"#, #"is under "data": name it "response", or set it"#),
    (#"{"user_id":"u-1","receipt":\#(answer)}"#, #"is under "receipt": name it"#),
    (
      #"{"body":"{\"status\":0,\"environment\":\"Production\",\"receipt\":{}}"}"#,
      #"inputs.receipt_keys: {response: body}"#
    ),
    (#"{"receipts":[\#(answer)]}"#, #"each element of the list under "receipts""#),
    (#"{"user_id":"u-1","receipt-data":"MIITtgYJ"}"#, "run paidline-validate"),
    (#"{"signedPayload":"eyJ.eyJ.abc"}"#, "list the file under inputs.signed"),
    (
      #"{"transactionId":"1","productId":"pro","price":9990,"currency":"USD","signedDate":1}"#,
      "list the file under inputs.signed"
    ),
    (
      #"{"notificationType":"DID_RENEW","data":{"bundleId":"com.example"}}"#,
      "list the file under inputs.signed"
    ),
    (
      #"{"bundleId":"com.example","data":[{"lastTransactions":[{"signedTransactionInfo":"eyJ.e.a"}]}]}"#,
      "list the file under inputs.signed"
    ),
    (#"{"product_id":"pro","currency":"USD","price":"9.99"}"#, "belongs under inputs.prices"),
  ])
  func `says what to do with it`(line: String, advice: String) throws {
    let reject = try #require(try receipts(line).rejects.first)
    #expect(reject.reason == .notAReceipt)
    #expect(reject.detail.contains(advice), "\(reject.detail)")
  }

  @Test(arguments: [#"{"data":7}"#, #"{"data":{},"x":{"price":1}}"#])
  func `says no more where nothing tells what it is`(line: String) throws {
    let reject = try #require(try receipts(line).rejects.first)
    #expect(reject.detail == "neither a response, nor a status, nor a transaction")
  }

  @Test(arguments: ["customer_id,receipt\nc-1,{}\n", "customer_id,product_id\nc-1,pro\n"])
  func `the message names the column that a table of receipts needs`(text: String) throws {
    let reject = try #require(try receipts(text).rejects.first)
    #expect(
      reject.detail == """
        neither a response, nor a status, nor a transaction; a table needs a column with Apple's \
        response as JSON: call it response, or name it under keys in its entry (Docs/inputs.md)
        """)
    let empty = try #require(try receipts("customer_id,response\nc-1,\n").rejects.first)
    #expect(empty.detail == "neither a response, nor a status, nor a transaction")
  }

  @Test func `names no key of its own making, which may be a customer's`() throws {
    let reject = try #require(try receipts(#"{"alice@example.com":\#(Self.answer)}"#).rejects.first)
    #expect(
      reject.detail == """
        neither a response, nor a status, nor a transaction; Apple's response is under a key of \
        your own: name it "response", or set it in the pipeline under inputs.receipt_keys; \
        paidline init --from finds the key, and for an object with many customers prints the \
        command that makes records of it
        """)
  }

  @Test(arguments: [
    #"{"customer_id":"c-1","response":\#(answer)}"#, answer,
    #"{"customer_id":"c-1","response":"{\"status\":0,\"latest_receipt_info\":[]}"}"#,
    #"{"product_id":"pro","transaction_id":"1","is_trial_period":"false"}"#,
  ])
  func `is sent to the receipts from the prices`(line: String) throws {
    let content = try readExport(bytes: Array(line.utf8), name: "r", kind: .prices)
    let reject = try #require(content.rejects.first)
    #expect(reject.reason == .priceWithoutProduct || reject.reason == .priceWithoutCurrency)
    #expect(
      reject.detail.hasSuffix(
        "_id; it holds receipts that Apple has answered: list the file under inputs.receipts")
        || reject.detail.hasPrefix("currency; it holds receipts"), "\(reject.detail)")
  }

  @Test(arguments: [
    #"{"currency":"USD","price":"9.99"}"#, #"{"data":{"n":1}}"#,
  ])
  func `stays among the prices where nothing tells of a receipt`(line: String) throws {
    let content = try readExport(bytes: Array(line.utf8), name: "r", kind: .prices)
    #expect(content.rejects.map(\.detail) == ["product_id"])
  }
}
