internal import Foundation
internal import TestSupport
internal import Testing

/// Tables and dumps as owners really have them, which `paidline init --from` reads without a line
/// of YAML, or names for what they are.
struct FirstLookTableTests {
  private static let named = "c-1;pro;9,99;USD;01.05.2024 10:00;7;US\n"

  @Test(arguments: [
    (
      "preise.csv", "Kunde;Produkt;Preis;Währung;Datum;Transaktion;Land\n\(named)",
      #"price: Preis, currency: "Währung", reported_at: Datum, customer_id: Kunde, "#
        + #"transaction_id: Transaktion, storefront: Land}, decimal: ",""#
    ),
    (
      "excel.csv", "sep=;\nuser_id;sku;price;currency;date;transaction_id;country\n\(named)",
      #"decimal: ",""#
    ),
    (
      "pipes.txt",
      "user_id|sku|price|currency|purchased_at|transaction_id|country\n"
        + named.replacing(";", with: "|").replacing("01.05.2024 10:00", with: "1714557600000"),
      "reported_at: purchased_at"
    ),
    (
      "cents.tsv",
      "user_id\tsku\tamount_cents\tcurrency\tcreated_at\ttransaction_id\n"
        + "c-1\tpro\t999\tUSD\t2024-05-01 10:00:00\t7\n", "price_unit: minor"
    ),
    (
      "firestore.json",
      #"[{"uid":"c-1","ts":{"_seconds":1714557600,"_nanoseconds":0},"transactionId":"7","#
        + #""product":{"id":"pro","price":9.99,"currency":"USD"}}]"#,
      "product_id: product.id, price: product.price"
    ),
    (
      "list.json",
      """
      {"data": {"items": [
        {"user_id": "c-1", "product_id": "pro", "price": "9.99", "currency": "USD",
         "purchased_at": "2024-05-01T10:00:00Z", "transaction_id": "7"}
      ]}}
      """, #"product_id: "data.items[].product_id""#
    ),
    (
      "Price.json",
      #"{"results":[{"objectId":"x","user":{"__type":"Pointer","objectId":"c-1"},"#
        + #""shownAt":{"__type":"Date","iso":"2024-05-01T10:00:00.000Z"},"createdAt":"#
        + #""2024-05-01T10:00:00.000Z","productId":"pro","price":9.99,"currency":"USD","#
        + #""transactionId":"7"}]}"#, "customer_id: user.objectId"
    ),
  ])
  func `a table of prices is read as it is`(_ name: String, _ text: String, _ settings: String)
    throws
  {
    let shop = try Shop()
    // Nothing but the table has a price.
    try shop.folder.write(
      "from/receipts.ndjson", Export.purchase(7, day: "2024-05-01", price: nil))
    try shop.folder.write("from/\(name)", text)
    let made = try shop.run("paidline", "init", "mine", "--from", "from")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains(settings), "\(made.output)")
    let run = try shop.run("paidline", "run", "mine/pipeline.yaml")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try shop.rows("SELECT paid_milli, currency FROM fct_revenue", in: "mine/var/warehouse.db")
        == ["9990|USD"])
  }

  @Test func `what cannot be read is named, with what to do`() throws {
    let shop = try Shop()
    let answer = #"{"status":0,"latest_receipt_info":[{"product_id":"pro"}]}"#
    let files = [
      ("python.txt", "{'user_id': 'c-1', 'response': {'status': 0, 'receipt': None}}\n"),
      ("bare.csv", "c-1,2024-05-01T10:00:00Z,pro,9.99,USD\n"),
      ("raw.csv", "user_id,receipt_data\nc-1,\(String(repeating: "MIIb", count: 40))\n"),
      ("noid.ndjson", "{\"user_id\":\"c-1\",\"response\":\(answer)}\n"),
      (
        "docs.json",
        #"{"receipts":{"d0":{"uid":"a","response":\#(answer)},"d1":{"uid":"b","response":"#
          + answer + "}}}"
      ),
      ("table.zip", "PK\u{3}\u{4}\u{14}\u{0}table.csv"),
    ]
    for (name, text) in files { try shop.folder.write("from/\(name)", text) }
    let ending = try shop.run("paidline", "init", "mine", "--from", "from")
    #expect(ending.status == 65)
    let words = ending.output + ending.errors
    for line in [
      "python.txt: not recognized: line 1, it has a dictionary as Python prints it",
      "bare.csv: not recognized: its first line has values where the names of the columns belong",
      "raw.csv: not recognized: line 1, it holds base64 receipts",
      "noid.ndjson: not recognized: receipts whose rows have no transaction_id",
      "docs.json: one object with a key for each record; write one record per line, for example "
        + "with jq -c '.receipts[]'",
      "table.zip: not recognized: it is a zip archive; unpack it",
    ] { #expect(words.contains(line), "\(line)\n\(words)") }
  }
}
